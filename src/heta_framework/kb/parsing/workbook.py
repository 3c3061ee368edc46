"""The sheets of a workbook, read by `heta_framework.kb.parsing.sheet_child` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from heta_framework.kb.parsing.protocol import DocumentParseError

_CHILD = Path(__file__).with_name("sheet_child.py")

Sheet = tuple[str, list[list[str]]]
"""Its name and its rows."""


def workbook_sheets(data: bytes, *, max_memory: int, max_cells: int, timeout_s: float) -> list[Sheet]:
    """The sheets, in order.

    Raises:
        DocumentParseError: it is no workbook, damaged, encrypted, or too large for the limits.
    """
    # -P: the script's own folder, whose modules are named like some of the standard library, is no place to import from
    command = [sys.executable, "-P", str(_CHILD), _library_folder(), str(max_memory), str(max_cells)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=timeout_s, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise DocumentParseError(f"it takes more than {timeout_s:g} seconds to read") from None
    if done.returncode != 0:
        raise DocumentParseError(f"it cannot be read within {max_memory} bytes of memory")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise DocumentParseError(f"it is no workbook, damaged, encrypted or too large: {answer['error']}")
    return [(name, rows) for name, rows in answer["sheets"]]


def _library_folder() -> str:
    spec = find_spec("python_calamine")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            "python-calamine is not installed: pip install python-calamine", name="python_calamine"
        )
    return str(Path(spec.origin).parent.parent)
