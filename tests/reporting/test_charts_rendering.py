"""SVG: drawn by another process, the same bytes each time, and nothing in it that a strict page would refuse."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from heams.reporting.charts import Bar, ChartError, interval_chart, palette, svg
from heams.reporting.charts.drawing import DrawingProcess
from heams.reporting.charts.drawing import shared as drawing
from heams.reporting.charts.markup import cleaned
from heams.reporting.charts.render import specification, svg_of

_HOSTILE = '<script>alert(1)</script>"&\x00\x1b[31m\u202e]]>'


def _chart(*bars: Bar, title: str = "Scores") -> Any:
    chart = interval_chart(bars or [Bar("a", 0.5, 0.4, 0.6, 9), Bar("b", 0.25, reference=True)], title=title)
    assert chart is not None
    return chart


def test_a_picture_is_named_and_holds_nothing_active() -> None:
    picture = svg(_chart())
    root = ET.fromstring(picture)  # noqa: S314 - ours
    assert root.get("class") == "chart"
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Scores: means with 95 % intervals. highest a (0.500), lowest b (0.250)."
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Scores"
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name.startswith("on") or name in ("style", "id", "href")}
    assert not re.search(r"<script|<style|<image|<foreignObject|url\(|https?://(?!www\.w3\.org/2000/svg)", picture)
    assert "<title>a: 0.500 [0.400, 0.600], n 9</title>" in picture


def test_style_sheets_find_the_parts_of_a_chart() -> None:
    picture = svg(_chart())
    for part in ("role-axis-label", "role-axis-grid", "role-title-text", "role-mark"):
        assert part in picture


def test_the_same_chart_is_the_same_bytes() -> None:
    spec = specification(_chart())
    assert specification(_chart()) == spec
    raw = drawing.draw(spec)
    assert drawing.draw(spec) == raw
    assert cleaned(raw, "T", "D") == cleaned(raw, "T", "D")
    assert svg(_chart()) is svg_of(spec)


def test_hostile_names_are_text() -> None:
    picture = svg(_chart(Bar(_HOSTILE, 0.5), title=_HOSTILE))
    assert "<script" not in picture
    assert "\x00" not in picture
    assert "&lt;script&gt;" in picture
    ET.fromstring(picture)  # noqa: S314 - ours


def test_links_stay_on_this_site() -> None:
    picture = svg(_chart(Bar("a", 0.5, href="/run/a?metric=f1&page=2")))
    (link,) = ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}a")  # noqa: S314 - ours
    assert link.attrib == {"href": "/run/a?metric=f1&page=2", "aria-label": "a: 0.500"}
    assert 'role="group"' in picture  # an image would hide its links from screen readers


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ('<a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://host/x"/>', "https://host/x"),
        ("<script>1</script>", "<script>"),
        ('<image href="x.png"/>', "<image>"),
        ("<g>", "no XML"),
    ],
)
def test_markup_that_no_chart_has_is_refused(inside: str, said: str) -> None:
    with pytest.raises(ChartError, match=said):
        cleaned(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>', "T", "D")


def test_attributes_that_act_are_left_out() -> None:
    markup = (
        '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0.12345,-0.001" style="x" onclick="y" fill="url(#a)"/></svg>'
    )
    assert '<path d="M0.12,0" />' in cleaned(markup, "T", "D")


def test_an_error_of_the_renderer_is_told() -> None:
    process = DrawingProcess()
    try:
        with pytest.raises(ChartError, match="cannot be drawn"):
            process.draw('{"mark": "no such mark", "title": {"text": ""}, "description": ""}')
        assert process.draw(specification(_chart())).startswith("<svg")
        assert process._process is not None
        process._process.kill()
        with pytest.raises(ChartError, match="ended with code -9"):
            process.draw("{}")
    finally:
        process.close()


def test_threads_share_one_process() -> None:
    found: dict[int, str] = {}

    def draw(number: int) -> None:
        found[number] = svg(_chart(Bar(f"row {number}", 0.5)))

    threads = [threading.Thread(target=draw, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(f"row {number}" in found[number] for number in range(4))


def test_the_process_ends_with_the_program(tmp_path: Path) -> None:
    """Also for a script without a main guard, and one that ends without cleaning up. Until a chart is built, nothing
    of what draws is loaded."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\n"
        "import heams.reporting.benchmark_rollup\n"
        "assert not {'altair', 'vl_convert'} & set(sys.modules)\n"
        "from heams.reporting.charts.drawing import shared\n"
        'print(shared.draw(\'{"mark": "bar", "data": {"values": []}}\')[:4])\n'
        "print(shared._process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=60)
    drawn, pid = done.stdout.split()
    assert drawn == "<svg"
    for _ in range(100):
        if not _alive(int(pid)):
            return
        threading.Event().wait(0.05)
    pytest.fail("the drawing process outlived the program")


def _alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_pages_have_a_rule_for_every_colour(repository: Path) -> None:
    rules = (repository / "src/heams/browse/static/charts.css").read_text(encoding="utf-8")
    colours = {value for name, value in vars(palette).items() if name.isupper() and isinstance(value, str)}
    assert len(colours) >= 9
    for colour in {*colours, *palette.VERDICTS.values(), *palette.SERIES} - {palette.WHITE}:
        assert f'[fill="{colour}"]' in rules, colour
        assert f'[stroke="{colour}"]' in rules, colour


@pytest.mark.parametrize("ground", ["#ffffff", "#0d1117"])
def test_colours_show_on_white_and_on_black(ground: str) -> None:
    assert _contrast(palette.INK, ground) >= 4
    for colour in {*palette.VERDICTS.values(), *palette.SERIES}:
        assert _contrast(colour, ground) >= 3, colour


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
