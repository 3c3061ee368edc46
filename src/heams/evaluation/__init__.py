"""Evaluation: evaluators, their configurations, and the records they give."""

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, register_evaluator
from heams.evaluation.factory import (
    EvaluatorConfig,
    EvidenceRecallEvaluator,
    EvidenceRecallEvaluatorConfig,
    LeakEvaluator,
    LeakEvaluatorConfig,
    LLMJudgeEvaluator,
    LLMJudgeEvaluatorConfig,
    LocomoQAEvaluator,
    LocomoQAEvaluatorConfig,
    RetentionEvaluator,
    RetentionEvaluatorConfig,
    TaskQAEvaluator,
    TaskQAEvaluatorConfig,
    create_evaluator,
)
from heams.evaluation.records import EvaluationRecord

__all__ = [
    "BaseEvaluator",
    "EvaluationRecord",
    "EvaluatorConfig",
    "EvidenceRecallEvaluator",
    "EvidenceRecallEvaluatorConfig",
    "ExpectedRecord",
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
    "register_evaluator",
]
