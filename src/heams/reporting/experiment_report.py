"""The report of one experiment, of any benchmark type."""

from heams.reporting import report_cases, report_costs, report_scores, report_setup
from heams.reporting.digest import Digest
from heams.reporting.markdown import heading
from heams.reporting.part_names import asks_without_agent
from heams.reporting.report_builds import builds
from heams.reporting.tables import Tables


def experiment_report(digest: Digest, tables: Tables) -> list[str]:
    """The report as blocks of Markdown, figures among them."""
    return [
        heading(1, f"{digest.benchmark_name}: {digest.results.name}"),
        *report_setup.notices(digest),
        *report_scores.scores(digest),
        report_setup.what_was_run(digest),
        *report_scores.sub_metrics(digest, tables),
        *report_costs.costs(digest),
        *(builds(digest) if asks_without_agent(digest.results.config) else report_costs.ingestion(digest)),
        *report_cases.worst(digest, tables),
        *report_cases.errors(tables),
        *report_cases.without_value(tables),
    ]
