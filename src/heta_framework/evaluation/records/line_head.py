"""The head of a line of ``cases.jsonl``: whose result it is, read without looking at the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

CaseKey = tuple[str, str]
"""A case's id and the mode that it was asked in."""

_TEXT = rb'"([^"\\]*(?:\\.[^"\\]*)*)"'
_HEAD = re.compile(
    rb'\{"case_id":%s,"query_mode":%s,"unit":%s,"ordinal":(\d+),"failed":(true|false)[,}]' % (_TEXT, _TEXT, _TEXT)
)
_BUFFER = 1 << 20


class CaseLine(NamedTuple):
    """Where a case's line is, and what its head says.

    Attributes:
        offset: of its first byte in the file.
        ordinal: its place among all cases and modes.
        unit: the run unit that it belongs to.
        failed: whether the query failed.
    """

    offset: int
    ordinal: int
    unit: str
    failed: bool


class CaseIndex(NamedTuple):
    """The last line of each key, how many lines those replace, and the numbers of lines that cannot be read."""

    lines: dict[CaseKey, CaseLine]
    superseded: int
    damaged: list[int]

    def in_order(self) -> list[tuple[CaseKey, CaseLine]]:
        """The lines by ordinal: case after case, the modes of a case in the order asked."""
        return sorted(self.lines.items(), key=lambda item: (item[1].ordinal, item[1].offset))


def read_index(path: Path) -> CaseIndex:
    """Read the heads of all lines; of a key with several lines the last one counts. No file is an empty one."""
    lines: dict[CaseKey, CaseLine] = {}
    damaged: list[int] = []
    if not path.is_file():
        return CaseIndex(lines, 0, damaged)
    texts = _Texts()
    number = offset = 0
    with path.open("rb", buffering=_BUFFER) as file:
        for number, line in enumerate(file, start=1):
            head = _HEAD.match(line)
            if head is None or line[-2:] != b"}\n":
                damaged.append(number - 1)
            else:
                case_id, mode, unit, ordinal, failed = head.groups()
                key = (_text(case_id), texts[mode])
                lines[key] = CaseLine(offset, int(ordinal), texts[unit], failed == b"true")
            offset += len(line)
    return CaseIndex(lines, number - len(damaged) - len(lines), damaged)


class _Texts(dict[bytes, str]):
    """Modes and units: there are few, so each is decoded once."""

    def __missing__(self, raw: bytes) -> str:
        self[raw] = text = _text(raw)
        return text


def _text(raw: bytes) -> str:
    text: str = json.loads(b'"%s"' % raw) if b"\\" in raw else raw.decode("utf-8", "replace")
    return text
