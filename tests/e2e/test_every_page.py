"""Every page in every state: readable for everybody, at both widths, in both themes, with and without JavaScript."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
WIDTHS = (360, 1440)
THEMES = ("light", "dark")
HEIGHT = 900
TABS = 60
HEADS = "main :not(#others *):is(thead th)"
"""But for a table that is asked for on demand, by a link where there is no JavaScript."""
AT_END = "the end"
PICTURED = ("runs", "matrix", "experiment", "samples", "sample", "compare", "judge_of_one")
ACROSS, UPRIGHT = 1030, 700
PAPER_WIDTHS = {
    "runs": ACROSS, "matrix": ACROSS, "samples": ACROSS, "compare": ACROSS, "sample": UPRIGHT, "judge_of_one": UPRIGHT,
}  # fmt: skip
"""A sheet of A4 within its margins, in pixels."""
PAPER = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const pixel = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const style = getComputedStyle(document.body);
  return [pixel(style.backgroundColor), Math.max(...pixel(style.color)) < 90];
}"""
SIDEWAYS = "() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return "the end";
  const style = getComputedStyle(element);
  const point = element.closest("svg.chart") && element.querySelector("path");
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0)
    || (point && parseFloat(getComputedStyle(point).strokeWidth) >= 3);
  const box = element.getBoundingClientRect();
  const seen = box.width > 0 && box.height > 0;
  return ring || style.boxShadow !== "none" ? (seen ? "" : `nothing to see: ${element.outerHTML.slice(0, 120)}`)
    : `no ring: ${element.outerHTML.slice(0, 120)}`;
}"""


def test_every_page_can_be_read_by_everybody(
    place: str,
    page: "Page",
    go: "Callable[[Page, str], None]",
    faults_of: "Callable[[Page], list[str]]",
    screenshots: Path,
) -> None:
    faults = []
    go(page, place)
    for width, theme in product(WIDTHS, THEMES):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        faults += [f"{width} {theme}: {fault}" for fault in faults_of(page)]
        sideways = page.evaluate(SIDEWAYS)
        if sideways > 0:
            faults.append(f"{width}: {sideways} pixels stand out at the right")
        page.screenshot(path=screenshots / f"{place}__{width}__{theme}.png", full_page=True)
    assert not faults, "\n".join(faults)


def test_every_page_can_be_walked_through_with_the_tab_key(
    place: str, page: "Page", go: "Callable[[Page, str], None]"
) -> None:
    go(page, place)
    faults = set()
    for _ in range(TABS):
        page.keyboard.press("Tab")
        fault = page.evaluate(FOCUSED)
        if fault == AT_END:
            break
        faults.add(fault)
    assert faults - {""} == set()
    assert "" in faults


def test_every_page_says_the_same_without_javascript(
    place: str, page: "Page", context_of: Callable[..., Any], go: "Callable[[Page, str], None]", screenshots: Path
) -> None:
    bare = context_of(java_script_enabled=False).new_page()
    go(bare, place)
    go(page, place)
    for selector in ("h1", "h2", HEADS, HEADS.replace("thead", "tbody")):
        assert _words(bare, selector) == _words(page, selector)
    assert not [button for button in bare.locator(".js-only").all() if button.is_visible()]
    if place in PICTURED:
        bare.screenshot(path=screenshots / f"{place}__no_javascript.png", full_page=True)


@pytest.mark.parametrize("name", PAPER_WIDTHS)
def test_what_is_printed_is_dark_on_white_and_without_controls(
    name: str, context_of: Callable[..., Any], go: "Callable[[Page, str], None]", screenshots: Path
) -> None:
    page = context_of(PAPER_WIDTHS[name], "dark").new_page()
    go(page, name)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(PAPER) == [[255, 255, 255], True]
    assert page.evaluate(SIDEWAYS) <= 0
    for gone in (".topbar", ".toolbar", ".button", ".actions", ".foot"):
        assert not [one for one in page.locator(gone).all() if one.is_visible()], gone
    assert page.locator("h1").is_visible()
    page.screenshot(path=screenshots / f"{name}__print.png", full_page=True)


def _words(page: "Page", selector: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(selector).all_inner_texts()]
