"""The files of a folder, a competency each, as JSON Lines or as the published Parquet."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from heams.benchmarks.memoryagentbench.competencies import COMPETENCIES, Competency
from heams.benchmarks.memoryagentbench.json_rows import JsonRows
from heams.benchmarks.memoryagentbench.parquet_rows import ParquetRows
from heams.benchmarks.memoryagentbench.records import RowFile
from heta_framework.common.data_files import DatasetFormatError


def find_files(folder: Path, wanted: Sequence[Competency] | None) -> Mapping[Competency, RowFile]:
    """The files of the wanted competencies (of all that have one, where it is None), in the order of the paper.

    Raises:
        DatasetFormatError: a wanted competency has no file or several, or there is none at all.
    """
    found: dict[Competency, RowFile] = {}
    for competency in COMPETENCIES:
        if wanted is not None and competency not in wanted:
            continue
        paths = _paths(folder, competency)
        if len(paths) > 1:
            names = ", ".join(path.name for path in paths)
            raise DatasetFormatError(folder, "", f"found several files for {competency}: {names}; expected one")
        if paths:
            found[competency] = _opened(paths[0])
        elif wanted is not None:
            raise DatasetFormatError(folder, "", f"found no {competency}.jsonl and no {competency}*.parquet")
    if not found:
        names = ", ".join(COMPETENCIES)
        raise DatasetFormatError(
            folder, "", f"found no <competency>.jsonl or <competency>*.parquet; there may be {names}"
        )
    return found


def _paths(folder: Path, competency: Competency) -> list[Path]:
    patterns = (f"{competency}.jsonl", f"{competency}*.parquet")
    return sorted(path for pattern in patterns for path in folder.glob(pattern))


def _opened(path: Path) -> RowFile:
    return JsonRows(path) if path.suffix == ".jsonl" else ParquetRows(path)
