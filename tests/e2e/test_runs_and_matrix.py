"""From all runs to one sample, as a user goes: sort, filter, compare, click through; and a run under way."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browse_server import HEAMS, browsing
from browsed_page import Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
ANSWERS_PER_SECOND = 3
QUESTIONS = 40
MOVED = "before => Number(/(\\d+) of 40/.exec(document.body.innerText)?.[1]) > before"
LONG_MS = 90_000


def names(page: "Page") -> list[str]:
    """The rows from top to bottom."""
    return [row.get_attribute("title") or "" for row in page.locator("tbody th a[data-row]").all()]


def read(page: "Page", path: str = "/") -> None:
    """Open the runs, once every experiment is read."""
    page.goto(path)
    page.get_by_text("still to be read").wait_for(state="hidden")


def test_runs_are_sorted_filtered_and_back_leads_to_the_state_before(page: "Page") -> None:
    read(page)
    whole = names(page)
    assert len(whole) == 19
    page.get_by_role("link", name="Flat").click()
    page.get_by_role("columnheader", name=re.compile("^Score")).get_by_role("link").click()
    page.wait_for_url("**sort=-score**")
    best = names(page)
    assert sorted(best) == sorted(whole)
    page.get_by_role("searchbox").fill("lexical own")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=lexical**")
    assert set(names(page)) == {"judged", "plain__lexical", "hostile"}
    page.go_back()
    page.wait_for_url("**sort=-score**")
    assert names(page) == best
    page.get_by_role("link", name="Privacy").click()
    page.wait_for_url("**dimension=privacy**")
    assert all("retention" in name or "transparency" in name for name in names(page))
    page.reload()
    assert all("retention" in name or "transparency" in name for name in names(page))


def test_two_marked_runs_are_compared(page: "Page") -> None:
    read(page)
    page.get_by_role("radio", name="A: extractive__full_context__locomo_mini").check()
    page.get_by_role("radio", name="B: extractive__lexical__locomo_mini").check()
    page.get_by_role("button", name="Compare A with B").click()
    page.wait_for_url("**/compare?**")
    assert sorted(page.url.partition("?")[2].split("&")) == [
        "a=extractive__full_context__locomo_mini",
        "b=extractive__lexical__locomo_mini",
    ]
    assert page.locator("#verdict").inner_text()


def test_from_the_runs_to_one_sample_and_back_by_the_crumbs(page: "Page") -> None:
    read(page, "/?q=plain__lexical")
    page.locator("a[data-row]").first.click()
    page.get_by_role("link", name="place").first.click()
    assert "tag.kind" in page.url
    page.wait_for_url("**/samples?**")
    assert page.locator("a[data-row]").count() == 2
    page.locator("a[data-row]").first.click()
    assert page.get_by_role("heading", level=1).inner_text() == "Where did Nadia move to?"
    page.keyboard.press("Escape")
    page.wait_for_url("**/samples?**")
    page.keyboard.press("Escape")
    page.wait_for_url("**/run/plain__lexical")
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile(r"/$"))


def test_cells_of_the_matrix_lead_to_experiments_and_comparisons(page: "Page") -> None:
    page.goto("/matrix")
    page.get_by_text("still to").wait_for(state="hidden", timeout=60_000)
    cells = page.locator("td.cell a.value")
    assert cells.count() >= 15
    assert page.get_by_role("heading", name="Performance", exact=True).is_visible()
    assert page.get_by_role("heading", name="Privacy", exact=True).is_visible()
    assert page.locator("sup.marks a").count() >= 1, "a memory with rules leaks less, question by question"
    page.locator("sup.marks a").first.click()
    page.wait_for_url("**/compare?**")
    assert page.locator("#verdict").inner_text()
    page.go_back()
    cell = page.locator("td.cell", has=page.locator("a[title='extractive__lexical__locomo_mini']"))
    cell.hover()
    cell.get_by_role("link", name="compare").click()
    page.get_by_text("is chosen").wait_for()
    page.locator("td.cell a.pick", has_text="B").first.click()
    page.wait_for_url("**/compare?a=extractive__lexical__locomo_mini&b=**")
    page.goto("/matrix")
    page.locator("a[title='extractive__lexical__locomo_mini']").click()
    page.wait_for_url("**/run/extractive__lexical__locomo_mini")
    page.goto("/matrix")
    page.locator(".chart-frame svg").first.wait_for()


def test_a_run_under_way_is_seen_to_move(
    tmp_path: Path, chromium: "Browser", played: tuple[Path, Path], screenshots: Path
) -> None:
    results = tmp_path / "results"
    shutil.copytree(played[0] / "plain__lexical", results / "plain__lexical")
    with browsing(results) as address, playing(tmp_path, results):
        watch = Watch(address)
        context = chromium.new_context(base_url=address)
        watch.follow(context)
        page = context.new_page()
        page.goto("/")
        while "slow__first" not in names(page):
            page.reload()
        row = page.locator("tr", has=page.locator("a[title='slow__first']"))
        row.get_by_text("running").wait_for()
        page.screenshot(path=screenshots / "runs_live.png", full_page=True)
        page.wait_for_function(MOVED, arg=_finished(row.inner_text()))
        page.locator("a[title='slow__second']").wait_for(timeout=LONG_MS)
        row.get_by_text("running").wait_for(state="hidden", timeout=LONG_MS)
        page.goto("/run/slow__second/samples")
        page.get_by_role("link", name=re.compile(r"\d+ new: show")).click(timeout=LONG_MS)
        page.locator("a[data-row]").first.wait_for()
        context.close()
    assert not watch.faults


@contextmanager
def playing(folder: Path, results: Path) -> Iterator[None]:
    """A `heams run` of two experiments that take a while each; it is over when the block is left."""
    rows = [{"id": f"q{n}", "question": f"What is in box {n}?", "answer": f"thing {n}"} for n in range(QUESTIONS)]
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    run = {"run_name": "slow", "experiments": [_slow(name, folder) for name in ("first", "second")]}
    (folder / "run.yaml").write_text(json.dumps(run), encoding="utf-8")
    command = [*HEAMS, "run", "--config", "run.yaml", "--output-dir", str(results), "--plain", "--max-concurrency", "1"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def _slow(name: str, folder: Path) -> dict[str, Any]:
    return {
        "name": f"slow__{name}",
        "agent_config": {"type": "scripted", "default": "thing 3", "latency_s": 1 / ANSWERS_PER_SECOND},
        "memory_system_config": {"type": "no_memory"},
        "benchmark_config": {
            "type": "jsonl_qa",
            "data_file": str(folder / "questions.jsonl"),
            "question_prompt": "{question}",
            "evaluators": [{"type": "task_qa", "match_mode": "contains"}],
        },
    }


def _finished(text: str) -> int:
    found = re.search(r"(\d+) of 40", text)
    assert found, text
    return int(found[1])
