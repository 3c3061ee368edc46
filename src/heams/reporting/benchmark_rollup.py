"""Roll-ups: all experiments of a benchmark type in one report, laid out by a renderer that knows the benchmark.

A renderer takes the results of the experiments and returns Markdown sections, a ``Figure`` for each chart. It reads
saved artifacts only: what it needs of the benchmark is in ``experiment_config`` and in the tags of records. Renderers
are registered here by benchmark type; installed packages bring theirs through the entry point group ``heams.rollups``.
"""

from collections.abc import Callable, Sequence
from os.path import relpath
from pathlib import Path
from pkgutil import resolve_name
from typing import TypeVar, cast

from heams.benchmarks.registry import report_info
from heams.orchestration.files import file_name_for
from heams.plugins import function_plugins
from heams.reporting.charts.studio import Studio
from heams.reporting.load import ExperimentResults, load_results
from heams.reporting.markdown import Markdown, bullets, document, heading, link
from heams.reporting.reports import REPORT, write

RollupRenderer = Callable[[Sequence[ExperimentResults]], str | Sequence[str]]
"""``render(results)``: Markdown sections, from level 2, for experiments of one benchmark type (at least one)."""

FOLDER = "_rollup"
_BUILT_IN = {
    "personamem": "heams.benchmarks.personamem.report:render_personamem_rollup_sections",
    "beam": "heams.benchmarks.beam.report:render_beam_rollup_sections",
    "prefeval": "heams.benchmarks.prefeval.report:render_prefeval_rollup_sections",
    "ci": "heams.benchmarks.contextual_integrity.report:render_ci_rollup",
    "ee": "heams.benchmarks.ee.report:render_ee_rollup_sections",
    "gatemem": "heams.benchmarks.gatemem.report:render_gatemem_rollup_sections",
    "locomo": "heams.benchmarks.locomo.report:render_locomo_rollup_sections",
    "longmemeval": "heams.benchmarks.longmemeval.report:render_longmemeval_rollup_sections",
    "stale": "heams.benchmarks.stale.report:render_stale_rollup_sections",
    "transparency": "heams.benchmarks.transparency.report:render_transparency_rollup_sections",
    "memoryagentbench": "heams.benchmarks.memoryagentbench.report:render_memoryagentbench_rollup_sections",
    "mpbench": "heams.benchmarks.mpbench.report:render_mpbench_rollup_sections",
    "retention_policy": "heams.benchmarks.retention_policy.report:render_retention_policy_rollup_sections",
}
_CELLS = (
    Markdown(
        "`0.700 [0.481, 0.855], n 20, 2 left out` is a mean, its 95 % interval, how many questions have a value, and "
        "how many have none; why, is said above or in the reports of the experiments. *Counted as 0* are errors, and "
        "what a component does not offer."
    ),
    "Where a mean has no interval there is a single value or a single history, or all values (or the means of all "
    "histories) are the same and neither 0 nor 1. Means of means, harmonic means and rates have none of their own.",
    Markdown(
        "A dash stands for a competitor in the column *reference*, elsewhere for nothing to score. Metrics of "
        "retrieval need a ranking, and memories that hand over everything, such as `full_context`, have none."
    ),
)
_registered: dict[str, RollupRenderer] = {}
_Renderer = TypeVar("_Renderer", bound=RollupRenderer)


def register_rollup_renderer(benchmark_type: str) -> Callable[[_Renderer], _Renderer]:
    """Decorator: render the roll-up of a benchmark type with this function, in place of any other."""

    def register(renderer: _Renderer) -> _Renderer:
        _registered[benchmark_type] = renderer
        return renderer

    return register


def rollup_renderer(benchmark_type: str) -> RollupRenderer | None:
    """The renderer of a benchmark type: a registered one, else ours, else that of an installed package.

    Raises:
        PluginError: an installed renderer cannot be loaded.
    """
    if benchmark_type in _registered:
        return _registered[benchmark_type]
    if benchmark_type in _BUILT_IN:
        return cast("RollupRenderer", resolve_name(_BUILT_IN[benchmark_type]))
    return function_plugins("heams.rollups").get(benchmark_type)


def write_benchmark_rollup_reports(
    results_dir: str | Path, *, run_id: str | None = None, charts: bool = True
) -> list[Path]:
    """Write ``_rollup/<type>/report.md`` for every benchmark type that has a renderer; return the reports written.

    Pictures go into ``charts/`` beside each report, unless ``charts`` is False.

    Raises:
        ResultsError: there are no results, a file of results is damaged, or a report cannot be written, or a chart
            cannot be drawn.
    """
    results = load_results(results_dir, run_id=run_id)
    by_type: dict[str, list[ExperimentResults]] = {}
    for experiment in results.experiments:
        by_type.setdefault(experiment.benchmark_type, []).append(experiment)
    written = []
    with Studio(drawing=charts) as studio:
        for benchmark_type, experiments in sorted(by_type.items()):
            renderer = rollup_renderer(benchmark_type)
            if renderer is not None:
                folder = results.path / FOLDER / file_name_for(benchmark_type)
                blocks = _rollup(benchmark_type, experiments, renderer, folder)
                written.append(write(folder / REPORT, document(studio.hang(blocks, folder))))
    return written


def _rollup(
    benchmark_type: str, experiments: Sequence[ExperimentResults], renderer: RollupRenderer, folder: Path
) -> list[str]:
    sections = renderer(experiments)
    sources = (
        link(experiment.name, Path(relpath(experiment.directory / REPORT, folder)).as_posix())
        for experiment in experiments
    )
    return [
        heading(1, f"{report_info(benchmark_type).display_name}: all experiments"),
        *([sections] if isinstance(sections, str) else sections),
        heading(2, "How to read a cell"),
        bullets(_CELLS),
        heading(2, "Reports of the experiments"),
        bullets(sources),
    ]
