"""Writes the Markdown reports of a results folder."""

from pathlib import Path

from heams.orchestration.files import replace_file
from heams.reporting.charts.studio import Studio
from heams.reporting.digest import Digest, opened
from heams.reporting.errors import ResultsError
from heams.reporting.experiment_report import experiment_report
from heams.reporting.load import ExperimentResults, load_results
from heams.reporting.markdown import document
from heams.reporting.results_report import results_report

REPORT = "report.md"


def write_reports(results_dir: Path, *, run_id: str | None = None, charts: bool = True) -> list[Path]:
    """Write ``report.md`` for every experiment below ``results_dir``, and one for all of them together.

    ``results_dir`` may also be the folder of a single experiment, which then is all that is reported. The newest run of
    each experiment is reported, or ``run_id``. Pictures go into ``charts/`` beside each report, unless ``charts`` is
    False. Returns the reports written, the common one last.

    Raises:
        ResultsError: there are no results, a file of results is damaged, or a report cannot be written, or a chart
            cannot be drawn.
    """
    results = load_results(results_dir, run_id=run_id)
    written: list[Path] = []
    digests: list[Digest] = []
    with Studio(drawing=charts) as studio:
        for experiment in results.experiments:
            digest, path = _write_experiment(experiment, studio)
            digests.append(digest)
            written.append(path)
        if results.experiments[0].directory != results.path:
            blocks = results_report(results.path, digests)
            written.append(write(results.path / REPORT, document(studio.hang(blocks, results.path))))
    return written


def write(path: Path, content: str) -> Path:
    """Replace a report.

    Raises:
        ResultsError: it cannot be written.
    """
    if path.is_dir():
        raise ResultsError(f"{path}: a folder stands in the place of the report; move it away or rename it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
    except OSError as cause:
        raise ResultsError(f"cannot write {path}: {cause.strerror or cause}") from None
    return path


def _write_experiment(experiment: ExperimentResults, studio: Studio) -> tuple[Digest, Path]:
    with opened(experiment) as (digest, tables):
        blocks = experiment_report(digest, tables)
    return digest, write(experiment.directory / REPORT, document(studio.hang(blocks, experiment.directory)))
