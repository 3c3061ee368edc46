"""The runs page: its rows and their order, filters, what is live, and what is said where nothing is found."""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from saved_pairs import save
from selectolax.lexbor import LexborHTMLParser as HTMLParser
from selectolax.lexbor import LexborNode as Node

from heams.browse.index import Library

HTMX = {"HX-Request": "true"}


def names(page: str) -> list[str]:
    """The keys of the rows, from top to bottom."""
    return [node.attributes["title"] or "" for node in HTMLParser(page).css("tbody th a[data-row]")]


def cells(page: str, key: str) -> dict[str, str]:
    """The cells of a row by their labels."""
    row = HTMLParser(page).css_first(f"[id='run-{key}']")
    while row is not None and row.tag != "tr":
        row = row.parent
    assert row is not None
    return {cell.attributes["data-label"] or "": _words(cell) for cell in row.css("td[data-label]")}


def _words(node: Node) -> str:
    return " ".join(node.text(separator=" ").split())


@pytest.fixture
def whole(browser: Any) -> Any:
    """The client, once every experiment is read."""
    _read(browser)
    return browser


def test_a_row_tells_score_interval_counts_cost_and_latency(whole: Any) -> None:
    page = whole.get("/").text
    assert len(names(page)) == 8
    found = cells(page, "retention")
    assert found["Score"].startswith("no_leak 0.200 [0.100, 0.359] retained")
    assert (found["n"], found["Cost"], found["Unscored"]) == ("35", "$0", "0")
    assert found["p50"].endswith("ms")
    assert found["Status"].startswith("39 of 39")
    assert cells(page, "failing")["Errors"] == "6 error"
    assert "6 errors" in cells(page, "failing")["Status"]
    assert cells(page, "village__words__full_text_search")["Unscored"] == "1 unscored"


def test_unscored_errors_and_unsupported_lead_to_their_samples(whole: Any) -> None:
    page = HTMLParser(whole.get("/").text)
    links = [node.attributes["href"] or "" for node in page.css("td[data-label=Errors] a")]
    assert links == ["/run/failing/samples?metric=task_qa%2Fcontains&q=verdict%3Aerror"]


def test_benchmarks_come_as_reports_order_them_and_references_around_competitors(whole: Any) -> None:
    page = HTMLParser(whole.get("/").text)
    headings = [_words(node) for node in page.css("tr.group")]
    assert headings == [
        "Performance · Own data Own questions: questions",
        "Performance · Retrieval Own documents: village",
        "Privacy · Forgetting Retention policy",
    ]
    own = [name for name in names(page.html or "") if name.startswith("plain")]
    assert own == ["plain__no_memory", "plain__lexical", "plain__full_context"]
    assert "lower reference" in _words(page.css_first("[id='run-plain__no_memory']").parent or page.body)  # type: ignore[union-attr, arg-type]


def test_rows_are_sorted_filtered_and_flat_by_the_address(whole: Any) -> None:
    best = names(whole.get("/?flat=1&sort=-score").text)
    assert best[0] in {"judged", "plain__lexical", "plain__full_context"}
    assert names(whole.get("/?flat=1&sort=score").text)[-1] in {"judged", "plain__lexical", "plain__full_context"}
    assert names(whole.get("/?q=LEXICAL extractive own").text) == ["judged", "plain__lexical"]
    assert names(whole.get("/?dimension=privacy").text) == ["retention"]
    assert names(whole.get("/?q=upper+reference").text) == ["plain__full_context"]
    sorted_page = HTMLParser(whole.get("/?sort=-score&q=lexical").text)
    assert sorted_page.css_first("th[aria-sort=descending] a").attributes["href"] == "/?q=lexical&sort=score"  # type: ignore[union-attr]


def test_where_nothing_matches_the_way_back_is_shown(whole: Any) -> None:
    page = whole.get("/?q=zebra").text
    assert "No run matches" in page
    assert 'href="/">Show all' in page


def test_a_wrong_order_is_answered_with_the_nearest_one(browser: Any) -> None:
    answer = browser.get("/?sort=-scroe")
    assert answer.status_code == 400
    assert "Use sort=score" in answer.text


def test_intervals_from_few_histories_are_marked(tmp_path: Path, browser_of: Any) -> None:
    runs = tmp_path / save(tmp_path, "lexical", [1, 0, 1, 1, 0, 0]) / "runs.jsonl"
    lines = [json.loads(line) for line in runs.read_text(encoding="utf-8").splitlines()]
    shared = [line | {"history_id": f"h{place % 2}"} for place, line in enumerate(lines)]
    runs.write_text("".join(f"{json.dumps(line)}\n" for line in shared), encoding="utf-8")
    with Library([tmp_path]) as library:
        page = _read(browser_of(library))
    assert cells(page, "extractive__lexical__jsonl_qa")["Score"].endswith("] *")
    assert "* Fewer than 10 histories." in page


def test_nothing_is_polled_once_every_run_has_ended(tmp_path: Path, browse_results: Path, browser_of: Any) -> None:
    results = _copy(browse_results, tmp_path, "plain__lexical")
    _status(results / "plain__lexical", updated_at=_ago(timedelta(hours=1)))
    with Library([results]) as library:
        page = browser_of(library).get("/").text
    assert "hx-get" not in page
    assert 'http-equiv="refresh"' not in page


