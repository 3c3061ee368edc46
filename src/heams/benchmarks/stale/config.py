"""Configuration of the ``stale`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.benchmarks.stale.probes import CELLS, CONTROL, CONTROL_CELLS, UPDATED, ScenarioType
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps


class StaleBenchmarkConfig(BaseModel):
    """Memories that a later remark has silently ended, and others that still hold, each asked about in three ways.

    ``types`` chooses scenarios, of whose questions ``limit`` takes the first. ``question_prompt`` wraps every question.
    Judges with the policy ``stale`` are asked about ended memories, those with ``stale_still_holds`` about the others.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["stale"] = "stale"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="STALE",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("cell",),),
        context_tokens=150_000,
        section="Knowledge updates",
        order=35,
        headline_metrics=("stale_proxy", "still_holds_proxy", "judge_stale", "judge_stale_still_holds"),
        metric_notes={
            "stale_proxy": "the share of answers that know that a memory has ended, by phrases",
            "still_holds_proxy": "the share of answers, about memories that still hold, that say so, by phrases",
        },
        criterion_names={cell: cell for cell in (*CELLS, *CONTROL_CELLS)},
    )

    data_file: Path
    types: tuple[ScenarioType, ...] = Field(default=(*UPDATED, CONTROL), min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
