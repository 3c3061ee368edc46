"""Hands a run to the benchmark runner, and writes down what it says of builds and cases."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.options import RunOptions
from heams.recipe_evaluation.builds import BuildWatch
from heams.recipe_evaluation.catching_up import catch_up
from heams.recipe_evaluation.first_cases import FirstCases
from heams.recipe_evaluation.metering import QueryMeter
from heams.recipe_evaluation.mode_lines import ModeLines
from heams.recipe_evaluation.places import knowledge_base_name, report_id, workspace_of
from heams.recipe_evaluation.recording_builds import recording_builds
from heams.recipe_evaluation.resolve import RecipeEvaluation
from heams.recipe_evaluation.runs import EvaluationRun
from heta_framework.common.models.calls.scope import CallScope, call_scope
from heta_framework.evaluation.errors import AllCasesFailedError
from heta_framework.evaluation.runner.units import name_of_unit
from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult, default_report_key
from heta_framework.evaluation.types.report_key import report_folder

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
    from heta_framework.evaluation.runner import BenchmarkRunConfig, RunProgress
    from heta_framework.kb.recipe import KnowledgeRecipe


@dataclass(frozen=True, slots=True)
class AskedModes:
    """The modes of one run, asked together."""

    run: EvaluationRun
    evaluation: RecipeEvaluation
    recipe: KnowledgeRecipe
    benchmark: FirstCases
    options: RunOptions
    lines: Mapping[str, ModeLines]
    evaluators: tuple[BenchmarkEvaluatorProtocol, ...]
    meter: QueryMeter = field(default_factory=QueryMeter)

    async def ask(self) -> None:
        """Write down what was found before, then ask the rest. That all cases failed is for the results to say.

        Raises:
            EvaluationRunError, KnowledgeBuildError, ...: see `heta_framework.evaluation.BenchmarkRunner.run`.
            StoreError: results can no longer be written.
        """
        from heta_framework.evaluation.runner import BenchmarkRunner

        objects: ObjectStoreProtocol = self.recipe.stores.objects  # type: ignore[assignment]
        key = default_report_key(self._knowledge_base, report_id(self.run.run_id, self.options.limit))
        await catch_up(objects, report_folder(key), self.benchmark, self.lines, self.meter)
        with call_scope(CallScope()) as scope:
            watch = self._watch(scope)
            async with recording_builds(watch, self.run.run_id, objects, list(self.lines.values())):
                with suppress(AllCasesFailedError):
                    await BenchmarkRunner().run(
                        benchmark=self.benchmark,
                        recipe=self.recipe,
                        knowledge_base_name=self._knowledge_base,
                        query_modes=tuple(self.lines),
                        workspace=workspace_of(self.evaluation.root),
                        evaluators=self.evaluators,
                        config=self._config(),
                        query_engines=self.meter.engines(),
                        progress=partial(self._follow, watch),
                        on_case=self._take,
                    )

    @property
    def _knowledge_base(self) -> str:
        return knowledge_base_name(self.evaluation)

    def _config(self) -> BenchmarkRunConfig:
        from heta_framework.evaluation.runner import BenchmarkRunConfig

        config = self.evaluation.benchmark_config
        return BenchmarkRunConfig(
            top_k=self.evaluation.asked_top_k,
            query_options=dict(config.query_options),
            max_concurrent_queries=self.options.max_concurrency,
            report_id=report_id(self.run.run_id, self.options.limit),
            metadata={"run_id": self.run.run_id, "limit": self.options.limit},
            query_timeout_s=config.query_timeout_s,
            retries=config.retries,
            on_build_error="raise" if len(self.benchmark.units) == 1 else "record",
        )

    def _watch(self, scope: CallScope) -> BuildWatch:
        return BuildWatch(
            scope,
            knowledge_base_of=self._knowledge_base_of,
            documents_of={unit.unit_id: len(unit.document_ids) for unit in self.benchmark.units},
            on_begun=self._build_begun,
        )

    def _knowledge_base_of(self, unit_id: str) -> str:
        alone = self.benchmark.is_one_corpus
        return self._knowledge_base if alone else name_of_unit(self._knowledge_base, unit_id)

    def _build_begun(self, hearing: HearingProgress) -> None:
        """A build is for all modes, and shown once."""
        first = next(iter(self.lines.values()))
        first.listener.history_started(first.experiment.name, hearing)

    def _follow(self, watch: BuildWatch, progress: RunProgress) -> None:
        watch.follow(progress)
        for one in self.lines.values():
            one.rescoring = progress.phase == "score"

    def _take(self, case: BenchmarkCase, found: EvaluationCaseResult) -> None:
        self.lines[found.query_mode].take(case, found, self.meter.take(found))
