"""The legacy rules against the published code of MemoryAgentBench (455306dc), row by row, over invented texts."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from heams.evaluation.memoryagentbench_movies import (
    Films,
    film_title,
    official_recommended,
    recommendation_list,
)
from heams.evaluation.memoryagentbench_official import (
    OfficialFailure,
    exact_match,
    f1,
    metrics,
    normalised,
    official_metrics_of,
    official_scores,
    parsed,
    read_text,
    substring_match,
)

_FILE = Path(__file__).parent / "data" / "memoryagentbench_metrics.jsonl"
_ROWS: list[dict[str, Any]] = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()[1:]]
_VARYING = {"memoryagentbench_metrics-0285", "memoryagentbench_metrics-0286", "memoryagentbench_metrics-0287"}


def _tried(score: Callable[[], Any]) -> Any:
    try:
        return score()
    except OfficialFailure:
        return "failed"


def _pair(row: Mapping[str, Any]) -> Any:
    reply, gold = row["prediction"], row["gold"]

    def triple() -> list[float]:
        found = f1(reply, gold)
        return [found.f1, found.precision, found.recall]

    return {
        "exact_match": _tried(lambda: exact_match(reply, gold)),
        "substring_exact_match": _tried(lambda: substring_match(reply, gold)),
        "f1_precision_recall": _tried(triple),
    }


def _post_process(row: Mapping[str, Any]) -> Any:
    source, reply = row["sub_dataset"], row.get("output")
    scores = official_scores(reply, row["answer"], source)
    assert set(scores) == set(official_metrics_of(source))
    return {"metrics": scores, "parsed_output": read_text(str(reply), source)}


def _recommended(row: Mapping[str, Any]) -> Any:
    found = official_recommended(row["output"], row["answer"], Films(row["entity2id"]))
    recall = {f"recsys_recall@{k}": value for k, value in found.recall.items()}
    return {"metrics": recall, "parsed_output": list(found.titles), "gt_movies": list(found.liked)}


_KINDS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "normalize": lambda row: normalised(row["text"]),
    "pair": _pair,
    "parse_output": lambda row: parsed(row["text"], row.get("prefix", "Answer:")),
    "calculate_metrics": lambda row: metrics(row["prediction"], row["gold"]),
    "post_process": _post_process,
    "recsys": _recommended,
    "recommendation_list": lambda row: list(recommendation_list(row["text"])),
    "movie_name": lambda row: film_title(row["text"]),
}


def _wanted(value: Any) -> Any:
    """What the row says, with a word in place of each exception."""
    if not isinstance(value, dict):
        return value
    return "failed" if "official_raises" in value else {name: _wanted(part) for name, part in value.items()}


@pytest.mark.parametrize("kind", _KINDS)
def test_every_row_is_scored_as_the_official_code_scores_it(kind: str) -> None:
    rows = [row for row in _ROWS if row["kind"] == kind and row["id"] not in _VARYING]
    assert rows
    found = {row["id"]: _tried(partial(_KINDS[kind], row)) for row in rows}
    assert found == {row["id"]: _wanted(row["official"]) for row in rows}


def test_all_rows_belong_to_a_kind_that_is_tested() -> None:
    assert len(_ROWS) == 312
    assert {row["kind"] for row in _ROWS} == set(_KINDS)


def test_where_the_official_result_varies_ours_is_one_of_them_and_stays() -> None:
    varying = [row for row in _ROWS if "official_varies_with_hash_seed" in row]
    assert {row["id"] for row in varying} == _VARYING
    for row in varying:
        assert _recommended(row) in row["official_varies_with_hash_seed"]
    first = {row["id"]: _recommended(row)["parsed_output"] for row in varying}
    assert list(first.values()) == [["Amber Lantern"], ["Glass Harbor", "Up"], ["Up"]]


def test_a_failure_says_over_what() -> None:
    with pytest.raises(OfficialFailure, match="no gold answer"):
        metrics("blue", [])
    with pytest.raises(OfficialFailure, match="the reply is None"):
        metrics(None, ["blue"])
    with pytest.raises(OfficialFailure, match="no film with the number '99'"):
        official_recommended("1. Up", ["99"], Films({"Up": 0}))
