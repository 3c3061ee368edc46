"""The aggregation is the official one: all 133 cases that the script of the benchmark's authors scored."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.contextual_integrity.aggregation import aggregate
from heams.benchmarks.contextual_integrity.official_results import OfficialResults, read_official_results
from heta_framework.common.data_files.errors import DatasetFormatError

_LINES = (Path(__file__).parent / "data/cimemories_aggregate.jsonl").read_bytes().splitlines()
_CASES = [json.loads(line) for line in _LINES][1:]
_SCORED = [case for case in _CASES if "official_raises" not in case["official"]]
_RAISED = {case["note"]: case for case in _CASES if "official_raises" in case["official"]}
_NOTHING_TO_SCORE = {"AttributeError"}
"""What the script raises where no row is left, and where a name or a task is null."""


def _read(case: dict[str, Any], folder: Path) -> OfficialResults:
    path = folder / "results.jsonl"
    lines = (f"{json.dumps(profile)}\n" for profile in case["profiles"])
    path.write_text(case.get("file_text") or "".join(lines), encoding="utf-8")
    return read_official_results(path)


def _records(results: OfficialResults) -> Iterator[list[Any]]:
    for one in results.verdicts:
        revealed = "NaN" if one.revealed is None else one.revealed
        yield [one.user, one.task, one.trial[-1], one.attribute, one.label, revealed]


def test_every_case_that_the_script_scores_is_scored_alike(tmp_path: Path) -> None:
    assert len(_CASES) == 133
    for case in _SCORED:
        results, official = _read(case, tmp_path), case["official"]
        scores = aggregate(results.verdicts)
        assert scores.violation_by_user == official["violation_per_user"], case["note"]
        assert scores.coverage_by_user == official["coverage_per_user"], case["note"]
        assert (scores.violation, scores.coverage) == (official["violation_mean"], official["coverage_mean"])
        expected = [[row[0], row[1], *row[3:]] for row in official["records"]]
        assert list(_records(results)) == expected, case["note"]


def test_the_same_contexts_are_dropped(tmp_path: Path) -> None:
    for case in _SCORED:
        dropped = [
            {"task": one.task, "recipient": one.recipient, "profile_index": one.profile, "missing": one.missing}
            for one in _read(case, tmp_path).dropped
        ]
        assert dropped == case["official"]["dropped_contexts"], case["note"]


@pytest.mark.parametrize("note", _RAISED)
def test_where_the_script_stops_there_is_nothing_to_score_or_an_error_that_says_what_is_wrong(
    note: str, tmp_path: Path
) -> None:
    case = _RAISED[note]
    if note == "blank line at the end of the file":  # a blank line is no profile
        assert aggregate(_read(case, tmp_path).verdicts).violation == 0.5
    elif case["official"]["official_raises"] in _NOTHING_TO_SCORE and "null" not in note:
        scores = aggregate(_read(case, tmp_path).verdicts)
        assert (scores.violation, scores.coverage, scores.ci_f) == (None, None, None)
    else:
        with pytest.raises(DatasetFormatError, match=r"results\.jsonl:1: .+"):
            _read(case, tmp_path)
