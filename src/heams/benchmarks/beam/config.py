"""Configuration of the ``beam`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from heams.benchmarks.beam.abilities import ABILITIES, ALL_ABILITIES, AbilityName
from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

_TOKENS = {"100K": 128_000, "500K": 500_000, "1M": 1_000_000, "10M": 10_000_000}


class BeamBenchmarkConfig(BaseModel):
    """Questions on ten abilities about long chats of one user with an assistant.

    ``data_dir`` holds the chats of each ``size`` in a folder of that name, each chat in a numbered folder with
    ``chat.json`` and its questions. ``chats`` (their numbers) and ``abilities`` choose questions, of which ``limit``
    takes the first. ``question_prompt`` wraps every question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["beam"] = "beam"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="BEAM",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("ability",),),
        context_tokens=2_500,
        section="Conversational memory",
        order=30,
        headline_metrics=("nugget_proxy", "event_order_proxy", "abstention_proxy", "recall@10"),
        criterion_names={name: ability.title for name, ability in ABILITIES.items()},
        metric_notes={
            "nugget_proxy": "the share of a rubric's items that the answer holds, by words and not by a judge",
            "event_order_proxy": "how well the named events are ordered, times the share of events that is named",
            "abstention_proxy": "the share of unanswerable questions that are declined",
        },
        describe=lambda saved: f"BEAM ({saved['size']})",
        context_tokens_of=lambda saved: _TOKENS.get(saved["size"]),
    )

    data_dir: Path
    size: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
    chats: tuple[str, ...] | None = Field(default=None, min_length=1)
    abilities: tuple[AbilityName, ...] = Field(default=ALL_ABILITIES, min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
