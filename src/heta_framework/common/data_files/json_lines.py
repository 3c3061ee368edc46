"""JSON Lines: one value a line, read when it is asked for, each with the file and the line it stands in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import BOM, parse_json


def read_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Each line that is not blank, as (``path:line``, value); lines may end in CRLF, the file may begin with a BOM.

    Raises:
        DatasetFormatError: the file cannot be read, or a line is not strict JSON.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.removeprefix(BOM).strip():
                    place = f"{path}:{number}"
                    yield place, parse_json(line, place)
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause
