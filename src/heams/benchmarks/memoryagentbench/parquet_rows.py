"""Rows from a Parquet file, by duckdb: contexts stay in the file until one is played."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from heams.benchmarks.memoryagentbench.records import Metadata, NumberedRow, Row
from heta_framework.common.data_files import DatasetFormatError, checked

_ROW = TypeAdapter(Row)
_FIELDS = "DESCRIBE SELECT metadata.* FROM read_parquet($path)"
_ROWS = """
    SELECT regexp_matches(context, '\\S'), md5(context), questions, answers, {metadata}
    FROM read_parquet($path, file_row_number = true) ORDER BY file_row_number
"""
_CONTEXT = "SELECT context FROM read_parquet($path, file_row_number = true) WHERE file_row_number = $number"
_EXPECTED = "expected a table with the columns context, questions, answers and metadata (with the field source)"


class ParquetRows:
    """A table of rows in the published layout.

    Raises:
        DatasetFormatError: the file cannot be read, or is no such table.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def rows(self) -> Iterator[NumberedRow]:
        """All rows, in order, without what the loader has no use for (whole sessions among the metadata)."""
        known = {row[0] for row in self._ask(_FIELDS)}
        fields = [name for name in Metadata.model_fields if name in known]
        if "source" not in fields:
            raise DatasetFormatError(self._path, "metadata", f"found no field 'source'; {_EXPECTED}")
        query = _ROWS.replace("{metadata}", ", ".join(f"metadata.{name}" for name in fields))
        for number, (has_context, digest, questions, answers, *values) in enumerate(self._ask(query)):
            place = f"{self._path}: row {number + 1}"
            value = {"questions": questions, "answers": answers, "metadata": dict(zip(fields, values, strict=True))}
            yield NumberedRow(place, number, checked(_ROW, value, place), bool(has_context), str(digest))

    def context(self, number: int) -> str:
        """The context of one row."""
        ((context,),) = self._ask(_CONTEXT, number=number)
        return str(context)

    def _ask(self, query: str, **parameters: int) -> Sequence[tuple[Any, ...]]:
        import duckdb

        with duckdb.connect(config={"threads": 1}) as connection:
            try:
                found: Sequence[tuple[Any, ...]] = connection.execute(
                    query, {"path": str(self._path), **parameters}
                ).fetchall()
            except duckdb.Error as cause:
                first = str(cause).strip().splitlines()[0]
                raise DatasetFormatError(self._path, "", f"{_EXPECTED}; {first}") from cause
        return found
