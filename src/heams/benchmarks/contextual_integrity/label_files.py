"""Label files, told apart by what their rows hold.

Ours is JSON Lines, a row for each context: ``name``, ``recipient``, ``task``, ``share`` and ``private`` (attributes by
key), and ``labelled_by`` (who or which model decided). The published one has a row for each attribute in each context:
``name``, ``attribute``, ``memory_statement``, ``label`` (1 share, 0 private) and ``prompt``, of which the context is
read; as JSON Lines, CSV or Parquet.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, StrictFloat, StrictInt, StrictStr, TypeAdapter

from heams.benchmarks.contextual_integrity.labels import PRIVATE, SHARE, Label, row_label
from heams.benchmarks.contextual_integrity.records import Text
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_lines import read_rows
from heta_framework.common.data_files.reading import checked

_TABLES = {".parquet": "read_parquet", ".csv": "read_csv_auto"}
_COLUMNS = ("name", "attribute", "memory_statement", "label", "prompt")
_ROWS_AT_ONCE = 2_000
_PROMPT_END = 4_000  # characters: the instruction stands behind the memories
OFFICIAL_LABELS: Final = "gpt-5 (official labels)"
"""Who decided what the published rows, and the official labelling script, say."""
_PURPOSE = re.compile(
    r"message to (?P<recipient>[^\n]+?) to achieve the following purpose: (?P<task>[^\n]+?)\.?\s*$", re.MULTILINE
)


_SELECT = """
    SELECT CAST(name AS VARCHAR), CAST(attribute AS VARCHAR), CAST(memory_statement AS VARCHAR), CAST(label AS DOUBLE),
           right(CAST(prompt AS VARCHAR), $end)
    FROM {reader}($path)
"""


class LabelEntry(NamedTuple):
    """What a file says about attributes in a context.

    ``context`` is None where a prompt does not name one. ``statement`` is that of the attribute, where the file has it.
    """

    name: str
    context: tuple[str, str] | None
    labels: Mapping[str, tuple[Label, ...]]
    labelled_by: str | None = None
    statement: str | None = None


class _OfContext(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text
    recipient: Text
    task: Text
    share: Sequence[Text]
    private: Sequence[Text]
    labelled_by: Text | None = None


class _OfAttribute(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    name: Text
    attribute: Text
    memory_statement: StrictStr
    label: StrictInt | StrictFloat | None
    prompt: StrictStr


_CONTEXT_ROW = TypeAdapter(_OfContext)
_ATTRIBUTE_ROW = TypeAdapter(_OfAttribute)


def read_labels(path: Path) -> Iterator[LabelEntry]:
    """The entries of a label file, one at a time.

    Raises:
        DatasetFormatError: the file cannot be read, or a row is of neither kind.
    """
    reader = _TABLES.get(path.suffix.lower())
    for place, row in read_rows(path) if reader is None else _table_rows(path, reader):
        if isinstance(row, Mapping) and "attribute" in row:
            yield _of_attribute(checked(_ATTRIBUTE_ROW, row, place))
        else:
            yield _of_context(checked(_CONTEXT_ROW, row, place))


def _of_context(row: _OfContext) -> LabelEntry:
    labels: dict[str, tuple[Label, ...]] = {}
    said: tuple[tuple[Label, Sequence[str]], ...] = ((SHARE, row.share), (PRIVATE, row.private))
    for label, attributes in said:
        for attribute in attributes:
            labels[attribute] = (*labels.get(attribute, ()), label)
    return LabelEntry(row.name, (row.recipient, row.task), labels, row.labelled_by)


def _of_attribute(row: _OfAttribute) -> LabelEntry:
    found = list(_PURPOSE.finditer(row.prompt[-_PROMPT_END:]))
    context = (found[-1]["recipient"].strip(), found[-1]["task"].strip()) if found else None
    labels = {row.attribute: (row_label(row.label),)}
    return LabelEntry(row.name, context, labels, OFFICIAL_LABELS, row.memory_statement)


def _table_rows(path: Path, reader: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of a table, in batches; of long prompts only the end is kept."""
    import duckdb

    with duckdb.connect() as connection:
        try:
            rows = connection.execute(_SELECT.replace("{reader}", reader), {"end": _PROMPT_END, "path": str(path)})
            number = 0
            while batch := rows.fetchmany(_ROWS_AT_ONCE):
                for row in batch:
                    number += 1
                    yield f"{path}: row {number}", dict(zip(_COLUMNS, row, strict=True))
        except duckdb.Error as cause:
            first = str(cause).strip().splitlines()[0]
            expected = f"a table with the columns {', '.join(_COLUMNS)}"
            raise DatasetFormatError(path, "", f"expected {expected}; {first}") from cause
