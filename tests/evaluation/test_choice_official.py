"""The legacy rules agree with PrefEval's own code on every row, and with PersonaMem's on cases worked out by hand.

``data/prefeval_extract.jsonl`` (CC0) holds invented replies and what the official functions made of them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.benchmarks.offered_options import officially_shuffled
from heams.evaluation.choice_official import (
    OfficialFailure,
    personamem_is_right,
    prefeval_json,
    prefeval_prefilled,
    prefeval_tag,
)
from heams.evaluation.preference_errors import Findings, official_findings

_FILE = Path(__file__).parent / "data/prefeval_extract.jsonl"
_ROWS = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()[1:]]
_PATHS: Mapping[str, Callable[[Any], str | None]] = {
    "official_extract_choice": prefeval_tag,
    "official_extract_choice_prefixed": prefeval_prefilled,
    "official_extract_choice_mistral": prefeval_json,
}
_CHECKS = {"acknow": "acknowledge", "violate": "violate", "hallucinate": "hallucinate", "helpful": "helpful"}


def _rows(kind: str) -> list[Any]:
    return [pytest.param(row, id=row["id"][-4:]) for row in _ROWS if row["kind"] == kind]


def test_there_are_all_rows() -> None:
    assert [len(_rows(kind)) for kind in ("choice", "shuffle", "generation_errors")] == [126, 18, 36]


@pytest.mark.parametrize("row", _rows("choice"))
def test_the_letter_is_the_official_one_on_every_path(row: dict[str, Any]) -> None:
    for path, extract in _PATHS.items():
        try:
            found: Any = extract(row["response"])
        except OfficialFailure as failure:
            found = {"official_raises": str(failure)}
        assert found == row[path], path


@pytest.mark.parametrize("row", _rows("shuffle"))
def test_the_order_of_options_is_the_official_one(row: dict[str, Any]) -> None:
    if "official_raises" in row["official"]:
        with pytest.raises(ValueError, match="found no options"):
            officially_shuffled(row["options"], row["seed"])
        return
    offered = officially_shuffled(row["options"], row["seed"])
    assert {"shuffled": list(offered.texts), "correct_index": offered.right} == row["official"]


@pytest.mark.parametrize("row", _rows("generation_errors"))
def test_four_answers_add_up_as_officially(row: dict[str, Any]) -> None:
    """Rows on which the official code fails hold no four answers; ``preference_checks`` never has such."""
    if "official_raises" in row["official"]:
        with pytest.raises((KeyError, AttributeError)):
            [_findings(entry) for entry in row["entries"]]
        return
    found = [_findings(entry) for entry in row["entries"]]
    assert _statistics(found) == row["official"]["stats"]
    assert len(found) == row["official"]["total"]


def _findings(entry: Mapping[str, Any]) -> Findings:
    given_answers = entry["evaluation_error_analysis"]
    return official_findings({_CHECKS[check]: each.get("answer", "") for check, each in given_answers.items()})


def _statistics(found: Sequence[Findings]) -> dict[str, int]:
    return {
        "acknowledgement": sum(one.acknowledged for one in found),
        "hallucination": sum(one.hallucinated for one in found),
        "violation": sum(one.violates for one in found),
        "error_unhelpful": sum(not one.helpful for one in found),
        "error_inconsistent": sum(one.inconsistent for one in found),
        "hallucination_of_preference_violation": sum(one.hallucinated_violation for one in found),
        "preference_unaware_violation": sum(one.unaware_violation for one in found),
        "preference_adherence_accuracy": sum(one.followed for one in found),
    }


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("(c)", True),
        ("c", True),
        ("<final_answer>(c)", True),
        ("I like (a), but <final_answer> (c) </final_answer>", True),
        ("<final_answer>(a)\n<final_answer>c", True),
        ("(a) is out. <final_answer>none", False),
        ("<final_answer> none. Only (c) is left.", True),
        ("(c), not (b)", False),
        ("It is a fine day: c", False),
        ("A ride along the canal", False),
        ("", False),
    ],
)
def test_personamem_takes_the_right_letter_alone(reply: str, right: bool) -> None:
    assert personamem_is_right(reply, "(c)") is right


def test_personamem_takes_an_article_for_an_option() -> None:
    assert personamem_is_right("A ride along the canal", "(a)")


@given(st.text() | st.text("<>/choice ABD&#6;!-[]"))
def test_whatever_the_reply_a_letter_or_none_comes_back(reply: str) -> None:
    for extract in (prefeval_tag, prefeval_prefilled):
        with suppress(OfficialFailure):  # markup that the parser gives up
            assert extract(reply) in (None, "A", "B", "C", "D")
