"""Configuration of the ``prefeval`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.benchmarks.prefeval.records import FORMS, Form
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps


class PrefEvalPrompts(BaseModel):
    """What the agent reads.

    ``choice`` wraps a question with its ``{options}``, of which each is a line made by ``option``; ``generation`` wraps
    a question that is asked openly (``task: generation``).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    choice: Annotated[str, gaps("question", "options")]
    option: Annotated[str, gaps("letter", "text")]
    generation: Annotated[str, gaps("question")]


def _display_name(saved: SavedConfig) -> str:
    return "PrefEval (open answers)" if saved.get("task") == "generation" else "PrefEval"


class PrefEvalBenchmarkConfig(BaseModel):
    """PrefEval, or any data in its format: a preference, filler turns, and a question that it bears on.

    ``data_dir`` has the folders of the published ``benchmark_dataset``. ``forms``: ``explicit`` (said outright),
    ``choice`` (shown by what somebody chose), ``persona`` (told in passing, in a longer talk). ``topics`` are names of
    files; all by default. ``filler_turns`` counts exchanges of user and assistant between preference and question.
    ``task``: ``choice`` between options, or ``generation`` of an open answer, which needs ``preference_checks``.
    ``option_order``: drawn ``per_question`` from ``seed`` and its id, or ``official`` (one order for all).
    ``capital_letters``: options are A, B, ... instead of a, b, ...
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["prefeval"] = "prefeval"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="PrefEval",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("form",),),
        context_tokens=4_000,
        section="Personalisation",
        order=40,
        headline_metrics=("choice_accuracy", "preference_followed", "recall@5"),
        metric_notes={
            "choice_accuracy": "the share of questions for which the right option was chosen",
        },
        criterion_names={"explicit": "Said outright", "choice": "Shown by a choice", "persona": "Told in passing"},
        describe=_display_name,
    )

    data_dir: Path
    forms: tuple[Form, ...] = Field(default=FORMS, min_length=1)
    topics: tuple[str, ...] | None = Field(default=None, min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    task: Literal["choice", "generation"] = "choice"
    filler_turns: WholeNumber = Field(default=10, ge=0)
    option_order: Literal["per_question", "official"] = "per_question"
    seed: WholeNumber = 0
    capital_letters: bool = False
    prompts: PrefEvalPrompts
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)

    @model_validator(mode="after")
    def _choices_only_where_options_are(self) -> Self:
        if self.task == "generation" and any(one.type == "multiple_choice" for one in self.evaluators):
            raise ValueError("'task: generation' offers no options to 'multiple_choice'; use 'preference_checks'")
        return self
