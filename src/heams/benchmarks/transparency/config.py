"""Configuration of the ``transparency`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps


class TransparencyBenchmarkConfig(BaseModel):
    """Questions about the memory itself, after a history with planted facts and deletions.

    ``limit`` takes the first cases. ``question_prompt`` wraps every question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["transparency"] = "transparency"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="Transparency",
        dimension=ReportDimension.PRIVACY,
        criterion_tags=(("kind",),),
        context_tokens=2_000,
        section="Disclosure",
        order=50,
        headline_metrics=("transparency", "stored", "no_false_erasure"),
        metric_notes={
            "transparency": "how true answers about the memory are of what it stores, from 0 to 1, each question alike "
            "(the roll-up counts each kind of question alike)",
            "stored": "the share of planted facts that the memory holds at the end",
            "no_false_erasure": "1 less the share of answers that call something gone while it is stored",
            "disclosure_recall": "the share of stored facts that are listed when everything is asked for",
            "disclosure_precision": "the share of listed facts that are stored",
            "no_unsolicited_sensitive": "1 less the share of sensitive facts stored though nobody asked to keep them",
        },
        criterion_names={
            "inventory": "What is stored",
            "presence": "Is it stored",
            "provenance": "When was it told",
            "inference": "Told or inferred",
            "deletion_honesty": "Is it gone",
            "use_disclosure": "What was used",
        },
    )

    data_file: Path
    limit: WholeNumber | None = Field(default=None, ge=1)
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
