"""From what became of a case in a query mode to the line of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from heams.orchestration.errors import MAX_MESSAGE
from heams.orchestration.results import ErrorInfo, RunResult, Timings, TranscriptStep
from heams.recipe_evaluation.compared import Compared, evidence_ids
from heams.recipe_evaluation.recalled import recalled
from heams.recipe_evaluation.verdicts import STEP, Verdicts
from heta_framework.common.durable_lines import TextBook
from heta_framework.common.models.usage import UsageByRole
from heta_framework.evaluation.trec import labels_of
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.kb.search.types import QueryResponse

_LONGEST_NAME = 500


@dataclass(slots=True)
class Projection:
    """Makes the results of one experiment, which is one query mode.

    ``shares_histories``: whether there are several knowledge bases, so that the cases of one belong together.
    """

    experiment: str
    run_id: str
    texts: TextBook
    verdicts: Verdicts
    shares_histories: bool = False

    def result(
        self, case: BenchmarkCase, found: EvaluationCaseResult, usage: UsageByRole, *, attempt: int
    ) -> RunResult:
        """The result of a case; ``usage`` is what models consumed for it, ``attempt`` its number from 1."""
        tags = tags_of(case)
        step = self._step(case, found, usage)
        finished, seconds = datetime.now(UTC), step.seconds
        unit = found.metadata.get("benchmark_run_unit")
        return RunResult(
            run_id=self.run_id,
            sample_id=case.case_id,
            attempt=attempt,
            status="completed" if found.error is None else "error",
            experiment=self.experiment,
            sample_name=case.query[:_LONGEST_NAME],
            history_id=str(unit) if self.shares_histories and unit is not None else None,
            isolation="read_only",
            tags=tags,
            transcript=(step,),
            records=self.verdicts.of(Compared.of(case, found), found, tags),
            usage=usage,
            timings=Timings(answer=seconds, recall=seconds, total=seconds),
            error=_error(found),
            started_at=finished - timedelta(seconds=seconds),
            finished_at=finished,
        )

    def _step(self, case: BenchmarkCase, found: EvaluationCaseResult, usage: UsageByRole) -> TranscriptStep:
        response, seconds = found.response, _milliseconds(found.latency_ms)
        return TranscriptStep(
            index=STEP,
            action=_action(case),
            status="ok" if found.error is None else "error",
            reply=response.answer if response is not None else None,
            reply_metadata=_reply_metadata(response) if response is not None else None,
            recalls=(recalled(case.query, response, self.texts, seconds),) if response is not None else None,
            note=f"asked in mode {found.query_mode}",
            usage=usage or None,
            seconds=seconds,
        )


def tags_of(case: BenchmarkCase) -> dict[str, str]:
    """The labels of a case that are one word or number each."""
    return {
        str(name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in json_safe(case.labels).items()
        if isinstance(value, str | int | float)
    }


def _action(case: BenchmarkCase) -> dict[str, Any]:
    labels = {
        "expected_answer": list(case.expected.answers),
        "evidence": evidence_ids(case),
        "evidence_relevance": labels_of(case),
    }
    markers = {name: value for name, value in labels.items() if value}
    if case.expected.value is not None:
        markers["expected_value"] = json_safe(case.expected.value)
    return {"type": "user_stimulus", "content": case.query, "step_evaluation_markers": markers, "principal": "user"}


def _reply_metadata(response: QueryResponse) -> Mapping[str, Any] | None:
    said = {str(name): json_safe(value) for name, value in response.metadata.items() if name != "usage"}
    if response.answer is not None and response.citations:
        said["citations"] = [citation.result_id or citation.id for citation in response.citations]
    return said or None


def _error(found: EvaluationCaseResult) -> ErrorInfo | None:
    if found.error is None:
        return None
    message = found.error.message
    if len(message) > MAX_MESSAGE:
        message = f"{message[:MAX_MESSAGE]} ... ({len(message)} characters)"
    return ErrorInfo(phase="step 0", type=found.error.error_type, message=message)


def _milliseconds(given: Any) -> float:
    return given / 1000 if isinstance(given, int | float) else 0.0
