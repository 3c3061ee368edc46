"""Cases of a benchmark from a JSON Lines file: each line one record, checked by its model, ids unique."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.json_lines import read_rows
from heta_framework.common.data_files.reading import checked

Record = TypeVar("Record", bound=BaseModel)


def read_cases(path: Path, kind: type[Record], id_of: Callable[[Record], str], limit: int | None) -> list[Record]:
    """The first ``limit`` records of a file (all of them where it is None).

    Raises:
        DatasetFormatError: the file cannot be read, a line is no such record, two records have one id, or it is empty.
    """
    adapter = TypeAdapter(kind)
    cases: list[Record] = []
    places: dict[str, str] = {}
    for place, row in read_rows(path):
        if limit is not None and len(cases) >= limit:
            break
        case = checked(adapter, row, place)
        name = id_of(case)
        if name in places:
            raise DatasetFormatError(place, "", f"found the id {name!r} again; it stands in {places[name]} too")
        places[name] = place
        cases.append(case)
    if not cases:
        raise DatasetFormatError(path, "", "the file holds no records")
    return cases
