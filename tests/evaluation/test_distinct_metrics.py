"""No metric of a benchmark is given twice, so that n counts questions."""

from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.jsonl_qa import JsonlQABenchmarkConfig
from heams.benchmarks.locomo import LocomoBenchmarkConfig
from heams.evaluation.evidence_recall import EvidenceRecallEvaluatorConfig
from heta_framework.common.config import ConfigError, YamlDocument, validate

TASK = {"type": "task_qa", "match_mode": "contains"}
RECALL = {"type": "evidence_recall"}
OFFICIAL = {"type": "locomo_qa"}
PROMPTS = {
    "question": "{question}",
    "date_hint": "Hint.",
    "adversarial": "{question} {a} {b}",
    "abstention": "not mentioned",
}


def _validated(config: type[Any], evaluators: list[Any]) -> None:
    if config is LocomoBenchmarkConfig:
        data = {"type": "locomo", "data_file": "x.json", "prompts": PROMPTS, "evaluators": evaluators}
    else:
        data = {"type": "jsonl_qa", "data_file": "x", "question_prompt": "{question}", "evaluators": evaluators}
    validate(YamlDocument(Path("b.yaml"), data, data), config)


@pytest.mark.parametrize(
    ("config", "evaluators", "told"),
    [
        (
            JsonlQABenchmarkConfig,
            [TASK, RECALL, TASK],
            "evaluators 1 and 3 of the list both give the metric 'contains'",
        ),
        (JsonlQABenchmarkConfig, [TASK, TASK | {"pass_threshold": 0.5}], "'contains' of 'task_qa'; keep one of them"),
        (JsonlQABenchmarkConfig, [TASK, RECALL, RECALL | {"k": [5]}], "evaluators 2 and 3 of the list both give"),
        (LocomoBenchmarkConfig, [OFFICIAL, OFFICIAL | {"wider_refusals": True}], "the metric 'f1' of 'locomo_qa'"),
    ],
)
def test_two_evaluators_of_one_metric_are_refused(config: type[Any], evaluators: list[Any], told: str) -> None:
    with pytest.raises(ConfigError, match=f"evaluators: .*{told}"):
        _validated(config, evaluators)


def test_different_metrics_stand_together() -> None:
    exact = TASK | {"match_mode": "exact"}
    _validated(JsonlQABenchmarkConfig, [TASK, exact, RECALL | {"k": [1, 10]}])
    _validated(LocomoBenchmarkConfig, [OFFICIAL, RECALL, TASK])


@pytest.mark.parametrize("k", [[0], [-1], [10_001], [5, 5], [True], [], [1.5]])
def test_cut_offs_are_different_counts(k: list[Any]) -> None:
    with pytest.raises(ConfigError, match=r"evaluators\.0\.k"):
        _validated(JsonlQABenchmarkConfig, [RECALL | {"k": k}])


def test_a_bad_entry_is_the_only_thing_told() -> None:
    with pytest.raises(ConfigError) as caught:
        _validated(JsonlQABenchmarkConfig, [{"type": "task_qa", "match_mode": "contain"}])
    assert [problem.field for problem in caught.value.problems] == ["evaluators.0.match_mode"]
    with pytest.raises(ConfigError, match=r"evaluators: found a list .*at least 1 item"):
        _validated(JsonlQABenchmarkConfig, [])


def test_metrics_are_those_that_records_have() -> None:
    assert EvidenceRecallEvaluatorConfig(k=(1, 5)).metrics == ("recall@1", "recall@5", "mrr")
