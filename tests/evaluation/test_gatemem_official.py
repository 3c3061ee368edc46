"""The official rule scorer: every row that the published code gave is given again; where it raised, the error is clear.

``data/gatemem_rules.jsonl`` (CC0): invented inputs with the results of rzhub/GateMem at 603f9f4b, a readme on line 1.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from heams.evaluation.gatemem_official import aggregate, score_one, score_predictions
from heams.evaluation.gatemem_patterns import GateMemInputError, official_hit

_FILE = Path(__file__).parent / "data" / "gatemem_rules.jsonl"
_ROWS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()[1:]]
_NAMED = {
    "U": "utility_accuracy",
    "A": "privacy_leakage_rate",
    "F": "deletion_leakage_rate",
    "OR": "over_refusal_rate",
    "MGS": "compliance_utility_score",
}


def _ours(row: dict[str, Any]) -> Any:
    match row["kind"]:
        case "score_one":
            return score_one(row["checkpoint"], row["output"])
        case "pattern_hits":
            return [_hit(text, row["pattern"]) for text in row["texts"]]
        case "aggregate":
            found = aggregate(row["scores"])
            return {"named": _named(found), "all": found}
        case _:
            scores, summary = score_predictions(
                row["checkpoints"], row["predictions"], gate_by_action=row["gate_by_action"]
            )
            return {"named": _named(summary), "scores": scores, "summary": summary}


def _named(rates: dict[str, Any]) -> dict[str, Any]:
    return {short: rates[name] for short, name in _NAMED.items()}


def _hit(text: Any, pattern: Any) -> Any:
    try:
        return official_hit(text, pattern)
    except GateMemInputError:
        return {"official_raises": "TypeError"}


def _raises(row: dict[str, Any]) -> bool:
    return isinstance(row["official"], dict) and "official_raises" in row["official"]


def test_all_kinds_of_rows_are_compared() -> None:
    counts = Counter(row["kind"] for row in _ROWS)
    assert counts == {"score_one": 344, "pattern_hits": 37, "aggregate": 28, "score_predictions": 25}


def test_every_row_is_scored_as_the_official_code_scores_it() -> None:
    for row in _ROWS:
        if not _raises(row):
            ours, official = _ours(row), row["official"]
            assert ours == official, f"{row['id']} ({row['note']})"


def test_what_the_official_code_cannot_take_is_a_clear_error() -> None:
    raising = [row for row in _ROWS if _raises(row)]
    assert len(raising) == 8
    for row in raising:
        with pytest.raises(GateMemInputError, match="expected"):
            _ours(row)
