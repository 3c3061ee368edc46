"""Two experiments side by side, and a judge against people, driven as a user does."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PLAIN = "/compare?a=plain__no_memory&b=plain__lexical"
LOCOMO = "/compare?a=extractive__full_context__locomo_mini&b=extractive__lexical__locomo_mini"
JUDGE = "/judge?run=judged"
HUMAN_LABELS = "human_labels.jsonl"


def pairs(page: "Page") -> int:
    """How many pairs are listed on this page."""
    return page.locator("table.pairs tbody tr").count()


def test_a_and_b_are_picked_and_swapped(page: "Page") -> None:
    page.goto("/compare")
    page.get_by_text("Choose two experiments").wait_for()
    page.locator("select[name=a]").select_option("plain__no_memory")
    page.wait_for_url("**a=plain__no_memory**")
    page.locator("select[name=b]").select_option("plain__lexical")
    page.locator("#verdict").wait_for()
    assert "B is" in page.locator("#verdict").inner_text()
    before = page.locator(".result dd").first.inner_text()
    page.keyboard.press("x")
    page.wait_for_url("**a=plain__lexical&b=plain__no_memory**")
    page.locator("#verdict").wait_for()
    after = page.locator(".result dd").first.inner_text()
    assert before.lstrip("+−-") == after.lstrip("+−-")
    assert before != after
    page.go_back()
    page.locator("#verdict").wait_for()
    assert page.locator(".result dd").first.inner_text() == before


def test_the_cells_of_the_two_by_two_lead_to_their_pairs(page: "Page") -> None:
    page.goto(PLAIN)
    for words in ("both right", "A only", "B only", "both wrong"):
        cell = page.locator("table.quarters a", has_text=words)
        number = int(cell.locator("b").inner_text())
        cell.click()
        page.wait_for_url("**cell=**")
        if number:
            page.locator("table.pairs").wait_for()
            assert pairs(page) == number
        else:
            page.get_by_text("No pair is like that").wait_for()
        page.goto(PLAIN)


def test_only_pairs_that_differ_are_left_and_both_answers_stand_side_by_side(page: "Page") -> None:
    page.goto(PLAIN)
    assert pairs(page) == 6
    page.keyboard.press("d")
    page.wait_for_url("**only=different**")
    page.locator("table.pairs").wait_for()
    assert pairs(page) == 5
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**id=q**")
    assert page.get_by_text("Not mentioned").first.is_visible()
    page.go_back()
    page.wait_for_url("**only=different**")


def test_groups_by_tag_have_intervals_and_lead_to_their_pairs(page: "Page") -> None:
    page.goto(f"{LOCOMO}&by=category")
    table = page.get_by_role("table").filter(has_text="temporal").first
    assert {"multi_hop", "open_domain", "single_hop", "temporal"} <= set(re.findall(r"\w+", table.inner_text()))
    table.get_by_role("link", name="temporal").click()
    page.wait_for_url("**group=temporal**")
    page.get_by_text("of 35 pairs").wait_for()


def test_metrics_are_switched_and_the_scatter_is_drawn(page: "Page") -> None:
    page.goto(LOCOMO)
    page.locator(".scatter svg").wait_for()
    page.locator("select[name=metric]").select_option("evidence_recall/recall@10")
    page.wait_for_url("**metric=evidence_recall**")
    page.locator("#verdict").wait_for()


def test_what_is_not_alike_is_refused_by_name_until_it_is_allowed(page: "Page", watch: Any) -> None:
    watch.expected |= {400, 409}
    page.goto("/compare?a=plain__lexical&b=extractive__lexical__locomo_mini")
    page.get_by_text("These cannot be compared").wait_for()
    assert "nothing in common" in page.locator("main").inner_text()
    page.goto("/compare?a=retention&b=extractive__hybrid_retention__retention_policy")
    refused = page.locator(".refused")
    refused.wait_for()
    assert "prompt" in refused.inner_text()
    page.get_by_role("link", name=re.compile("^Allow")).first.click()
    page.locator("details.allowed").wait_for()
    assert "allow=" in page.url
    assert page.locator("#verdict").inner_text()
    page.reload()
    page.locator("details.allowed").wait_for()


def test_labels_change_kappa_and_are_cleared_again(page: "Page", played: tuple[Path, Path], screenshots: Path) -> None:
    page.goto(JUDGE)
    assert page.get_by_text("Nobody has labelled an answer yet").is_visible()
    page.get_by_role("link", name=re.compile("Label 20")).first.click()
    page.wait_for_url("**/labels?**")
    labelled = page.locator("button[aria-pressed=true]")
    for number, key in enumerate("pffpf", start=1):  # the first one is meant where none has focus
        page.keyboard.press(key)  # which goes on to the next one
        page.wait_for_function("n => document.querySelectorAll('button[aria-pressed=true]').length === n", arg=number)
    assert labelled.count() == 5
    page.screenshot(path=screenshots / "labels_given.png", full_page=True)
    page.goto(JUDGE)
    page.locator("dt", has_text="Labelled by people").locator("xpath=following-sibling::dd").get_by_text("5").wait_for()
    kappa = page.locator("dt", has_text="Kappa with people").locator("xpath=following-sibling::dd").first.inner_text()
    assert re.match(r"-?\d\.\d+", kappa.strip())
    page.screenshot(path=screenshots / "judge_labelled.png", full_page=True)
    page.locator("main table td a").first.click()
    page.go_back()
    saved = (played[0] / "judged" / HUMAN_LABELS).read_text(encoding="utf-8")
    assert len(saved.splitlines()) == 5
    page.goto("/run/judged/labels?metric=llm_judge%2Fjudge_lenient&seed=1")
    page.goto("/run/judged/sample?id=q1&metric=llm_judge%2Fjudge_lenient")
    page.keyboard.press("x")
    page.locator(".label-form button[aria-pressed=true]").wait_for(state="detached")
    page.goto(JUDGE)
    page.locator("dt", has_text="Labelled by people").locator("xpath=following-sibling::dd").get_by_text("4").wait_for()


def test_a_label_with_a_note_is_saved_without_javascript(context_of: Callable[..., Any]) -> None:
    page = context_of(java_script_enabled=False).new_page()
    page.goto("/run/judged/sample?id=q2&metric=llm_judge%2Fjudge_lenient")
    page.locator("summary", has_text="Note").click()
    page.get_by_role("textbox", name="Note").fill("<b>the butt</b> is right \u202e")
    page.get_by_role("button", name="Pass").click()
    assert page.get_by_role("button", name="Pass").get_attribute("aria-pressed") == "true"
    assert page.get_by_role("textbox", name="Note").input_value() == "<b>the butt</b> is right \u202e"
    page.get_by_role("button", name="Clear").click()
    assert page.get_by_role("button", name="Pass").get_attribute("aria-pressed") == "false"


def test_unreadable_replies_of_a_judge_are_shown_as_they_came(page: "Page") -> None:
    page.goto(JUDGE)
    unreadable = page.get_by_role("table", name=re.compile("nreadable"))
    assert "well, well" in unreadable.inner_text()
    unreadable.get_by_role("link").first.click()
    page.wait_for_url("**/sample?**")
    assert page.get_by_role("heading", level=1).inner_text() == "What is baked on Fridays?"


def test_a_cell_of_a_confusion_matrix_leads_to_its_samples(page: "Page") -> None:
    page.goto(JUDGE)
    cell = page.locator("main table td a", has_text="4").first
    cell.click()
    page.wait_for_url(re.compile("judge|samples"))
    assert page.get_by_role("heading", level=1).count() == 1
