"""Plays one run: its modes' folders opened, asked in one pass over the benchmark, and closed with their status."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from heams.orchestration.errors import StoppedEarly
from heams.orchestration.listener import RunListener
from heams.orchestration.options import RunOptions
from heams.orchestration.results import RunStatus
from heams.orchestration.stopping import StopSignal
from heams.orchestration.store import StoreError
from heams.recipe_evaluation.asking import AskedModes
from heams.recipe_evaluation.first_cases import FirstCases
from heams.recipe_evaluation.mode_lines import AskedCases, ModeLines
from heams.recipe_evaluation.refusals import ending, is_replay_miss
from heams.recipe_evaluation.resolve import RecipeEvaluation
from heams.recipe_evaluation.runs import EvaluationRun, begin
from heams.recipe_evaluation.until_stopped import until_stopped

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
    from heta_framework.kb.recipe import KnowledgeRecipe


@dataclass(frozen=True, slots=True)
class RunOfModes:
    """One run of an evaluation."""

    run: EvaluationRun
    evaluation: RecipeEvaluation
    recipe: KnowledgeRecipe
    benchmark: FirstCases
    output_dir: Path
    options: RunOptions
    listener: RunListener

    async def play(self, stop: StopSignal) -> list[RunStatus]:
        """Ask what has no final result yet.

        Raises:
            RunRefused: it cannot be done as asked.
            StoreError: results can no longer be written.
        """
        evaluators = self.evaluation.benchmark_config.made_evaluators(self.evaluation.made)
        lines = self._opened(evaluators)
        failure: Exception | None = None
        async with AsyncExitStack() as writers:
            for one in lines.values():
                await writers.enter_async_context(one)
            asked = AskedModes(self.run, self.evaluation, self.recipe, self.benchmark, self.options, lines, evaluators)
            try:
                await until_stopped(asked.ask(), stop)
            except Exception as cause:  # noqa: BLE001 - benchmark and evaluators may be anybody's code
                failure = cause
        failure = next((one.writer.failure for one in lines.values() if one.writer.failure is not None), failure)
        return self._ended(lines, failure, stop)

    def _opened(self, evaluators: tuple[BenchmarkEvaluatorProtocol, ...]) -> dict[str, ModeLines]:
        asked = AskedCases(
            all_case_ids=self.benchmark.all_case_ids,
            evaluators=[evaluator.name for evaluator in evaluators],
            limit=self.options.limit,
            shares_histories=not self.benchmark.is_one_corpus,
        )
        folders = begin(self.run, self.evaluation, self.output_dir, self.options)
        return {
            mode: ModeLines.open(experiment, folders[mode], self.run.run_id, asked, self.listener)
            for mode, experiment in self.run.experiments.items()
        }

    def _ended(self, lines: Mapping[str, ModeLines], failure: Exception | None, stop: StopSignal) -> list[RunStatus]:
        if failure is None or isinstance(failure, StoppedEarly) or is_replay_miss(failure):
            return [one.end("completed" if one.is_whole else "interrupted", stop.reason) for one in lines.values()]
        error = ending(failure, self.evaluation.recipe.source)
        with suppress(StoreError):  # the disk that refused the results may refuse the status too
            for one in lines.values():
                if one.is_sound:
                    one.end("completed")
                else:
                    one.end("failed", str(error))
        raise error from failure
