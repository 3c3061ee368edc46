"""The template environment: everything is escaped, an unknown name is an error, numbers look as in reports."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from heams.browse.rendering import links, numbers
from heams.browse.rendering.assets import static_url
from heams.browse.rendering.foreign_text import readable, visible
from heams.browse.rendering.interval_bar import bar_of
from heams.browse.rendering.keys import COMMON_KEYS
from heams.reporting import figures

_TEMPLATES = Path(__file__).parents[1] / "templates"


@cache
def environment() -> Environment:
    """The environment that every page is rendered with."""
    found = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        auto_reload=False,
    )
    found.filters |= {
        "score": figures.score,
        "interval": figures.interval,
        "count": figures.count,
        "seconds": figures.seconds,
        "share": figures.share,
        "cost": figures.cost,
        "plural": figures.plural,
        "short": numbers.short,
        "usd": numbers.usd,
        "ago": numbers.ago,
        "duration": numbers.duration,
        "visible": visible,
        "readable": readable,
    }
    found.globals |= {
        "bar_of": bar_of,
        "static_url": static_url,
        "links": links,
        "navigation": links.NAVIGATION,
        "common_keys": COMMON_KEYS,
    }
    return found
