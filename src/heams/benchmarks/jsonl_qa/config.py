"""Configuration of the ``jsonl_qa`` benchmark."""

from pathlib import Path, PurePath
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.evidence_recall import EvidenceRecallEvaluatorConfig
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.task_qa import TaskQAEvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

_Evaluator = Annotated[
    TaskQAEvaluatorConfig | EvidenceRecallEvaluatorConfig | LLMJudgeEvaluatorConfig, Field(discriminator="type")
]


def _display_name(saved: SavedConfig) -> str:
    return f"Own questions: {PurePath(saved['data_file']).stem}"


class JsonlQABenchmarkConfig(BaseModel):
    """Your own conversations and questions, from a JSON Lines file.

    ``limit`` takes the first questions of the file. ``question_prompt`` wraps every question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["jsonl_qa"] = "jsonl_qa"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="Own questions",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("category",),),
        section="Own data",
        order=90,
        describe=_display_name,
    )

    data_file: Path
    limit: WholeNumber | None = Field(default=None, ge=1)
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[_Evaluator, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
