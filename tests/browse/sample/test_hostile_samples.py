"""Whatever a model or a data set wrote, every part of the page shows it as text."""

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

EVIL = "<script>alert(1)</script>\x1b[31mred \u202eevil\u2066 </textarea></pre><img src=x onerror=alert(2)>\x00\"'>"
TABS = ("verdict", "transcript", "recalled", "memory", "costs", "json")
HTML = {"html", "head", "body", "main", "script", "img", "iframe", "textarea"}


def _poison(lines: list[dict[str, Any]]) -> None:
    line = next(line for line in lines if line["sample_id"] == "q2")
    step = line["transcript"][0]
    change = {"added": [{"id": EVIL, "text": "evil", "event_ids": [EVIL]}], "reason": None, "items_before": 0}
    step |= {
        "reply": EVIL * 10_000,
        "note": EVIL,
        "principal": EVIL,
        "reply_metadata": {EVIL: EVIL},
        "tool_calls": [{"tool": EVIL, "arguments": {EVIL: EVIL}, "result": EVIL, "outcome": EVIL}],
        "writes": [{"id": EVIL, "content": EVIL}],
        "receipt": {"removed": [EVIL], "note": EVIL},
        "dump": [{"id": EVIL, "text": EVIL, "event_ids": [EVIL], "speaker": EVIL}],
        "memory_change": change,
    }
    step["action"] |= {"content": EVIL, "principal": EVIL}
    step["action"]["step_evaluation_markers"]["evidence"] = [EVIL]
    step["recalls"] = [{"query": EVIL, "ids": [EVIL], "scores": [1.0], "tokens": [1], "texts": ["evil"]}]
    second = {"index": 1, "action": {"type": EVIL, "content": EVIL}, "status": "error"}
    line["transcript"].append(second)
    line["error"] = {"phase": EVIL, "type": EVIL, "message": EVIL}
    line["sample_name"], line["tags"] = EVIL, {EVIL: EVIL}
    for record in line["records"]:
        record |= {"expected": EVIL, "observed": EVIL * 5_000, "reason": EVIL, "tags": {EVIL: EVIL}}
        record["audit"]["more"] = EVIL
    judge = line["records"][-1]["audit"]["judge"]
    judge |= {
        "models": [EVIL],
        "policy": EVIL,
        "calibration": EVIL,
        "policy_hashes": {EVIL: EVIL},
        "versions": {EVIL: 1},
    }
    vote = {"model": EVIL, "number": 0, "readable": False, "raw": [EVIL * 1_000], "failures": [EVIL], "reason": EVIL}
    judge["judgements"] = [{"item": EVIL, "asked": [{"label": EVIL, "problem": EVIL, "votes": [vote]}]}]


@pytest.fixture
def poisoned(rewritten: Any) -> Any:
    return rewritten("judged", _poison, texts={"evil": EVIL * 100})


def test_no_text_becomes_markup_or_stays_invisible(poisoned: Any) -> None:
    for tab in TABS:
        answer = poisoned.get(f"/run/judged/sample?id=q2&tab={tab}&verdict=6&history=1&d=off")
        assert answer.status_code == 200, tab
        _check(answer.text)
        if tab != "json":
            assert len(answer.content) < 400_000, tab
    _check(poisoned.get("/run/judged/sample?id=q2&verdict=1").text)
    for part in ("others", "history"):
        fragment = poisoned.get(
            "/run/judged/sample?id=q2&tab=transcript&history=1", headers={"hx-request": "true", "hx-target": part}
        )
        _check(fragment.text)


def test_what_an_address_says_is_escaped_too(poisoned: Any) -> None:
    for name in ("id", "metric", "q", "sort", "tab", "at", "size"):
        _check(poisoned.get("/run/judged/sample", params={"id": "q2", name: EVIL}).text)


def _check(text: str) -> None:
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x00" not in text
    found = LexborHTMLParser(text)
    assert not found.css("img, iframe")
    assert all(script.attributes.get("src", "").startswith("/static/") for script in found.css("script"))
    for element in found.css("*"):
        assert not [name for name in element.attributes if name.startswith(("on", "style"))], element.html
