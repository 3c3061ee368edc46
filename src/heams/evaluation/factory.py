"""All evaluator configurations as one union, and the evaluator that belongs to each."""

from typing import Annotated, Any, cast

from pydantic import Field

from heams.evaluation.base import BaseEvaluator, registered_evaluators
from heams.evaluation.evidence_recall import EvidenceRecallEvaluator, EvidenceRecallEvaluatorConfig
from heams.evaluation.leak import LeakEvaluator, LeakEvaluatorConfig
from heams.evaluation.llm_judge import LLMJudgeEvaluator
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.locomo_qa import LocomoQAEvaluator, LocomoQAEvaluatorConfig
from heams.evaluation.retention import RetentionEvaluator, RetentionEvaluatorConfig
from heams.evaluation.task_qa import TaskQAEvaluator, TaskQAEvaluatorConfig
from heams.plugins import component_plugins

EvaluatorConfig = Annotated[
    TaskQAEvaluatorConfig
    | LocomoQAEvaluatorConfig
    | EvidenceRecallEvaluatorConfig
    | LLMJudgeEvaluatorConfig
    | LeakEvaluatorConfig
    | RetentionEvaluatorConfig,
    Field(discriminator="type"),
]


def create_evaluator(config: Any) -> BaseEvaluator:
    """The evaluator registered under ``config.type``.

    Raises:
        ValueError: no evaluator class is registered under that type (its module was not imported, or the package that
            brings it is not installed).
    """
    classes = registered_evaluators()
    if config.type in classes:
        return classes[config.type](config)
    plugins = component_plugins("heams.evaluators")
    if config.type in plugins:
        return cast("BaseEvaluator", plugins[config.type].create(config))
    known = ", ".join(sorted({*classes, *plugins}))
    raise ValueError(f"no evaluator is registered for type {config.type!r}; known types: {known}")


__all__ = [
    "EvaluatorConfig",
    "EvidenceRecallEvaluator",
    "EvidenceRecallEvaluatorConfig",
    "LLMJudgeEvaluator",
    "LLMJudgeEvaluatorConfig",
    "LeakEvaluator",
    "LeakEvaluatorConfig",
    "LocomoQAEvaluator",
    "LocomoQAEvaluatorConfig",
    "RetentionEvaluator",
    "RetentionEvaluatorConfig",
    "TaskQAEvaluator",
    "TaskQAEvaluatorConfig",
    "create_evaluator",
]
