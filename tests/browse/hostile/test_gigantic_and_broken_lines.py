"""Lines that no run writes: of fifty megabytes, of one word, with half characters, of other types, behind links."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from heams.browse.index import Library

KEY = "plain__lexical"
TABS = ("", "transcript", "recalled", "memory", "costs", "json")
PAGES = (f"/run/{KEY}", f"/run/{KEY}/samples", "/", "/matrix", f"/compare?a={KEY}&b={KEY}", "/judge")
WORD = "x" * 1_000_000
LARGEST_PAGE = 3_000_000


@pytest.fixture
def opened(
    tmp_path: Path, browse_results: Path, browser_of: Callable[[Library], Any]
) -> Iterator[Callable[[Callable[[dict[str, Any]], Any]], Any]]:
    """Opens a copy of an experiment whose first line was changed by a function, which gives a text or a mapping."""
    shutil.copytree(browse_results / KEY, tmp_path / KEY)
    libraries = []

    def build(change: Callable[[dict[str, Any]], Any]) -> Any:
        file = tmp_path / KEY / "runs.jsonl"
        first, *others = file.read_text(encoding="utf-8").splitlines()
        changed = change(json.loads(first))
        line = changed if isinstance(changed, str) else json.dumps(changed)
        file.write_text("\n".join([line, *others, ""]), encoding="utf-8")
        libraries.append(Library([tmp_path]))
        return browser_of(libraries[-1])

    yield build
    for library in libraries:
        library.close()


def readable(browser: Any, sample: str = "q1") -> None:
    """Every page of the experiment is answered, in a size that a browser can show."""
    for path in (*PAGES, *(f"/run/{KEY}/sample?id={sample}&tab={tab}" for tab in TABS)):
        answer = browser.get(path)
        assert answer.status_code in {200, 303, 404, 409}, (path, answer.status_code)
        assert len(answer.content) < LARGEST_PAGE, (path, len(answer.content))
        assert "Traceback" not in answer.text
        assert LexborHTMLParser(answer.text).css_first("h1") is not None or answer.status_code == 303


def test_words_of_a_megabyte_in_every_text_are_cut_and_led_to(opened: Any) -> None:
    def change(row: dict[str, Any]) -> dict[str, Any]:
        row["transcript"][-1]["reply"] = WORD
        row["records"][0] |= {"expected": WORD, "observed": WORD, "reason": WORD}
        return row

    browser = opened(change)
    readable(browser)
    whole = browser.get(f"/run/{KEY}/sample.txt?id=q1&at=/records/0/observed")
    assert whole.text == WORD


@pytest.mark.long
def test_a_line_of_fifty_megabytes_is_read(opened: Any) -> None:
    def change(row: dict[str, Any]) -> dict[str, Any]:
        row["transcript"][-1]["reply"] = "word " * 10_000_000
        return row

    browser = opened(change)
    readable(browser)
    assert len(browser.get(f"/run/{KEY}/sample.json?id=q1").content) > 50_000_000


def test_halves_of_characters_are_no_reason_to_fail(opened: Any) -> None:
    def change(row: dict[str, Any]) -> dict[str, Any]:
        row["transcript"][-1]["reply"] = "before \ud83d after"
        for record in row["records"]:
            record |= {"observed": "\udc00", "reason": "\ud800\ud800"}
        return row

    browser = opened(change)
    readable(browser)
    for kind in ("samples.csv", "samples.jsonl", "samples.md"):
        answer = browser.get(f"/run/{KEY}/{kind}")
        assert answer.status_code == 200
        answer.content.decode("utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "null",
        '{"run_id": 1}',
        "{" * 50_000,
        '{"a":' * 3_000 + "1" + "}" * 3_000,
        '{"run_id": "x", "run_id": "y"}',
        "\x00\x01\x02",
        '"' + "\\u0000" * 1_000 + '"',
        "1e999",
        "<script>alert(1)</script>",
    ],
    ids=["list", "null", "number", "braces", "deep", "twice", "binary", "nulls", "infinity", "script"],
)
def test_a_line_that_is_no_result_is_named_and_the_others_are_shown(opened: Any, line: str) -> None:
    browser = opened(lambda row: line)
    readable(browser, "q2")
    assert browser.get(f"/run/{KEY}/sample?id=q2").status_code == 200


def test_a_saved_line_of_other_types_is_no_reason_to_fail(opened: Any) -> None:
    def change(row: dict[str, Any]) -> dict[str, Any]:
        for record in row["records"]:
            record["audit"] = {"judge": ["no", {"judgements": 3}], "evidence": {"found": "t1"}}
        row["transcript"][-1]["tool_calls"] = [{}, {"name": ["x"], "arguments": "{", "result": {"deep": [None]}}]
        row["transcript"][-1]["action"] = {"type": ["user_stimulus"], "content": 3, "principal": {}, "evidence": 1}
        return row

    readable(opened(change))


def test_links_do_not_lead_out_of_the_results(tmp_path: Path, browse_results: Path, browser_of: Any) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "h.jsonl").write_text('{"type": "turn", "content": "the secret"}\n', encoding="utf-8")
    shutil.copytree(browse_results / KEY, tmp_path / "results" / KEY)
    file = tmp_path / "results" / KEY / "runs.jsonl"
    text = file.read_text(encoding="utf-8")
    for name in ("../../../secret/h", str(secret / "h"), "..\\..\\secret\\h", "home\x00", "."):
        file.write_text(text.replace('"history_id":"home"', f'"history_id":{json.dumps(name)}'), encoding="utf-8")
        with Library([tmp_path / "results"]) as library:
            answer = browser_of(library).get(f"/run/{KEY}/sample?id=q1&tab=transcript&history=1")
        assert answer.status_code in {200, 404, 409}
        assert "the secret" not in answer.text
