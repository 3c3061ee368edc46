"""TREC run files: ``question Q0 document rank score tag``, one retrieved document a line.

As for trec_eval, score and id decide on the order, and the columns ``Q0``, rank and tag are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isnan
from pathlib import Path
from sys import intern

from heta_framework.evaluation.trec.files.errors import TrecFileError
from heta_framework.evaluation.trec.files.ids import id_writer
from heta_framework.evaluation.trec.files.lines import decoded, numbered_lines, write_lines
from heta_framework.evaluation.trec.ranking import trec_order

_COLUMNS = ("question", "Q0", "document", "rank", "score", "tag")


def read_run(path: str | Path) -> dict[str, dict[str, float]]:
    """The score of each document by question, in the order of the file.

    Raises:
        TrecFileError: the file cannot be read, a line has not six columns, a score is no number, or a document stands
            twice under one question; the message has file and line.
    """
    file = Path(path)
    run: dict[str, dict[str, float]] = {}
    for number, line in numbered_lines(file):
        columns = line.split()
        if len(columns) != len(_COLUMNS):
            expected = f"expected {len(_COLUMNS)} columns ({' '.join(_COLUMNS)}), found {len(columns)}"
            raise TrecFileError(file, number, expected)
        question, document = decoded(file, number, (columns[0], columns[2]))
        scores = run.setdefault(question, {})
        if document in scores:
            raise TrecFileError(file, number, f"document {document!r} stands twice under question {question!r}")
        scores[intern(document)] = _score(file, number, columns[4])
    return run


def write_run(
    path: str | Path,
    run: Mapping[str, Mapping[str, float]] | Iterable[tuple[str, Mapping[str, float]]],
    *,
    tag: str = "heams",
    escape_ids: bool = False,
) -> int:
    """Write a run; scores keep every digit, so that reading it gives the same numbers. Returns the lines written.

    Args:
        run: scores of documents by question; questions without documents leave no line.
        tag: names the run, in the last column.
        escape_ids: percent-encode white space in ids and tag, which are refused with it otherwise.

    Raises:
        TrecFileError: an id or the tag holds white space, a score is NaN, or the file cannot be written. The file is
            then as it was before.
    """
    pairs = run.items() if isinstance(run, Mapping) else run
    return write_lines(Path(path), _lines(pairs, tag, id_writer(escape=escape_ids)))


def _lines(run: Iterable[tuple[str, Mapping[str, float]]], tag: str, written: Callable[[str], str]) -> Iterator[str]:
    end = f"{written(tag)}\n"
    for question, scores in run:
        begin = f"{written(question)} Q0"
        for rank, document in enumerate(trec_order(scores), start=1):
            yield f"{begin} {written(document)} {rank} {float(scores[document])!r} {end}"


def _score(path: Path, number: int, column: bytes) -> float:
    try:
        score = float(column)
    except ValueError:
        score = float("nan")
    if isnan(score):
        raise TrecFileError(path, number, f"score is {column.decode('utf-8', 'replace')!r}; expected a number")
    return score
