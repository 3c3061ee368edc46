"""The legacy rule equals Dynamic Cheatsheet row by row; the corrected rule differs where the official one is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from heams.evaluation.aime_integers import whole_integer
from heams.evaluation.aime_official import official_answer, official_equal, official_is_right
from heams.evaluation.aime_reading import extract_answer

_FILE = Path(__file__).parent / "data" / "aime_dynamic_cheatsheet.jsonl"
_ROWS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()][1:]
_READ = [row for row in _ROWS if row["kind"] == "extract_and_score"]
_EQUALITY = [row for row in _ROWS if row["kind"] == "equality_only"]
_JUDGED = [row for row in _READ if row.get("sane_correct") is not None]


def _given(act: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return act(*arguments)
    except (TypeError, AttributeError) as cause:
        return {"official_raises": type(cause).__name__}


def test_all_rows_are_looked_at() -> None:
    assert len(_ROWS) == 121 == len(_READ) + len(_EQUALITY)
    assert len(_JUDGED) >= 90


def test_the_legacy_rule_reads_as_the_official_code_does() -> None:
    found = {row["id"]: _given(official_answer, row["response"]) for row in _READ}
    assert found == {row["id"]: row["official_extracted"] for row in _READ}


def test_the_legacy_rule_judges_as_the_official_code_does() -> None:
    read = {row["id"]: _given(official_is_right, row["response"], row["target"]) for row in _READ}
    compared = {row["id"]: _given(official_equal, row["output"], row["target"]) for row in _EQUALITY}
    assert read | compared == {row["id"]: row["official_correct"] for row in _ROWS}


def test_the_corrected_rule_says_what_is_right() -> None:
    assert {row["id"]: _is_right(row["response"], row["target"]) for row in _JUDGED} == {
        row["id"]: row["sane_correct"] for row in _JUDGED
    }


def _is_right(response: str, target: str) -> bool:
    expected = whole_integer(target)
    return expected is not None and extract_answer(response).answer == expected
