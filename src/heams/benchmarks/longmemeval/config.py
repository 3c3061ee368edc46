"""Configuration of the ``longmemeval`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.benchmarks.longmemeval.question_types import QUESTION_TYPES, TITLES, QuestionType
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

_SIZES = {"longmemeval_oracle": "oracle", "longmemeval_s": "S", "longmemeval_m": "M"}
_TOKENS = {"S": 115_000, "M": 1_500_000}


def _size(saved: SavedConfig) -> str | None:
    name = Path(str(saved["data_file"])).name
    return next((size for prefix, size in _SIZES.items() if name.startswith(prefix)), None)


def _display_name(saved: SavedConfig) -> str:
    size = _size(saved)
    return f"LongMemEval ({size})" if size else "LongMemEval"


class LongMemEvalBenchmarkConfig(BaseModel):
    """Questions about long histories of a user with an assistant, each with a haystack of its own.

    ``data_file`` is one of LongMemEval's three files, or another in its format. ``question_types`` chooses questions,
    of which ``limit`` takes the first. ``skip_reported_errors`` leaves out those whose labels are reported to be wrong.
    ``question_prompt`` wraps every question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["longmemeval"] = "longmemeval"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="LongMemEval",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("kind",),),
        context_tokens=2_000,
        section="Conversational memory",
        order=20,
        headline_metrics=("longmemeval_proxy", "abstention_proxy", "judge_longmemeval", "session_recall@10"),
        criterion_names=TITLES,
        metric_notes={
            "longmemeval_proxy": "the share of answers that hold the gold, by words; preferences have no proxy",
            "abstention_proxy": "the share of unanswerable questions that are declined",
            "session_recall@10": "the share of the sessions with evidence among the first 10 recalled items",
        },
        describe=_display_name,
        context_tokens_of=lambda saved: _TOKENS.get(_size(saved) or ""),
    )

    data_file: Path
    question_types: tuple[QuestionType, ...] = Field(default=QUESTION_TYPES, min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    skip_reported_errors: bool = False
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
