"""Numbers as reports print them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heta_framework.common.statistics import Interval

NONE = "—"


def score(value: float | None) -> str:
    """A score or a mean, with three decimals; a dash where there is none."""
    if value is None:
        return NONE
    if abs(value) >= 1000:
        return f"{value:,.1f}"
    return f"{round(value, 3) + 0.0:.3f}"


def interval(bounds: "Interval | None") -> str:
    """An interval; a dash where there is none."""
    return NONE if bounds is None else f"[{score(bounds.low)}, {score(bounds.high)}]"


def count(number: float | None) -> str:
    """A whole number with thousands separated."""
    return NONE if number is None else f"{round(number):,}"


def seconds(value: float | None) -> str:
    """A duration: milliseconds below one second."""
    if value is None:
        return NONE
    if 0 < value < 0.00005:
        return "<0.1 ms"
    if value < 1:
        return f"{value * 1000:.1f} ms" if value < 0.0995 else f"{value * 1000:.0f} ms"
    return f"{value:.2f} s" if value < 100 else f"{value:,.0f} s"


def share(value: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return NONE if value is None else f"{value:.1%}"


def cost(usd: float | None) -> str:
    """An amount of money; ``unknown`` where a price is not known."""
    if usd is None:
        return "unknown"
    return f"{usd:,.4f}" if usd else "0"


def plural(number: int, one: str, many: str = "") -> str:
    """``1 error``, ``2 errors``; ``many`` for nouns that do not just take an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
