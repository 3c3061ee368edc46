"""All evaluator configurations as one union, and the evaluator that belongs to each."""

from typing import Annotated, Any, cast

from pydantic import Field

from heams.evaluation.aime import AimeEvaluator, AimeEvaluatorConfig
from heams.evaluation.base import BaseEvaluator, registered_evaluators
from heams.evaluation.disclosure import DisclosureEvaluator, DisclosureEvaluatorConfig
from heams.evaluation.evidence_recall import EvidenceRecallEvaluator, EvidenceRecallEvaluatorConfig
from heams.evaluation.gatemem_rules import GateMemEvaluator, GateMemEvaluatorConfig
from heams.evaluation.leak import LeakEvaluator, LeakEvaluatorConfig
from heams.evaluation.llm_judge import LLMJudgeEvaluator
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.locomo_qa import LocomoQAEvaluator, LocomoQAEvaluatorConfig
from heams.evaluation.longmemeval import LongMemEvalEvaluator, LongMemEvalEvaluatorConfig
from heams.evaluation.memoryagentbench_qa import MemoryAgentBenchEvaluator, MemoryAgentBenchEvaluatorConfig
from heams.evaluation.multiple_choice import MultipleChoiceEvaluator, MultipleChoiceEvaluatorConfig
from heams.evaluation.nugget import NuggetEvaluator, NuggetEvaluatorConfig
from heams.evaluation.poisoning import PoisoningEvaluator, PoisoningEvaluatorConfig
from heams.evaluation.preference_checks import PreferenceChecksEvaluator, PreferenceChecksEvaluatorConfig
from heams.evaluation.retention import RetentionEvaluator, RetentionEvaluatorConfig
from heams.evaluation.revealed import RevealedEvaluator, RevealedEvaluatorConfig
from heams.evaluation.session_recall import SessionRecallEvaluator, SessionRecallEvaluatorConfig
from heams.evaluation.stale import StaleEvaluator, StaleEvaluatorConfig
from heams.evaluation.task_qa import TaskQAEvaluator, TaskQAEvaluatorConfig
from heams.plugins import component_plugins

EvaluatorConfig = Annotated[
    TaskQAEvaluatorConfig
    | AimeEvaluatorConfig
    | LocomoQAEvaluatorConfig
    | EvidenceRecallEvaluatorConfig
    | LLMJudgeEvaluatorConfig
    | NuggetEvaluatorConfig
    | LeakEvaluatorConfig
    | GateMemEvaluatorConfig
    | RetentionEvaluatorConfig
    | DisclosureEvaluatorConfig
    | RevealedEvaluatorConfig
    | MultipleChoiceEvaluatorConfig
    | MemoryAgentBenchEvaluatorConfig
    | PoisoningEvaluatorConfig
    | StaleEvaluatorConfig
    | LongMemEvalEvaluatorConfig
    | SessionRecallEvaluatorConfig
    | PreferenceChecksEvaluatorConfig,
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
    "AimeEvaluator",
    "AimeEvaluatorConfig",
    "DisclosureEvaluator",
    "DisclosureEvaluatorConfig",
    "EvaluatorConfig",
    "EvidenceRecallEvaluator",
    "EvidenceRecallEvaluatorConfig",
    "GateMemEvaluator",
    "GateMemEvaluatorConfig",
    "LLMJudgeEvaluator",
    "LLMJudgeEvaluatorConfig",
    "LeakEvaluator",
    "LeakEvaluatorConfig",
    "LocomoQAEvaluator",
    "LocomoQAEvaluatorConfig",
    "LongMemEvalEvaluator",
    "LongMemEvalEvaluatorConfig",
    "MemoryAgentBenchEvaluator",
    "MemoryAgentBenchEvaluatorConfig",
    "MultipleChoiceEvaluator",
    "MultipleChoiceEvaluatorConfig",
    "NuggetEvaluator",
    "NuggetEvaluatorConfig",
    "PoisoningEvaluator",
    "PoisoningEvaluatorConfig",
    "PreferenceChecksEvaluator",
    "PreferenceChecksEvaluatorConfig",
    "RetentionEvaluator",
    "RetentionEvaluatorConfig",
    "RevealedEvaluator",
    "RevealedEvaluatorConfig",
    "SessionRecallEvaluator",
    "SessionRecallEvaluatorConfig",
    "StaleEvaluator",
    "StaleEvaluatorConfig",
    "TaskQAEvaluator",
    "TaskQAEvaluatorConfig",
    "create_evaluator",
]
