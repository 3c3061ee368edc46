"""What is known of a judge's errors: the sentence in its verdicts, and the file of its calibration if it is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heams.browse.queries import Metric
from heams.browse.queries.judging.facts import JudgeFacts
from heams.calibration.result import Calibration, KindResult, load_calibration
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.reporting.judge_notes import UNCALIBRATED
from heams.reporting.load import ExperimentResults
from heams.reporting.saved import part

_LARGEST_FILE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Trust:
    """``words`` are what the verdicts say; ``found`` is the calibration, or ``problem`` why there is none to show."""

    words: str
    calibrated: bool
    found: Calibration | None
    problem: str | None
    file: str | None

    @property
    def traps(self) -> tuple[KindResult, ...]:
        """Kinds of answers that are wrong and must be rejected."""
        return tuple(kind for kind in self.found.kinds if not kind.accept) if self.found is not None else ()

    @property
    def right(self) -> tuple[KindResult, ...]:
        """Kinds of answers that are right and must be accepted."""
        return tuple(kind for kind in self.found.kinds if kind.accept) if self.found is not None else ()


def trust_in(results: ExperimentResults, facts: JudgeFacts) -> Trust:
    """How far a judge can be trusted."""
    words = facts.calibration or UNCALIBRATED
    calibrated = not words.startswith(UNCALIBRATED)
    config = _config(results, facts.metric)
    if config is None or config.calibration_file is None:
        return Trust(words, calibrated, None, None, None)
    file = config.calibration_file
    found, problem = _read(file, config)
    return Trust(words, calibrated, found, problem, str(file))


def _read(file: Path, config: LLMJudgeEvaluatorConfig) -> tuple[Calibration | None, str | None]:
    if not file.is_file() or file.stat().st_size > _LARGEST_FILE:
        return None, "the file is not here any more, so only its sentence can be shown"
    try:
        found = load_calibration(file)
    except ValueError as cause:
        return None, str(cause)
    if found.judge_hash != config.identity_hash:
        return None, "the file has been written anew since, for another judge"
    return found, None


def _config(results: ExperimentResults, metric: Metric) -> LLMJudgeEvaluatorConfig | None:
    """The configuration of the judge that gave this metric."""
    if metric.evaluator != "llm_judge":
        return None
    for written in part(results.config, "benchmark_config").get("evaluators") or ():
        found = _validated(written)
        if found is not None and metric.name in found.metrics:
            return found
    return None


def _validated(written: Any) -> LLMJudgeEvaluatorConfig | None:
    if not isinstance(written, Mapping) or written.get("type") != "llm_judge":
        return None
    try:
        return LLMJudgeEvaluatorConfig.model_validate(written)
    except ValidationError:
        return None  # of another version of heams
