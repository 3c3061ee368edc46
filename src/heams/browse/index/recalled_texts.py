"""Texts of recalled items, looked up by key without holding them in memory."""

from collections.abc import Collection
from pathlib import Path

from heams.browse.index.offsets import LineOffsets
from heams.orchestration.saved_lines import DamagedLine, saved_text
from heams.reporting.tables import Tables

_FIND = "SELECT id, max(line) FROM recalled_texts WHERE id IN (SELECT unnest($keys)) GROUP BY id"


class RecalledTexts:
    """The texts of a file; ``damaged`` are the numbers (from 1) of lines that no table knows."""

    def __init__(self, path: Path, damaged: Collection[int]) -> None:
        self._lines = LineOffsets(path, damaged) if path.is_file() else None

    def find(self, tables: Tables, keys: Collection[str]) -> dict[str, str]:
        """The texts of these keys; keys that were not saved are missing."""
        if self._lines is None or not keys:
            return {}
        found = {}
        for key, line in tables.rows(_FIND, {"keys": sorted(keys)}):
            try:
                found[key] = saved_text(self._lines.line(line))["text"]
            except DamagedLine:
                continue
        return found
