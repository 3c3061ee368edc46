"""What each action changed in the memory, and what inspections found in it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from heams.browse.index import Experiment
from heams.browse.rendering.word_diff import WordDiff, word_diff
from heams.browse.views.sample.steps import type_of
from heams.browse.views.sample.verdicts import title_of
from heams.memory.base import ForgetReceipt, MemoryItem
from heams.orchestration.results import RunResult, SavedMemoryChange, SavedWrite, TranscriptStep
from heams.reporting.saved import part

SHOWN_ITEMS = 10
"""Items of each kind that are shown of a step among others."""
ITEMS_A_PAGE = 200
"""Items that are shown of a step that is looked at alone."""
STEPS_A_PAGE = 50
ChangeKind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item that came, went, or is another. ``text`` is None where it was not saved; ``diff`` only of changed ones.

    ``fields`` names what changed besides the text; ``source`` are the events it is from, where that is not its id.
    """

    kind: ChangeKind
    id: str
    text: str | None
    diff: WordDiff | None = None
    fields: tuple[str, ...] = ()
    source: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DumpView:
    """What an inspection found: ``items`` of ``total``. ``since`` is the step of the inspection before, if any."""

    items: tuple[MemoryItem, ...]
    total: int
    since: int | None
    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """A step in which something happened to the memory. ``more`` items are not shown."""

    index: int
    type: str
    title: str
    before: int | None
    after: int | None
    change: SavedMemoryChange | None
    items: tuple[ChangedItem, ...]
    more: int
    writes: tuple[SavedWrite, ...]
    receipt: ForgetReceipt | None
    dump: DumpView | None

    @property
    def unchanged(self) -> bool:
        """Whether somebody looked, and found everything as it was."""
        return self.change is not None and self.change.reason is None and not self.items and not self.more


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The steps of a page. ``why_nothing`` says in words why there are none, or why changes are missing."""

    steps: tuple[MemoryStep, ...]
    why_nothing: str | None
    alone: bool
    page: int
    pages: int
    total: int

    @property
    def first(self) -> int:
        """The number of the first step of the page, or item where a step is looked at alone; 0 where there is none."""
        return (self.page - 1) * self._size + 1 if self.total else 0

    @property
    def last(self) -> int:
        """The number of the last one."""
        return min(self.page * self._size, self.total)

    @property
    def _size(self) -> int:
        return ITEMS_A_PAGE if self.alone else STEPS_A_PAGE


def memory(experiment: Experiment, result: RunResult, at: int | None, page: int) -> MemoryView:
    """What happened to the memory; only in step ``at``, and then in full, where it is given."""
    involved = [step for step in result.transcript if _involves_memory(step)]
    dumps = _dumps_before(result.transcript)
    chosen = [step for step in involved if step.index == at]
    alone = bool(chosen)
    size = ITEMS_A_PAGE if alone else STEPS_A_PAGE
    total = _items_of(chosen[0]) if alone else len(involved)
    pages = max(1, -(-total // size))
    shown = min(page, pages)
    start = (shown - 1) * size
    window = range(start, start + size) if alone else range(SHOWN_ITEMS)
    steps = chosen if alone else involved[start : start + size]
    texts = experiment.texts({key for step in steps for key in _keys(step.memory_change, window)})
    views = tuple(_view(step, dumps.get(step.index), texts, window) for step in steps)
    return MemoryView(views, _why_nothing(experiment, result, involved), alone, shown, pages, total)


def _involves_memory(step: TranscriptStep) -> bool:
    return bool(step.memory_change or step.writes or step.receipt) or step.dump is not None


def _view(step: TranscriptStep, before: TranscriptStep | None, texts: Mapping[str, str], window: range) -> MemoryStep:
    change = step.memory_change
    items = tuple(_changed(change, texts, window)) if change is not None else ()
    return MemoryStep(
        index=step.index,
        type=type_of(step),
        title=title_of(step),
        before=change.items_before if change is not None else None,
        after=change.items_after if change is not None else None,
        change=change,
        items=items,
        more=_changes_in(change) - len(items),
        writes=step.writes or (),
        receipt=step.receipt,
        dump=_dump(step.dump, before, window) if step.dump is not None else None,
    )


def _lists(change: SavedMemoryChange) -> tuple[Sequence[object], ...]:
    return change.removed or (), change.changed or (), change.added or ()


def _changes_in(change: SavedMemoryChange | None) -> int:
    return sum(map(len, _lists(change))) if change is not None else 0


def _items_of(step: TranscriptStep) -> int:
    return max(len(step.dump or ()), *(len(one) for one in _lists(step.memory_change or SavedMemoryChange())))


def _keys(change: SavedMemoryChange | None, window: range) -> Iterator[str]:
    if change is None:
        return
    part_of = slice(window.start, window.stop)
    for item in (*(change.removed or ())[part_of], *(change.added or ())[part_of]):
        yield item.text
    for pair in (change.changed or ())[part_of]:
        yield from (pair.before, pair.after)


def _changed(change: SavedMemoryChange, texts: Mapping[str, str], window: range) -> Iterator[ChangedItem]:
    part_of = slice(window.start, window.stop)
    for item in (change.removed or ())[part_of]:
        yield ChangedItem("removed", item.id, texts.get(item.text), source=item.event_ids or ())
    for pair in (change.changed or ())[part_of]:
        old, new = texts.get(pair.before), texts.get(pair.after)
        known = old is not None and new is not None
        diff = word_diff(old or "", new or "") if known and pair.before != pair.after else None
        fields = tuple(field for field in pair.fields if field != "text")
        yield ChangedItem("changed", pair.id, new, diff, fields, pair.event_ids or ())
    for item in (change.added or ())[part_of]:
        yield ChangedItem("added", item.id, texts.get(item.text), source=item.event_ids or ())


def _dumps_before(steps: Iterable[TranscriptStep]) -> dict[int, TranscriptStep]:
    """For each inspection the one before it."""
    inspected = [step for step in steps if step.dump is not None]
    return {later.index: earlier for earlier, later in pairwise(inspected)}


def _dump(dump: Sequence[MemoryItem], before: TranscriptStep | None, window: range) -> DumpView:
    shown = tuple(dump[window.start : window.stop])
    if before is None:
        return DumpView(shown, len(dump), None, 0, 0, 0)
    old, new = {item.id: item for item in before.dump or ()}, {item.id: item for item in dump}
    changed = sum(old[one] != new[one] for one in old.keys() & new.keys())
    return DumpView(shown, len(dump), before.index, len(new.keys() - old.keys()), len(old.keys() - new.keys()), changed)


def _why_nothing(experiment: Experiment, result: RunResult, involved: Sequence[TranscriptStep]) -> str | None:
    if any(step.memory_change is not None for step in involved):
        return None
    settings = part(experiment.results.config, "settings")
    if "memory_changes" not in settings:
        return "This run is from a version of heams that did not record what actions change in the memory."
    if part(settings, "memory_changes").get("record") == "off":
        return "This run did not record what actions change in the memory: memory_changes is off in its run file."
    if all(type_of(step) == "user_stimulus" for step in result.transcript):
        shared = "Questions only ask the memory here, and leave it as it was"
        return f"{shared}; what it heard before is in the shared history." if result.history_id else f"{shared}."
    return (
        "No change was recorded. Only memories that can show what they hold are looked into, and only around actions "
        "that can change it."
    )
