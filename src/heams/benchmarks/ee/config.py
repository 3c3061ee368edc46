"""Configuration of the ``ee`` benchmark."""

from pathlib import Path, PurePath
from typing import Annotated, ClassVar, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.evaluation.aime import ACCURACY
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heams.scenarios.actions import FeedbackKind
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

Split = Literal["plain", "repeat", "isomorphic"]
_Entry = TypeVar("_Entry")


def _each_once(entries: tuple[_Entry, ...]) -> tuple[_Entry, ...]:
    if len(set(entries)) < len(entries):
        raise ValueError(f"each may be named once; found {', '.join(map(str, entries))}")
    return entries


def _display_name(saved: SavedConfig) -> str:
    files = saved.get("aime_files") or [saved["streams_file"]]
    told = f", feedback {saved['feedback']}" if saved.get("feedback") else ""
    return f"Experience evolution: {', '.join(PurePath(file).stem for file in files)}{told}"


class EEBenchmarkConfig(BaseModel):
    """Streams of problems that one memory lives through from beginning to end.

    The problems come from ``streams_file`` (JSON Lines, one stream a line) or from ``aime_files`` (JSON Lines with
    ``input`` and ``target``; each file is a stream). Every stream is played once for each of ``splits`` and ``orders``:

    ``plain``: every problem once. ``repeat``: every problem once, then every problem again. ``isomorphic``: problems of
    phase ``learn``, then those of phase ``test``, which have other numbers and get no feedback.
    ``orders`` are seeds, each for another order; the spread over at least three is the robustness against order.
    ``feedback`` is what the agent is told after each answer (default: what the stream says): ``none``,
    ``correctness``, or ``gold``, the expected answer. ``fresh_sessions``: the agent loses its working context before
    every problem, so that only the memory carries over. ``remember``: problem and answer are written into the memory,
    for agents that do not write by themselves. ``limit`` takes the first samples. ``question_prompt`` wraps a problem.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["ee"] = "ee"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="Experience evolution",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("exposure",),),
        context_tokens=0,
        section="Learning",
        order=50,
        headline_metrics=(ACCURACY,),
        criterion_names={"first": "First time", "repeat": "Again", "isomorphic": "With new numbers"},
        metric_notes={
            ACCURACY: "the share of problems that were solved, over all visits to them",
        },
        describe=_display_name,
    )

    streams_file: Path | None = None
    aime_files: tuple[Path, ...] = ()
    splits: Annotated[tuple[Split, ...], AfterValidator(_each_once)] = Field(min_length=1)
    orders: Annotated[tuple[WholeNumber, ...], AfterValidator(_each_once)] = Field(default=(0, 1, 2), min_length=1)
    feedback: FeedbackKind | None = None
    fresh_sessions: bool = True
    remember: bool = False
    limit: WholeNumber | None = Field(default=None, ge=1)
    question_prompt: Annotated[str, gaps("problem")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.streams_file is None) == (not self.aime_files):
            raise ValueError("name either 'streams_file' or 'aime_files'")
        if self.aime_files and self.feedback is None:
            raise ValueError("with 'aime_files' say what 'feedback' is: none, correctness or gold")
        if self.aime_files and "isomorphic" in self.splits:
            raise ValueError("the split 'isomorphic' needs problems with phases; AIME files have none")
        return self
