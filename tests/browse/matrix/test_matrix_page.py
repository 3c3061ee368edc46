"""The matrix: which tables, rows and columns there are, what cells say and lead to, marks, and what is drawn."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from saved_pairs import save
from selectolax.lexbor import LexborHTMLParser as HTMLParser
from selectolax.lexbor import LexborNode as Node

from heams.browse.comparing import Marks, compare_now
from heams.browse.comparing.batches import Job, Outcome, outcome_of_job
from heams.browse.index import Library

HTMX = {"HX-Request": "true"}
N = 24
GOOD, BAD = [1] * 20 + [0] * 4, [0] * 20 + [1] * 4
PRIVATE = {"no_leak": [1] * 12 + [0] * 12, "retained": [1] * N}
LEAKY = {"no_leak": [0] * N, "retained": [1] * N}


def in_this_process(jobs: Sequence[Job], wanted: Any) -> list[Outcome]:
    """What another process does otherwise, which takes a second to start."""
    return [outcome_of_job(compare_now, *job) for job in jobs]


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Library]":
    """Four memory systems and a reference on questions; two of them on a benchmark of privacy."""
    root = tmp_path_factory.mktemp("matrix") / "results"
    for memory, values in (("lexical", GOOD), ("vector", BAD), ("hybrid", GOOD), ("no_memory", [0] * N)):
        save(root, memory, values)
    save(root, "graph", BAD, budget=3)
    save(root, "lexical", GOOD, benchmark="retention_policy", metrics=PRIVATE)
    save(root, "vector", GOOD, benchmark="retention_policy", metrics=LEAKY)
    with Library([root]) as found:
        yield found


@pytest.fixture(scope="module")
def marks() -> Marks:
    """Marks that all tests share, for they are found by testing."""
    return Marks(in_this_process)


@pytest.fixture
def matrix(grid: Library, browser_of: Any, marks: Marks) -> Any:
    """Asks for the matrix once its marks are there."""
    browser = browser_of(grid)
    browser.app.state.marks = marks

    def ask(address: str = "/matrix") -> HTMLParser:
        while "still to be read" in browser.get("/matrix").text:
            pass
        assert browser.app.state.marks.wait(30)
        answer = browser.get(address)
        assert answer.status_code == 200, answer.text
        return HTMLParser(answer.text)

    ask.browser = browser  # type: ignore[attr-defined]
    return ask


def text(node: Node | None) -> str:
    """The text of an element."""
    assert node is not None
    return " ".join(node.text(separator=" ").split())


def rows(page: HTMLParser, title: str) -> dict[str, Node]:
    """The rows of a table by the name in front."""
    table = page.css_first(f"[aria-labelledby=table-{title}] table")
    assert table is not None
    return {text(row.css_first("th bdi")): row for row in table.css("tbody tr:not(.group)")}


def test_references_stand_apart_and_cells_have_mean_interval_and_n(matrix: Any) -> None:
    found = rows(matrix(), "performance")
    assert list(found) == ["no_memory", "graph", "hybrid", "lexical", "vector"]
    assert "lower reference" in text(found["no_memory"].css_first("th"))
    cell = found["lexical"].css_first("td.cell")
    assert text(cell).startswith("0.833 better than d")
    assert "n 24" in text(cell)
    assert cell.css_first("svg.bar").attributes["aria-label"].startswith("0.833, 95 % interval [0.6")
    assert cell.css_first("a.value").attributes["href"] == "/run/extractive__lexical__jsonl_qa"


def test_shading_follows_the_score(matrix: Any) -> None:
    found = rows(matrix(), "performance")
    heat = {name: row.css_first("td.cell").attributes["class"].split()[1] for name, row in found.items()}
    assert heat == {
        "no_memory": "heat-0",
        "graph": "heat-1",
        "hybrid": "heat-8",
        "lexical": "heat-8",
        "vector": "heat-1",
    }


def test_marks_name_who_is_beaten_and_lead_to_the_comparison(matrix: Any) -> None:
    found = rows(matrix(), "performance")
    letters = {name: text(row.css_first(".row-letter")) for name, row in found.items() if name != "no_memory"}
    assert letters == {"graph": "a", "hybrid": "b", "lexical": "c", "vector": "d"}
    beaten = {name: [text(node) for node in row.css(".marks a")] for name, row in found.items()}
    assert beaten == {"no_memory": [], "graph": [], "hybrid": ["d"], "lexical": ["d"], "vector": []}
    mark = found["lexical"].css_first(".marks a")
    assert mark.attributes["href"] == (
        "/compare?a=extractive__vector__jsonl_qa&b=extractive__lexical__jsonl_qa&metric=own%2Ff1"
    )


def test_what_is_unlike_is_marked_and_not_compared(matrix: Any) -> None:
    page = matrix()
    odd = {name: row.css(".odd") for name, row in rows(page, "performance").items()}
    assert [name for name, marks in odd.items() if marks] == ["graph"]
    assert "recall budget" in (odd["graph"][0].attributes["title"] or "")
    assert "3 pairs of experiments are not like with like" in text(page.css_first(".legend"))


def test_privacy_shows_both_axes_and_their_harmonic_mean(matrix: Any) -> None:
    found = rows(matrix(), "privacy")
    cell = found["lexical"].css_first("td.cell")
    assert text(cell.css_first("a.value")) == "0.667"
    assert [text(node) for node in cell.css(".axis .name")] == ["no_leak", "retained"]
    assert text(cell.css_first(".axis .mean")).startswith("0.500")
    assert text(found["vector"].css_first("td.cell a.value")) == "0.000"
    assert [text(node) for node in cell.css(".axis .marks a")] == ["b"], (
        "by what is protected, and not by what is of use"
    )


def test_two_cells_of_a_column_lead_to_their_comparison(matrix: Any) -> None:
    first = rows(matrix(), "performance")["lexical"].css_first(".pick")
    picked = matrix(first.attributes["href"])
    assert "extractive__lexical__jsonl_qa is chosen" in text(picked.css_first(".notice"))
    second = rows(picked, "performance")["vector"].css_first(".pick")
    expected = "/compare?a=extractive__lexical__jsonl_qa&b=extractive__vector__jsonl_qa"
    assert second.attributes["href"] == expected
    assert not rows(picked, "privacy")["vector"].css(".pick"), "another benchmark has nothing in common"


def test_marks_are_never_waited_for_and_come_by_asking_again(grid: Library, browser_of: Any) -> None:
    gate = threading.Event()

    def slow(jobs: Sequence[Job], wanted: Any) -> list[Outcome]:
        gate.wait(30)
        return in_this_process(jobs, wanted)

    browser = browser_of(grid)
    browser.app.state.marks = Marks(slow)
    while "still to be read" in (first := browser.get("/matrix").text):
        pass
    assert "Marks of 2 benchmarks still to come." in first
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in first
    again = HTMLParser(first).css_first("#board").attributes["hx-get"]
    assert browser.get(again, headers=HTMX).status_code == 204, "nothing has changed"
    gate.set()
    assert browser.app.state.marks.wait(30)
    part = browser.get(again, headers=HTMX).text
    assert "<html" not in part
    assert HTMLParser(part).css(".marks a")
    assert "hx-get" not in HTMLParser(part).css_first("#board").attributes


def test_recipes_have_a_table_of_their_own(browser: Any) -> None:
    browser.app.state.marks = Marks(in_this_process)
    while "still to be read" in browser.get("/matrix").text:
        pass
    page = HTMLParser(browser.get("/matrix").text)
    assert [text(node) for node in page.css("h2") if node.id and node.id.startswith("table-")] == [
        "Performance",
        "Privacy",
        "Retrieval",
    ]
    found = rows(page, "recipes")
    assert list(found) == ["words"]
    assert text(page.css_first("[aria-labelledby=table-recipes] thead th.who")) == "Recipe"


def test_charts_are_drawn_once_and_link_to_experiments(matrix: Any) -> None:
    page = matrix()
    frames = [node.attributes["hx-get"] or "" for node in page.css(".trades .chart-frame")]
    assert [one.split("?")[0] for one in frames] == ["/charts/matrix/trade.svg", "/charts/matrix/cost.svg"]
    answer = matrix.browser.get(frames[0])
    assert answer.headers["content-type"] == "image/svg+xml"
    assert 'href="/run/extractive__lexical__retention_policy"' in answer.text
    again = matrix.browser.get(frames[0], headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_without_verdicts_it_says_what_is_needed(tmp_path: Path, browser_of: Any) -> None:
    root = tmp_path / "results"
    name = save(root, "lexical", [1])
    (root / name / "runs.jsonl").write_text("{broken\n", encoding="utf-8")
    (config,) = (root / name).glob("experiment_config.*")
    config.write_text("- no mapping\n", encoding="utf-8")
    with Library([root]) as library:
        page = browser_of(library).get("/matrix").text
    assert "Nothing to show yet" in page
    assert "1 experiment cannot be read" in page


def test_experiments_without_verdicts_have_no_column(tmp_path: Path, browser_of: Any) -> None:
    folder = tmp_path / save(tmp_path, "lexical", GOOD)
    (folder / "runs.jsonl").write_bytes(b"")
    with Library([tmp_path]) as library:
        answer = browser_of(library).get("/matrix")
    assert answer.status_code == 200
    assert "Nothing to show yet" in answer.text
