"""Events of a shared history, found in its file without reading them all into objects."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from heams.browse.index.offsets import LineOffsets
from heams.orchestration.saved_histories import history_file
from heams.reporting.load import ExperimentResults

EVENTS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """Event ``number`` (from 1) of a history, as it was saved; empty ``fields`` where its line is damaged."""

    number: int
    fields: Mapping[str, Any]

    @property
    def page(self) -> int:
        """The page that it is on."""
        return (self.number - 1) // EVENTS_A_PAGE + 1


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The events of page ``page`` (from 1) of ``pages``."""

    events: tuple[HistoryEvent, ...]
    page: int
    pages: int
    total: int

    @property
    def first(self) -> int:
        """The number of the first event; 0 where there is none."""
        return self.events[0].number if self.events else 0

    @property
    def last(self) -> int:
        """The number of the last event; 0 where there is none."""
        return self.events[-1].number if self.events else 0


def history_page(results: ExperimentResults, history_id: str, page: int) -> HistoryPage | None:
    """A page of a history (the last one where there are fewer); None where the history was not saved."""
    path = history_file(results.directory, history_id, results.run_id)
    if not path.is_file():
        return None
    lines = LineOffsets(path)
    pages = max(1, -(-len(lines) // EVENTS_A_PAGE))
    shown = min(page, pages)
    start = (shown - 1) * EVENTS_A_PAGE
    numbers = range(start, min(start + EVENTS_A_PAGE, len(lines)))
    events = tuple(HistoryEvent(number + 1, _fields(lines.line(number))) for number in numbers)
    return HistoryPage(events, shown, pages, len(lines))


def events_of(results: ExperimentResults, history_id: str, ids: Collection[str]) -> dict[str, HistoryEvent]:
    """The events with these ids; those that the history does not have are missing."""
    path = history_file(results.directory, history_id, results.run_id)
    if not ids or not path.is_file():
        return {}
    marks = [b'"id":' + to_json(one) for one in ids]
    wanted, found = set(ids), dict[str, HistoryEvent]()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not any(mark in line for mark in marks):
                continue
            fields = _fields(line)
            if fields.get("id") in wanted:
                found.setdefault(fields["id"], HistoryEvent(number, fields))
                if len(found) == len(wanted):
                    break
    return found


def _fields(line: bytes) -> Mapping[str, Any]:
    try:
        fields = from_json(line)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}
