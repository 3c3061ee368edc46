"""Questions that are made when they are asked for, as a benchmark of an outside package: no file, nothing to read.

``plugin_folder`` writes what an installed package would have: its entry point, in a folder for ``PYTHONPATH``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation.task_qa import TaskQAEvaluatorConfig
from heams.plugins import ComponentPlugin
from heams.scenarios.actions import UserStimulus
from perf.questions import question, sample_id


class LazyQuestionsConfig(BaseModel):
    """How many questions there are."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["lazy_questions"] = "lazy_questions"
    count: int = Field(ge=1)
    evaluators: tuple[TaskQAEvaluatorConfig, ...]


class LazyQuestions(BaseBenchmark, Sequence[BenchmarkSample]):
    """The benchmark, which is its own sequence of samples."""

    def __init__(self, config: LazyQuestionsConfig) -> None:
        self._config = config

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        """The questions."""
        return self

    def id_at(self, position: int) -> str:
        """The id of a question, without making it."""
        return sample_id(position)

    def __len__(self) -> int:
        return self._config.count

    def __getitem__(self, position: Any) -> Any:
        words = question(position)
        return BenchmarkSample(
            id=sample_id(position),
            name=words,
            execution_sequence=[UserStimulus(content=words, step_evaluation_markers={"expected_answer": "answer"})],
            evaluators=self._config.evaluators,
        )


plugin = ComponentPlugin(LazyQuestionsConfig, LazyQuestions)


def plugin_folder(place: Path) -> Path:
    """A folder that makes the plugin known to every process that has it in its path."""
    info = place / "plugins/heams_perf-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heams-perf\nVersion: 0\n", encoding="utf-8")
    points = f"[heams.benchmarks]\nlazy_questions = {__name__}:plugin\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    return info.parent
