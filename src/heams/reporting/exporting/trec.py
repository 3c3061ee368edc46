"""Writes what experiments retrieved as TREC run files, and what is relevant as qrels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from heams.orchestration.files import file_name_for
from heams.reporting.errors import ResultsError
from heams.reporting.exporting.questions import questions_of
from heams.reporting.exporting.reports import ReportFolder
from heams.reporting.load import ExperimentResults, load_results
from heta_framework.evaluation.trec.files import escaped_id, write_qrels, write_run

QRELS = "qrels.trec"


class Written(NamedTuple):
    """A file that was written, and how many documents of how many questions are in it."""

    path: Path
    documents: int
    questions: int


def export_trec(
    results: Iterable[Path], output_dir: Path, *, run_id: str | None = None, escape_ids: bool = False
) -> Iterator[Written]:
    """Write a folder for each experiment, and for each folder of a report.

    An experiment gets ``run.trec`` (``run.repeat-1.trec`` ... where it was repeated) and ``qrels.trec``; a report gets
    ``run.<mode>.trec`` for each mode, and no labels, as reports hold none.

    Raises:
        ResultsError: there are no results, they are damaged, or two of them have the same name.
        TrecFileError: an id holds white space and `escape_ids` is not set, or a file cannot be written.
    """
    taken: dict[str, Path] = {}
    for path in results:
        report = ReportFolder.at(path)
        found = [report] if report is not None else load_results(path, run_id=run_id).experiments
        for one in found:
            name = file_name_for(one.name)
            if name in taken:
                raise ResultsError(f"{one.directory} and {taken[name]} are both called {one.name}; export them apart")
            taken[name] = one.directory
            folder = output_dir / name
            if isinstance(one, ReportFolder):
                yield from _report(one, folder, escape_ids=escape_ids)
            else:
                yield from _experiment(one, folder, escape_ids=escape_ids)


def _report(report: ReportFolder, folder: Path, *, escape_ids: bool) -> Iterator[Written]:
    for mode in report.modes:
        tag = escaped_id(f"{report.name}:{mode}")
        yield _run(folder / f"run.{file_name_for(mode)}.trec", report.questions(mode), tag, escape_ids=escape_ids)


def _experiment(experiment: ExperimentResults, folder: Path, *, escape_ids: bool) -> Iterator[Written]:
    """One pass over the results for each repeat; the first one finds out how many there are, and the labels."""
    labels: dict[str, Mapping[str, int]] = {}
    repeats: set[int] = set()
    tag = escaped_id(experiment.name)

    def questions(repeat: int) -> Iterator[tuple[str, Mapping[str, float]]]:
        for result in experiment:
            repeats.add(result.repeat)
            for question in questions_of(result):
                if question.labels:
                    labels[question.id] = question.labels
                if result.repeat == repeat:
                    yield question.id, question.scores

    yield _run(folder / "run.trec", questions(0), tag, escape_ids=escape_ids)
    for repeat in sorted(repeats - {0}):
        yield _run(folder / f"run.repeat-{repeat}.trec", questions(repeat), tag, escape_ids=escape_ids)
    documents = write_qrels(folder / QRELS, labels, escape_ids=escape_ids)
    yield Written(folder / QRELS, documents, len(labels))


def _run(path: Path, questions: Iterable[tuple[str, Mapping[str, float]]], tag: str, *, escape_ids: bool) -> Written:
    seen: set[str] = set()

    def each_once() -> Iterator[tuple[str, Mapping[str, float]]]:
        for question, scores in questions:
            if question in seen:
                raise ValueError(f"two questions have the id {question!r}")
            if scores:
                seen.add(question)
            yield question, scores

    documents = write_run(path, each_once(), tag=tag, escape_ids=escape_ids)
    return Written(path, documents, len(seen))
