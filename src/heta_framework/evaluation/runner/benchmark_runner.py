"""The entry point: runs a benchmark on a recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.progress import CaseWatcher, RunProgress, silent
from heta_framework.evaluation.runner.result import BenchmarkRunResult

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol, BenchmarkProtocol
    from heta_framework.evaluation.types import BenchmarkWorkspace
    from heta_framework.kb import KnowledgeRecipe, QueryEngineRegistry


class BenchmarkRunner:
    """Evaluates recipes. It holds no state: one runner may run many benchmarks, also at the same time."""

    async def run(
        self,
        *,
        benchmark: BenchmarkProtocol,
        recipe: KnowledgeRecipe,
        knowledge_base_name: str,
        query_modes: tuple[str, ...],
        workspace: BenchmarkWorkspace | None = None,
        evaluators: tuple[BenchmarkEvaluatorProtocol, ...] | None = None,
        config: BenchmarkRunConfig | None = None,
        query_engines: QueryEngineRegistry | None = None,
        initial_artifacts: Mapping[str, Any] | None = None,
        progress: Callable[[RunProgress], None] | None = None,
        on_case: CaseWatcher | None = None,
    ) -> BenchmarkRunResult:
        """Put the documents, build the knowledge bases, ask every case in every mode, score, and report.

        Every finished case is durable before it counts. A run that was cancelled, killed or failed goes on where it
        stopped when it is run again with the same ``config.report_id``; with other evaluators, or other labels, the
        saved responses are scored anew without asking. The engines' work in threads and on servers goes on side by
        side up to ``config.max_concurrent_queries``; a result's ``latency_ms`` is of its query alone, from the last
        request to its response, and holds the time that the query waits for others of the run.

        Args:
            recipe: needs an object store.
            knowledge_base_name: of the only unit; where there are several, each is called ``{name}-{unit_id}``.
            query_modes: each case is asked in each of them.
            workspace: where the benchmark keeps files; ``.heta/evaluation`` by default.
            evaluators: instead of the benchmark's own.
            query_engines: instead of the built-in ones.
            initial_artifacts: for every build, beside the documents.
            progress: is told how far the run is; `progress_bar` gives one.
            on_case: is given every case with its result, as soon as it is durable.

        Raises:
            TypeError, ValueError, LookupError: what is asked for, or what the benchmark gives, cannot be run.
            ReportMismatchError: the report of this id was begun with other settings.
            ReportBusyError: another process is writing it.
            DocumentContentError: a document's bytes cannot be had.
            KnowledgeBuildError: a knowledge base could not be built.
            KnowledgeBaseAlreadyExistsError: another knowledge base has the name.
            AllCasesFailedError: not one case has a response; the report with the errors is saved.
            CostLimitReached, ReplayMiss, ModelSetupError: models may not be asked any more; what is done is saved.
        """
        from heta_framework.evaluation.runner import request
        from heta_framework.evaluation.runner.execution import execute
        from heta_framework.kb.runtime import checked_name

        modes = request.checked_modes(query_modes, query_engines)
        objects = request.checked_recipe(recipe)
        settings = request.checked_config(config)
        request.check_options(settings.query_options, query_engines)
        return await execute(
            request.RunRequest(
                benchmark=request.checked_benchmark(benchmark),
                recipe=recipe,
                objects=objects,
                knowledge_base_name=checked_name(knowledge_base_name),
                query_modes=modes,
                workspace=workspace or request.default_workspace(),
                evaluators=request.checked_evaluators(benchmark.evaluators() if evaluators is None else evaluators),
                config=settings,
                query_engines=query_engines,
                initial_artifacts=dict(initial_artifacts or {}),
                watcher=progress or silent,
                on_case=request.checked_watcher(on_case),
            )
        )
