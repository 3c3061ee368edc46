"""Configuration of the ``memoryagentbench`` benchmark."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.benchmarks.memoryagentbench.competencies import TITLES, Competency
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heams.evaluation.memoryagentbench_sources import (
    ANSWER_PROXY,
    EXACT,
    F1,
    KEYPOINTS_PROXY,
    NEEDLES,
    NEWEST,
    RECOMMENDED,
    ROUGE,
    SUBSTRING,
    Family,
)
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

Prompt = Annotated[str, gaps("question")]


class MemoryAgentBenchPrompts(BaseModel):
    """What wraps a question: the prompt of its source's family, else ``default``; each with the gap ``{question}``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    default: Prompt
    eventqa: Prompt | None = None
    ruler_qa: Prompt | None = None
    ruler_niah: Prompt | None = None
    longmemeval: Prompt | None = None
    icl: Prompt | None = None
    recsys: Prompt | None = None
    infbench_sum: Prompt | None = None
    infbench_choice: Prompt | None = None
    detective_qa: Prompt | None = None
    factconsolidation: Prompt | None = None

    def of(self, family: str) -> str:
        """The prompt of a family."""
        return getattr(self, family, None) or self.default


class MemoryAgentBenchBenchmarkConfig(BaseModel):
    """MemoryAgentBench, or any data in its format: long contexts, and many questions about each.

    ``data_dir`` has a file for each competency, ``<Competency>.jsonl`` or ``<Competency>*.parquet``. ``competencies``
    are all that have one by default, ``sources`` all sources. ``questions_per_context`` takes the first of each row,
    ``limit`` the first of all. ``chunk_tokens`` is the most that the memory hears at once. ``entity_file`` is the
    published ``entity2id.json``, without which recommendations are left out. ``evaluators_of`` are further evaluators
    of the questions of one family of sources, such as the judge that is official there.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["memoryagentbench"] = "memoryagentbench"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="MemoryAgentBench",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("competency",),),
        context_tokens=100_000,
        section="Long contexts",
        order=50,
        headline_metrics=(SUBSTRING, EXACT, NEEDLES, RECOMMENDED[5], ANSWER_PROXY, KEYPOINTS_PROXY),
        criterion_names=TITLES,
        metric_notes={
            SUBSTRING: "the share of replies in which the answer stands as whole words, and is not only denied",
            EXACT: "the share of replies that are the answer and nothing else",
            NEEDLES: "the share of the hidden values that a reply gives",
            RECOMMENDED[1]: "the share of the liked films that is recommended first",
            RECOMMENDED[5]: "the share of the liked films among the first five that are recommended",
            RECOMMENDED[10]: "the share of the liked films among the first ten that are recommended",
            ANSWER_PROXY: "how much of the answer a reply holds, by words (1, 0.5 or 0) and not by a judge",
            KEYPOINTS_PROXY: "the share of the key points that a summary holds, by words and not by a judge",
            F1: "the overlap of the words of reply and answer, from 0 to 1",
            ROUGE: "the F1 of their longest common subsequence of words",
            NEWEST: "the share of replies that give the newest fact, and none that it has overruled",
        },
    )

    data_dir: Path
    competencies: tuple[Competency, ...] | None = Field(default=None, min_length=1)
    sources: tuple[str, ...] | None = Field(default=None, min_length=1)
    questions_per_context: WholeNumber | None = Field(default=None, ge=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    chunk_tokens: WholeNumber = Field(default=512, ge=8)
    entity_file: Path | None = None
    prompts: MemoryAgentBenchPrompts
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
    evaluators_of: Mapping[Family, tuple[EvaluatorConfig, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_metric_twice(self) -> Self:
        for further in self.evaluators_of.values():
            distinct_metrics((*self.evaluators, *further))
        return self
