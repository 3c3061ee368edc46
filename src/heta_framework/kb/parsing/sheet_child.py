"""Reads one workbook in a process of its own, within a memory limit, and writes its sheets as JSON.

Run as a script, without this package: a workbook of a few bytes can make a reader lay out a billion cells, and where
memory ends the reader ends the process with it.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from datetime import date, datetime
from typing import Any

_EXACT = 1e15


def main(folder: str, max_memory: int, max_cells: int) -> None:
    """Workbook on the standard input, JSON on the standard output: ``sheets`` or ``error``."""
    sys.path.insert(0, folder)  # where the parent found the library
    import python_calamine

    _limit_memory(max_memory)
    try:
        answer: dict[str, Any] = {"sheets": _sheets(python_calamine, sys.stdin.buffer.read(), max_cells)}
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    except BaseException as error:  # noqa: BLE001 - a panic of the reader is no Exception
        answer = {"error": f"the reader failed: {error}"}
    sys.stdout.buffer.write(json.dumps(answer).encode())


def _limit_memory(most: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system has such a limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _sheets(calamine: Any, data: bytes, max_cells: int) -> list[tuple[str, list[list[str]]]]:
    workbook = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    sheets: list[tuple[str, list[list[str]]]] = []
    cells = 0
    for name in workbook.sheet_names:
        rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
        cells += len(rows) * (len(rows[0]) if rows else 0)
        if cells > max_cells:
            raise ValueError(f"it reaches over more than {max_cells} cells")
        sheets.append((name, [[_text(cell) for cell in row] for row in rows]))
    return sheets


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _EXACT:
        return str(int(cell))
    if isinstance(cell, datetime) and not (cell.hour or cell.minute or cell.second or cell.microsecond):
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, date) else str(cell)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
