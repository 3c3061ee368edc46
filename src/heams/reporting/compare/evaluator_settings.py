"""What decides the verdicts of one metric: the settings of its evaluator, and of a judge its models and policies."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from heams.reporting.compare.metric_choice import MetricKey
from heams.reporting.compare.side import Side
from heams.reporting.metrics import LLM_JUDGE
from heams.reporting.saved import entries

_FACTS = ("models", "policy_hashes", "votes_per_model")
_JUDGES = """
    SELECT DISTINCT {facts} FROM records
    WHERE evaluator = $evaluator AND metric = $metric AND judge IS NOT NULL ORDER BY ALL
""".replace("{facts}", ", ".join(f"judge ->> '$.{fact}'" for fact in _FACTS))


def evaluator_settings(side: Side, key: MetricKey) -> dict[str, str]:
    """The settings of the evaluators that give a metric, by type and name.

    Some evaluators give records under other names than their own: then all count that are no judge.
    """
    saved = entries(side.config, "benchmark_config", "evaluators")
    own = [entry for entry in saved if entry.get("type") == key.evaluator]
    others = [entry for entry in saved if entry.get("type") != LLM_JUDGE]
    if key.evaluator == LLM_JUDGE:
        return _flat([identity for entry in own if (identity := _judge(entry, key.metric)) is not None])
    return _flat(own or others)


def judge_facts(side: Side, key: MetricKey) -> dict[str, str]:
    """What the records of a metric say about the judge that gave them; nothing where there was none."""
    rows = side.tables.rows(_JUDGES, key._asdict())
    columns = zip(_FACTS, zip(*rows, strict=True), strict=True) if rows else ()
    return {fact: "; ".join(dict.fromkeys(str(value) for value in values)) for fact, values in columns}


def _judge(entry: Mapping[str, Any], metric: str) -> Mapping[str, Any] | None:
    """Everything that decides a judge's verdicts; None where it gives another metric."""
    from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig

    try:
        config = LLMJudgeEvaluatorConfig.model_validate(entry)
    except ValidationError:
        return entry  # saved by a version with other settings: taken as it stands
    return {"type": LLM_JUDGE, **config.identity} if metric in config.metrics else None


def _flat(found: list[Mapping[str, Any]]) -> dict[str, str]:
    return {
        f"{entry.get('type')}: {name}": json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
        for entry in found
        for name, value in entry.items()
        if name != "type"
    }
