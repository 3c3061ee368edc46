"""The transcript: every kind of action, who speaks when, what came of it, long streams, and the shared history."""

import json
import re
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from heams.browse.queries.history_events import EVENTS_A_PAGE, events_of, history_page
from heams.browse.views.sample.steps import STEPS_A_PAGE
from heams.reporting.load import load_results

RETENTION = "/run/retention/sample?id=rp-002&tab=transcript"
_SPACES = re.compile(r"\s+")
_AT = "2026-01-01T09:00:00Z"
ACTIONS: list[dict[str, Any]] = [
    {"type": "user_stimulus", "content": "What is new?", "principal": "Ada", "at": _AT},
    {"type": "turn", "id": "x1", "content": "It rains.", "speaker": "Ben", "role": "assistant"},
    {"type": "document_ingestion", "id": "x2", "content": "All of it.", "title": "A letter", "principal": "Ada"},
    {"type": "session_boundary", "session_id": "evening"},
    {"type": "clock_advance", "to": "2026-02-01T09:00:00Z"},
    {"type": "principal_switch", "principal": "Carla"},
    {"type": "forget_request", "content": "Forget the rain.", "event_ids": ["x1"], "principal": "Ada"},
    {"type": "memory_inspection", "label": "afterwards"},
    {"type": "feedback", "of_step": 0, "kind": "gold"},
    {"type": "of_another_version", "content": "?"},
]


def _words(node: Any) -> str:
    return _SPACES.sub(" ", node.text())


def _step(found: LexborHTMLParser, index: int) -> Any:
    return found.css_first(f"#step-{index}")


def _with_actions(lines: list[dict[str, Any]]) -> None:
    """The first sample plays every kind of action."""
    steps = [{"index": place, "action": action} for place, action in enumerate(ACTIONS)]
    steps[0] |= {
        "at": _AT,
        "reply": "Nothing.",
        "seconds": 1.5,
        "waited": 2.0,
        "usage": {
            "agent": {"calls": 1, "input_tokens": 312, "output_tokens": 20, "cost_usd": 0.1, "saved_cost_usd": 0}
        },
        "tool_calls": [
            {"tool": "look", "arguments": {"where": "here"}, "result": "found it", "outcome": "success"},
            {"tool": "shout", "arguments": "{", "outcome": "not_made"},
            {"text": "Let me think."},
            {"called": "foreign"},
        ],
        "writes": [{"id": "note-1", "content": "Nothing is new."}],
    }
    steps[4]["at"] = "2026-02-01T09:00:00Z"
    steps[6]["receipt"] = {"removed": ["x1"], "note": "Gone."}
    steps[7]["dump"] = [{"id": "x2", "text": "All of it."}]
    steps[9] |= {"status": "unsupported", "note": "no such action"}
    lines[0] |= {"transcript": steps, "records": []}


def test_every_action_has_its_chip_and_says_what_came_of_it(rewritten: Any) -> None:
    found = LexborHTMLParser(rewritten("judged", _with_actions).get("/run/judged/sample?id=q1&tab=transcript").text)
    chips = [article.css_first(".chip").text() for article in found.css("article.step")]
    assert chips == [
        "user stimulus",
        "turn",
        "document",
        "session",
        "clock",
        "principal",
        "forget",
        "inspection",
        "feedback",
        "of another version",
    ]
    asked = _words(_step(found, 0))
    assert "Ada" in asked
    assert "2026-01-01 09:00" in asked
    assert "1.50 s + 2.00 s waiting" in asked
    assert "312 in, 20 out" in asked
    assert _step(found, 0).css_first(".reply .text").text() == "Nothing."
    assert _step(found, 0).css_first(".note .text").text() == "Nothing is new."
    assert "Ben" in _words(_step(found, 1))
    assert "A letter" in _words(_step(found, 2))
    assert "to 2026-02-01 09:00" in _words(_step(found, 4))
    assert "Gone." in _words(_step(found, 6))
    assert "1 item in the memory" in _words(_step(found, 7))
    assert "gold on step 0" in _words(_step(found, 8))
    assert _step(found, 9).css_first(".verdict.unsupported") is not None
    assert "no such action" in _words(_step(found, 9))


def test_tool_calls_show_arguments_results_and_how_they_ended(rewritten: Any) -> None:
    found = LexborHTMLParser(rewritten("judged", _with_actions).get("/run/judged/sample?id=q1&tab=transcript").text)
    calls = [_words(call) for call in found.css("details.call")]
    assert "look" in calls[0]
    assert '"where": "here"' in calls[0]
    assert "found it" in calls[0]
    assert "not_made" in calls[1]
    assert "Let me think." in calls[2]
    assert "foreign" in calls[3]


