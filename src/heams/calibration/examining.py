"""From files to an exam: the judge, the benchmark's gold, LoCoMo's audit and labels by people."""

from collections.abc import Iterator
from pathlib import Path

from heams.benchmarks.locomo.audit import load_findings
from heams.calibration.audit_cases import audit_cases
from heams.calibration.cases import Case, balanced, build_cases
from heams.calibration.human_labels import HumanLabel, read_human_labels
from heams.calibration.questions import gold_questions
from heams.calibration.running import Exam
from heams.calibration.subject import Subject
from heams.orchestration.configured import configured
from heams.orchestration.data_hints import data_hints
from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Component
from heams.orchestration.loading import load_benchmark
from heta_framework.common.config import file_fingerprint, load_yaml, project_root
from heta_framework.common.data_files.errors import DatasetFormatError

_FEWEST_QUESTIONS = 200
"""So many are used where there are as many: rare kinds of cases need some to come from."""


def prepare_exam(
    subject: Subject,
    benchmark_file: Path,
    *,
    n: int,
    seed: int,
    audit: Path | None = None,
    audit_sha256: str | None = None,
    human: Path | None = None,
) -> Exam:
    """An exam of at most ``n`` cases, the same for the same files and ``seed``; labels by people come on top.

    Raises:
        ConfigError: the benchmark's file is wrong.
        RunRefused: the data cannot be used, or holds no gold answer.
    """
    root = project_root(benchmark_file)
    with data_hints():
        document = load_yaml(benchmark_file)
    component = configured(document, "benchmark", label=benchmark_file.stem, source=str(benchmark_file), root=root)
    try:
        cases = balanced(_cases(subject, component, n, seed, audit, audit_sha256), n)
        labels: list[HumanLabel] = [] if human is None else read_human_labels(human, subject.policy)
    except DatasetFormatError as error:
        raise RunRefused(str(error)) from error
    sources = {file.as_written: file.sha256 for file in component.files}
    sources |= {str(path): file_fingerprint(path) for path in (audit, human) if path is not None}
    return Exam(subject, component.label, seed, cases, labels, sources)


def _cases(
    subject: Subject, component: Component, n: int, seed: int, audit: Path | None, audit_sha256: str | None
) -> Iterator[Case]:
    questions = list(gold_questions(load_benchmark(component).samples))
    if not questions:
        raise RunRefused(f"benchmark {component.label!r} has no question with an expected answer")
    field, verdict = subject.accepting
    yield from build_cases(questions, seed, at_most=max(n, _FEWEST_QUESTIONS), field=field, verdict=verdict)
    if audit is not None:
        yield from audit_cases(load_findings(audit, audit_sha256))
