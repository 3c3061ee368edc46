"""The tables of an experiment as they were at one moment, with the places of its lines."""

from dataclasses import dataclass
from pathlib import Path

from heams.browse.index.database import Database
from heams.browse.index.offsets import LineOffsets
from heams.browse.index.recalled_texts import RecalledTexts
from heams.browse.index.writing import write_index
from heams.reporting.lines import Damage
from heams.reporting.load import ExperimentResults


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file of the database, with the results of ``version``. ``damaged`` lines are in no table."""

    file: Path
    version: str
    runs: LineOffsets | None
    texts: RecalledTexts
    damaged: tuple[Damage, ...]


def load(database: Database, results: ExperimentResults, version: str) -> Loaded:
    """Read an experiment's files into the database; they are at least as new as ``version``.

    Raises:
        ResultsError: a file cannot be read.
    """
    file = database.new_file()
    try:
        written = write_index(results, file)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    database.attach(file)
    runs = results.directory / "runs.jsonl"
    offsets = LineOffsets(runs, written.runs) if runs.is_file() else None
    texts = RecalledTexts(results.directory / "texts.jsonl", written.texts)
    return Loaded(file, version, offsets, texts, written.damaged)
