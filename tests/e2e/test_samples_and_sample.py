"""The list of samples and one sample, by mouse and by keyboard; all that is chosen is in the address."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
LIST = "/run/extractive__lexical__locomo_mini/samples"


def rows(page: "Page") -> int:
    """How many rows the filter leaves."""
    return int(page.locator(".list-head b").inner_text().replace(",", ""))


def open_first(page: "Page") -> None:
    """Open the first row."""
    page.locator("a[data-row]").first.click()
    page.wait_for_url("**/sample?**")


def asked(page: "Page") -> dict[str, list[str]]:
    """What the address says."""
    return parse_qs(urlsplit(page.url).query)


def test_a_filter_is_completed_by_the_keyboard_alone(page: "Page") -> None:
    page.goto(LIST)
    page.keyboard.press("/")
    page.keyboard.type("verd")
    page.locator("#completions[data-of=verd] [role=option]").first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("option", name="partial").first.wait_for()
    page.keyboard.type("pa")
    page.locator("#completions[data-of='verdict:pa'] [role=option]").first.wait_for()
    while page.locator("[role=option][aria-selected=true]", has_text="partial").count() == 0:
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.locator("#q").input_value().strip() == "verdict:partial"
    page.keyboard.press("Enter")
    page.wait_for_url("**q=verdict%3Apartial**")
    page.locator(".chips", has_text="verdict:partial").wait_for()
    assert set(page.locator("td .verdict, th .verdict").all_inner_texts()) == {"partial"}
    assert rows(page) == 23


def test_facets_histogram_and_verdicts_narrow_the_list_and_chips_widen_it(page: "Page") -> None:
    page.goto(LIST)
    assert rows(page) == 145
    page.get_by_role("complementary", name="Facets").get_by_role("link", name="temporal").last.click()
    page.locator(".chips").wait_for()
    assert rows(page) == 35
    page.keyboard.press("3")
    page.locator(".chips li", has_text="verdict:fail").wait_for()
    failed = rows(page)
    assert 0 < failed < 35
    page.go_back()
    page.locator(".chips li", has_text="verdict:fail").wait_for(state="hidden")
    assert rows(page) == 35
    page.reload()
    assert rows(page) == 35
    page.locator(".chips a.term").first.click()
    page.locator(".chips").wait_for(state="hidden")
    assert rows(page) == 145
    page.locator("svg.scores a").last.click()
    page.locator(".chips").wait_for()
    assert 0 < rows(page) < 145


def test_sorting_paging_and_columns_are_in_the_address(page: "Page") -> None:
    page.goto(LIST)
    page.get_by_role("columnheader", name="Score").get_by_role("link").click()
    page.wait_for_url("**sort=**")
    page.get_by_role("columnheader", name="Score").get_by_role("link").click()
    page.wait_for_url("**sort=-value**")
    assert page.locator("td.of-value").first.inner_text().strip() == "1.000"
    page.get_by_role("link", name="Next", exact=True).click()
    page.wait_for_url("**page=2**")
    page.get_by_text("51–100 of 145").wait_for()
    page.get_by_text("Columns, order").click()
    page.get_by_role("checkbox", name="Tokens").check()
    page.get_by_role("checkbox", name="Seconds").uncheck()
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("columnheader", name="Tokens").wait_for()
    assert page.get_by_role("columnheader", name="Seconds").count() == 0
    assert "tokens" in asked(page)["columns"][0]
    assert asked(page)["sort"] == ["-value"]


def test_a_mistake_is_shown_where_it_is_and_the_list_stays(page: "Page", watch: Any) -> None:
    watch.expected |= {400}
    page.goto(f"{LIST}?q=verdict%3Apass")
    before = rows(page)
    page.locator("#q").fill("verdct:pass")
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("alert").wait_for()
    assert page.locator("mark.wrong").inner_text() == "verdct"
    assert rows(page) == before
    page.get_by_role("alert").get_by_role("link", name="verdict").click()
    page.get_by_role("alert").wait_for(state="hidden")
    assert rows(page) == before


@pytest.mark.parametrize("kind", ["csv", "jsonl", "md"])
def test_what_is_listed_is_saved_as_a_file(page: "Page", kind: str, tmp_path: Path) -> None:
    page.goto(f"{LIST}?q=verdict%3Apartial")
    page.get_by_text("Export").click()
    with page.expect_download() as download:
        page.locator(f"a[href*='samples.{kind}']").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name.endswith(f".{kind}")
    text = file.read_text(encoding="utf-8")
    match kind:
        case "csv":
            assert len(list(csv.DictReader(text.splitlines()))) == 23
        case "jsonl":
            assert {json.loads(line)["verdict"] for line in text.splitlines()} == {"partial"}
        case _:
            assert text.count("partial") >= 23


def test_a_sample_is_read_tab_by_tab(page: "Page", screenshots: Path) -> None:
    page.goto(f"{LIST}?q=verdict%3Apartial")
    open_first(page)
    for name in ("Expected", "Observed", "Reason"):
        assert page.get_by_role("heading", name=name, exact=True).is_visible()
    boxes = [page.get_by_role("heading", name=name, exact=True).bounding_box() for name in ("Expected", "Observed")]
    assert boxes[0] and boxes[1] and boxes[0]["y"] == boxes[1]["y"], "side by side"  # noqa: PT018
    assert page.locator(".triptych mark").count() > 0
    page.keyboard.press("d")
    page.wait_for_url("**d=off**")
    assert page.locator(".triptych mark").count() == 0
    page.keyboard.press("d")
    page.locator(".triptych mark").first.wait_for()
    for key, tab, seen in (
        ("t", "transcript", ".steps"),
        ("r", "recalled", "table.recall"),
        ("m", "memory", "main .card"),
        ("u", "costs", "main table"),
        ("i", "json", "#raw"),
    ):
        page.keyboard.press(key)
        page.wait_for_url(f"**tab={tab}**")
        page.locator(seen).first.wait_for()
    assert json.loads(page.locator("#raw").inner_text())["experiment"] == "extractive__lexical__locomo_mini"
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("Download the line")).click()
    assert json.loads(Path(download.value.path()).read_bytes())["status"] == "completed"
    page.go_back()
    page.wait_for_url("**tab=costs**")


def test_the_shared_history_of_a_transcript_is_shown_on_demand(page: "Page") -> None:
    page.goto("/run/plain__lexical/sample?id=q1&tab=transcript")
    page.get_by_role("link", name="Show it").click()
    page.get_by_text("My sister Nadia moved to Lisbon in March.").first.wait_for()
    assert page.get_by_text("The spare key hangs behind the water butt.").first.is_visible()
    assert "history=1" in page.url


def test_hits_and_misses_of_evidence_are_named(page: "Page") -> None:
    page.goto("/run/plain__lexical/sample?id=q1&tab=recalled")
    gold = page.locator("tr.gold")
    gold.first.wait_for()
    assert "Lisbon" in gold.first.inner_text()
    page.goto("/run/plain__no_memory/sample?id=q1&tab=recalled")
    page.get_by_text("missing").first.wait_for()


def test_the_memory_before_and_after_forgetting_is_shown(page: "Page", played: tuple[Path, Path]) -> None:
    page.goto("/run/extractive__hybrid_retention__retention_policy/samples")
    open_first(page)
    page.keyboard.press("m")
    page.wait_for_url("**tab=memory**")
    assert page.locator("ul.changes li.added").count() > 0


def test_a_stream_has_an_outline_and_links_to_its_steps(page: "Page") -> None:
    page.goto("/run/learner__lexical__ee/samples")
    open_first(page)
    page.keyboard.press("t")
    outline = page.get_by_role("navigation", name="Outline")
    outline.wait_for()
    assert outline.get_by_role("link").count() > 5
    outline.get_by_role("link").nth(3).click()
    page.wait_for_url("**#step-*")


def test_keys_walk_through_the_list_of_the_address(page: "Page") -> None:
    page.goto(f"{LIST}?q=tag.category%3Atemporal&sort=-value")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    first = page.evaluate("document.activeElement.innerText")
    page.keyboard.press("J")
    assert page.evaluate("'failed' in document.activeElement.dataset")
    page.keyboard.press("K")
    page.locator("a[data-row]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/sample?**")
    heading = page.get_by_role("heading", level=1)
    assert heading.inner_text() == first
    page.get_by_text("1 of 35").wait_for()
    page.keyboard.press("j")
    page.get_by_text("2 of 35").wait_for()
    page.keyboard.press("k")
    page.get_by_text("1 of 35").wait_for()
    page.keyboard.press("J")
    page.locator(".sample-head .verdict.fail").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_url("**/samples?**")
    assert asked(page)["sort"] == ["-value"]
    assert asked(page)["q"] == ["tag.category:temporal"]


def test_the_same_question_in_other_runs_is_one_key_away(page: "Page") -> None:
    page.goto("/run/plain__lexical/sample?id=q1")
    others = page.locator("#others tbody tr")
    others.first.wait_for()
    assert others.count() == 6
    others.filter(has_text="no_memory").first.get_by_role("link").first.click()
    page.wait_for_url("**id=q1**")
    assert page.get_by_role("heading", level=1).inner_text() == "Where did Nadia move to?"


def test_a_link_is_copied(context_of: Callable[..., Any]) -> None:
    context = context_of()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{LIST}?q=verdict%3Apass&sort=-value")
    page.locator(".page-head [data-copy]").click()
    page.get_by_role("status").filter(has_text="Link copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
