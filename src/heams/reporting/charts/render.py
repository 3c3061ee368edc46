"""From a chart to SVG: drawn in another process, cleaned, and kept for whoever asks again."""

import json
import threading
from collections import OrderedDict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from heams.reporting.charts.drawing import shared
from heams.reporting.charts.markup import cleaned
from heams.reporting.charts.text import harmless

if TYPE_CHECKING:
    from heams.reporting.charts.theme import Chart

_MOST_KEPT = 128


def svg(chart: "Chart") -> str:
    """The chart as one ``<svg class="chart">`` element: no script, style, identifier or address of another site.

    The same chart gives the same bytes. Blocks for about 0.1 s where the chart is new (0.8 s for the first one of a
    program), so call it off the event loop. Any thread may.

    Raises:
        ChartError: it cannot be drawn.
    """
    return svg_of(specification(chart))


def specification(chart: "Chart") -> str:
    """The chart's Vega-Lite specification as JSON in one line, its texts made harmless.

    It is not checked against Vega-Lite's schema, which takes longer than all the rest: the tests do that.
    """
    return json.dumps(harmless(chart.to_dict(validate=False)), ensure_ascii=True, sort_keys=True, allow_nan=False)


def svg_of(spec: str) -> str:
    """``svg`` of what ``specification`` gave.

    Raises:
        ChartError: it cannot be drawn.
    """
    key = sha256(spec.encode()).digest()
    kept = _kept.get(key)
    if kept is None:
        words: dict[str, Any] = json.loads(spec)
        kept = cleaned(shared.draw(spec), words["title"]["text"], words["description"])
        _kept.put(key, kept)
    return kept


class _Kept:
    """The pictures that were asked for last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._pictures: OrderedDict[bytes, str] = OrderedDict()

    def get(self, key: bytes) -> str | None:
        with self._lock:
            found = self._pictures.get(key)
            if found is not None:
                self._pictures.move_to_end(key)
            return found

    def put(self, key: bytes, picture: str) -> None:
        with self._lock:
            self._pictures[key] = picture
            while len(self._pictures) > self._most:
                self._pictures.popitem(last=False)


_kept = _Kept(_MOST_KEPT)