def test_verdicts_of_a_step_stand_in_the_outline_and_lead_to_their_texts(page: Any) -> None:
    found = page(RETENTION)
    line = next(one for one in found.css(".outline li a") if one.attributes["href"] == "#step-7")
    assert line.css(".marks svg")
    link = _step(found, 7).css_first("a.plain").attributes["href"]
    assert page(link).css_first(".triptych") is not None


def test_every_step_has_a_link_of_its_own_that_opens_the_page_it_is_on(rewritten: Any) -> None:
    def long(lines: list[dict[str, Any]]) -> None:
        turn = {"type": "turn", "id": "t", "content": "Again."}
        lines[0]["transcript"] += [{"index": index, "action": turn} for index in range(1, 2 * STEPS_A_PAGE)]

    asker = rewritten("judged", long)
    first = LexborHTMLParser(asker.get("/run/judged/sample?id=q1&tab=transcript").text)
    assert len(first.css("article.step")) == STEPS_A_PAGE
    assert "1–100 of 200 steps" in _words(first.css_first(".pager"))
    assert len(first.css(".outline li")) == 2
    index = STEPS_A_PAGE + 50
    later = LexborHTMLParser(asker.get(f"/run/judged/sample?id=q1&tab=transcript&at={index}").text)
    assert "at" in _step(later, index).attributes["class"].split()
    copied = _step(later, index).css_first("[data-copy]").attributes["data-copy"]
    assert copied.endswith(f"#step-{index}")
    assert _step(LexborHTMLParser(asker.get(copied.partition("#")[0]).text), index) is not None


def test_the_shared_history_is_shown_on_demand_with_the_evidence_marked(page: Any, browser: Any) -> None:
    closed = page("/run/judged/sample?id=q2&step=0&tab=transcript")
    assert closed.css_first("#history ol") is None
    link = closed.css_first("#history .button").attributes
    assert link["hx-target"] == "#history"
    answer = browser.get(link["hx-get"], headers={"hx-request": "true", "hx-target": "history"})
    assert "<h1" not in answer.text
    for found in (LexborHTMLParser(answer.text), page(link["href"].partition("#")[0])):
        events = [_words(event) for event in found.css("#history li")]
        assert any("rye bread" in words for words in events)
        assert [event.css_first(".mono").text() for event in found.css("#history li.gold")] == ["t2"]


def test_a_history_that_was_not_saved_is_no_error(rewritten: Any) -> None:
    def other(lines: list[dict[str, Any]]) -> None:
        lines[0]["history_id"] = "../../elsewhere"

    answer = rewritten("judged", other).get("/run/judged/sample?id=q1&tab=transcript&history=1")
    assert answer.status_code == 200
    assert "was not saved" in answer.text


def test_a_page_of_a_long_history_reads_only_its_events(browse_results: Path, tmp_path: Path) -> None:
    source = load_results(browse_results / "judged").experiments[0]
    folder = tmp_path / "judged"
    (folder / "histories").mkdir(parents=True)
    for config in source.directory.glob("experiment_config.*"):
        (folder / config.name).write_bytes(config.read_bytes())
    total = 3 * EVENTS_A_PAGE + 7
    lines = [json.dumps({"type": "turn", "id": f'é"{number}', "content": "x"}) for number in range(1, total + 1)]
    lines[5] = "{ damaged"
    (folder / "histories/home.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    results = load_results(folder).experiments[0]
    last = history_page(results, "home", 99)
    assert last is not None
    assert (last.page, last.pages, last.first, last.last, last.total) == (4, 4, total - 6, total, total)
    first = history_page(results, "home", 1)
    assert first is not None
    assert first.events[5].fields == {}
    assert history_page(results, "none", 1) is None


def test_events_are_found_by_id_whatever_is_in_it(browse_results: Path) -> None:
    results = load_results(browse_results / "judged").experiments[0]
    found = events_of(results, "home", ["t3", "not there", 'a"b'])
    assert list(found) == ["t3"]
    assert "rye bread" in found["t3"].fields["content"]
    assert found["t3"].page == 1
    assert events_of(results, "nowhere", ["t3"]) == {}


def test_a_scenario_that_ended_before_its_first_action_says_so(rewritten: Any) -> None:
    def ended(lines: list[dict[str, Any]]) -> None:
        error = {"phase": "open", "type": "OSError", "message": "no room"}
        lines[0] |= {"transcript": [], "records": [], "history_id": None, "status": "error", "error": error}

    asker = rewritten("judged", ended)
    assert "before its first action" in _words(
        LexborHTMLParser(asker.get("/run/judged/sample?id=q1&tab=transcript").text)
    )
    assert "No verdict" in asker.get("/run/judged/sample?id=q1").text
