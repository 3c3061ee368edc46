"""Files of JSON lines as DuckDB sources: damaged lines and a half-written last one are left out, lines may be long."""

import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heams.reporting.errors import ResultsError

if TYPE_CHECKING:
    import duckdb

LINES = "{lines}"
"""Stands for the rows of the file in a statement."""

_SOURCE = "read_json($path, format = 'newline_delimited', columns = {columns}, maximum_object_size = {size})"
_USUAL_LINE_BYTES = 16 * 1024 * 1024


def connect() -> "duckdb.DuckDBPyConnection":
    """A new in-memory database, which spills into the system's folder for temporary files."""
    import duckdb

    return duckdb.connect(config={"temp_directory": str(Path(tempfile.gettempdir()) / "heams-duckdb")})


def execute_on_lines(
    connection: "duckdb.DuckDBPyConnection",
    statement: str,
    path: Path,
    columns: Mapping[str, str],
    parameters: Mapping[str, Any],
    *,
    damaged: Collection[int] = (),
) -> None:
    """Execute ``statement``, in which ``{lines}`` stands for the rows of ``path`` with ``columns`` (name to type).

    Keys that a line lacks are NULL, keys that ``columns`` lacks are ignored. ``damaged`` are the numbers (from 1) of
    lines to leave out; DuckDB's own ``ignore_errors`` would keep them as rows of NULL.

    Raises:
        ResultsError: a line is no JSON, or holds another type than ``columns`` says.
    """
    size = path.stat().st_size
    try:
        _execute(connection, statement, path, columns, parameters, damaged, copied=False)
    except ResultsError:
        if path.stat().st_size == size:
            raise
        # a line was being written meanwhile: of a copy of the whole ones nothing is half-written
        _execute(connection, statement, path, columns, parameters, damaged, copied=True)


def _execute(
    connection: "duckdb.DuckDBPyConnection",
    statement: str,
    path: Path,
    columns: Mapping[str, str],
    parameters: Mapping[str, Any],
    damaged: Collection[int],
    *,
    copied: bool,
) -> None:
    import duckdb

    with _sound(path, damaged, copied=copied) as readable:
        for size in (_USUAL_LINE_BYTES, max(readable.stat().st_size, _USUAL_LINE_BYTES)):
            source = _SOURCE.replace("{columns}", str(dict(columns))).replace("{size}", str(size))
            try:
                connection.execute(statement.replace(LINES, source), {"path": str(readable), **parameters})
            except duckdb.InvalidInputException as cause:
                if "maximum_object_size" in str(cause) and size < readable.stat().st_size:
                    continue  # DuckDB reserves twice the size per thread, so the large one is not the first choice
                raise ResultsError(f"{path}: cannot be read: {str(cause).partition(chr(10))[0]}") from None
            return


@contextmanager
def _sound(path: Path, damaged: Collection[int], *, copied: bool) -> Iterator[Path]:
    """``path`` itself where all its lines are whole and sound, else a temporary copy of those that are."""
    if not copied and not damaged and _whole_bytes(path) == path.stat().st_size:
        yield path
        return
    from heams.reporting.lines import whole_lines

    with tempfile.TemporaryDirectory(prefix="heams-") as folder:
        copy = Path(folder) / path.name
        with copy.open("wb") as file:
            file.writelines(line.content for line in whole_lines(path) if line.number not in damaged)
        yield copy


def _whole_bytes(path: Path) -> int:
    """How many bytes there are up to the last newline."""
    with path.open("rb") as file:
        position = file.seek(0, os.SEEK_END)
        while position > 0:
            start = max(0, position - 65_536)
            file.seek(start)
            newline = file.read(position - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            position = start
    return 0
