"""What is known of an experiment once its results were read: small, and enough for every comparison."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heams.benchmarks.info import BenchmarkInfo
from heams.benchmarks.registry import report_info
from heams.reporting.bounds import Bound, bound_of
from heams.reporting.ingestion import Ingestion, ingestion_of
from heams.reporting.lines import Damage
from heams.reporting.metrics import MetricSummary, headline, headline_first, metric_summaries
from heams.reporting.progress import Progress, progress_of
from heams.reporting.recalling import Recalling, recalling
from heams.reporting.saved import part
from heams.reporting.spending import Spent, spending, total, unreported
from heams.reporting.tables import ExperimentTables, Tables
from heams.reporting.timing import Percentiles, latencies

if TYPE_CHECKING:
    from heams.reporting.load import ExperimentResults


@dataclass(frozen=True, slots=True)
class Digest:
    """One run of one experiment. ``metrics`` begin with the headline ones; ``isolations`` are those of scenarios.

    ``unreported`` are the parts (``agent``, ``memory system``) that are outside programs and reported no usage.
    ``damaged`` names the lines that could not be read and are in no number.
    """

    results: "ExperimentResults"
    info: BenchmarkInfo
    bound: Bound | None
    progress: Progress
    metrics: tuple[MetricSummary, ...]
    latencies: Mapping[str, Percentiles]
    recalling: Recalling
    spent: tuple[Spent, ...]
    unreported: tuple[str, ...]
    ingestion: Ingestion
    isolations: tuple[str, ...]
    damaged: tuple[Damage, ...] = ()

    @property
    def benchmark_name(self) -> str:
        """The benchmark's display name for the saved configuration."""
        return self.info.name_for(part(self.results.config, "benchmark_config"))

    @property
    def headline(self) -> list[MetricSummary]:
        """The metrics that stand for the benchmark."""
        return headline(self.metrics, self.info.headline_metrics)

    @property
    def cost_usd(self) -> float | None:
        """What everything cost together, ingestion and repeated attempts included.

        None when a price is unknown, or an outside program did not report what it used.
        """
        return None if self.unreported else total(self.spent).usage.cost_usd


@contextmanager
def opened(results: "ExperimentResults") -> Iterator[tuple[Digest, Tables]]:
    """Read the results of an experiment: its digest, and its tables for as long as the context lasts.

    Raises:
        ResultsError: a file of results is damaged.
    """
    info = report_info(results.benchmark_type)
    with ExperimentTables(results, info.criterion_of) as tables:
        yield digest_of(results, info, tables, results.damaged), tables


def digest_of(
    results: "ExperimentResults", info: BenchmarkInfo, tables: Tables, damaged: Sequence[Damage] = ()
) -> Digest:
    """The digest of an experiment whose tables were read, all but the ``damaged`` lines of its files."""
    ingestion = ingestion_of(results)
    spent = spending(tables, ingestion.usages)
    isolations = tables.rows("SELECT DISTINCT isolation FROM scenarios WHERE isolation IS NOT NULL ORDER BY ALL")
    return Digest(
        results=results,
        info=info,
        bound=bound_of(results.config, ingestion.modes),
        progress=progress_of(results, tables),
        metrics=tuple(headline_first(metric_summaries(tables), info.headline_metrics)),
        latencies=latencies(tables),
        recalling=recalling(tables),
        spent=spent,
        unreported=unreported(results.config, spent),
        ingestion=ingestion,
        isolations=tuple(isolation for (isolation,) in isolations),
        damaged=tuple(damaged),
    )