def test_a_run_under_way_is_followed_and_new_experiments_appear(
    watched: tuple[Path, Any], browse_results: Path
) -> None:
    results, browser = watched
    page = browser.get("/").text
    (board,) = HTMLParser(page).css("#board")
    assert board.attributes["hx-trigger"] == "every 2s"
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    assert "2 of 6" in cells(page, "plain__lexical")["Status"]
    assert "20 s left" in cells(page, "plain__lexical")["Status"]
    assert "1 running, 30 percent finished." in page
    again = browser.get(board.attributes["hx-get"], headers=HTMX)
    assert again.status_code == 204, "nothing has changed, so nothing is exchanged"
    _status(results / "plain__lexical", state="running", finished=3)
    shutil.copytree(browse_results / "retention", results / "retention")
    part = browser.get(board.attributes["hx-get"], headers=HTMX).text
    assert "<html" not in part
    assert names(part) == ["plain__lexical", "retention"]
    assert "3 of 6" in cells(part, "plain__lexical")["Status"]
    assert "1 running, 50 percent finished." in part
    assert "seen=" not in "".join(node.attributes["href"] or "" for node in HTMLParser(part).css("a"))


def test_a_run_that_gives_no_sign_is_not_called_running(tmp_path: Path, browse_results: Path, browser_of: Any) -> None:
    results = _copy(browse_results, tmp_path, "plain__lexical")
    _status(results / "plain__lexical", state="running", finished=2, updated_at=_ago(timedelta(hours=3)))
    with Library([results]) as library:
        browser = browser_of(library)
        pages = [browser.get(path).text for path in ("/", "/run/plain__lexical", "/run/plain__lexical/samples")]
        news = browser.get("/run/plain__lexical/new?shown=1")
    assert "no sign since 3 h ago" in cells(pages[0], "plain__lexical")["Status"]
    assert not any('hx-trigger="every' in page for page in pages), "nothing more is waited for, on no page"
    assert "live-dot" not in pages[1]
    assert news.status_code == 286


def test_pages_notice_that_a_run_gives_no_sign_any_more(
    watched: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, browser = watched
    pages = ("/", "/run/plain__lexical")
    boards = [HTMLParser(browser.get(page).text).css_first("#board").attributes["hx-get"] for page in pages]
    assert [browser.get(board, headers=HTMX).status_code for board in boards] == [204, 204]
    monkeypatch.setattr("heams.browse.index.signs_of_life.SIGN_OF_LIFE", timedelta(0))
    now = [browser.get(board, headers=HTMX) for board in boards]
    assert [answer.status_code for answer in now] == [200, 200]
    assert not any("live-dot" in answer.text for answer in now)


def test_results_that_cannot_be_read_have_a_row_that_says_why(
    tmp_path: Path, browse_results: Path, browser_of: Any
) -> None:
    results = _copy(browse_results, tmp_path, "plain__lexical", "plain__no_memory")
    (config,) = (results / "plain__no_memory").glob("experiment_config.*")
    config.write_text("- no mapping\n", encoding="utf-8")
    with Library([results]) as library:
        page = _read(browser_of(library))
        answer = browser_of(library).get("/run/plain__no_memory")
    assert "found a list at the top of the file" in page
    assert set(names(page)) == {"plain__no_memory", "plain__lexical"}
    assert answer.status_code == 409
    assert "These results cannot be read" in answer.text


@pytest.fixture
def watched(
    tmp_path: Path, browse_results: Path, browser_of: Callable[[Library], Any], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Path, Any]]:
    """Results of which one experiment is under way, and a client of them that looks at every request."""
    monkeypatch.setattr("heams.browse.index.library._SECONDS_BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr("heams.browse.views.run_rows.REST", 0)
    results = _copy(browse_results, tmp_path, "plain__lexical")
    _status(results / "plain__lexical", state="running", finished=2)
    with Library([results]) as library:
        yield results, browser_of(library)


def _read(browser: Any) -> str:
    """The page, once every experiment is read."""
    while "still to be read" in (page := browser.get("/").text):
        continue
    return str(page)


def _copy(source: Path, target: Path, *experiments: str) -> Path:
    for name in experiments:
        shutil.copytree(source / name, target / "results" / name)
    return target / "results"


def _ago(time: timedelta) -> str:
    return (datetime.now(UTC) - time).isoformat()


def _status(experiment: Path, **changes: Any) -> None:
    """Say how far an experiment is: begun ten seconds before its last sign."""
    path = experiment / "run_status.json"
    status = json.loads(path.read_text(encoding="utf-8")) | {"updated_at": _ago(timedelta(0))} | changes
    begun = datetime.fromisoformat(status["updated_at"]) - timedelta(seconds=10)
    path.write_text(json.dumps(status | {"started_at": begun.isoformat()}), encoding="utf-8")


def test_of_several_folders_a_row_names_what_tells_its_own_from_the_others(
    browse_results: Path, tmp_path: Path, browser_of: Callable[[Library], Any]
) -> None:
    shutil.copytree(browse_results / "judged", tmp_path / "again" / "judged")
    with Library([browse_results, tmp_path / "again"]) as library:
        client = browser_of(library)
        _read(client)
        rows = [_words(node) for node in HTMLParser(client.get("/").text).css("tbody th")]
    assert sum(row.endswith(" again") for row in rows) == 1
    assert not any(str(tmp_path) in row for row in rows)
