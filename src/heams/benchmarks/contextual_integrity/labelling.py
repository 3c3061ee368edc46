"""Lays labels over the contexts of people; contexts that cannot be scored are left out by name."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from heams.benchmarks.contextual_integrity import defects
from heams.benchmarks.contextual_integrity.identity import is_identity, only_within_a_word
from heams.benchmarks.contextual_integrity.label_files import OFFICIAL_LABELS, LabelEntry, read_labels
from heams.benchmarks.contextual_integrity.labels import PRIVATE, SHARE, Label, combined_label
from heams.benchmarks.contextual_integrity.profiles import Context, Person
from heams.benchmarks.skip import SkipReason
from heta_framework.common.text.gathered import content_tokens


@dataclass(frozen=True, slots=True)
class Scored:
    """A context that can be scored: at least one attribute under each label. ``labels`` holds these two alone."""

    person: Person
    context: Context
    labels: Mapping[str, Label]
    labelled_by: str | None


class Labelled(NamedTuple):
    """Contexts in the order of the profiles, and what was found amiss."""

    contexts: tuple[Scored, ...]
    notes: tuple[SkipReason, ...]


def labelled(people: Sequence[Person], labels_file: Path | None, *, legacy_substring_filter: bool) -> Labelled:
    """The contexts with the labels of a file, or those that the profiles carry themselves.

    Raises:
        DatasetFormatError: the file cannot be read, or a row is not in the format.
    """
    reader = _Reader(people, legacy_substring_filter)
    for entry in _own_entries(people) if labels_file is None else read_labels(labels_file):
        reader.take(entry)
    contexts = [found for person in people for context in person.contexts if (found := reader.scored(person, context))]
    return Labelled(tuple(contexts), tuple(reader.notes()))


def _own_entries(people: Sequence[Person]) -> Iterator[LabelEntry]:
    """What the official labelling script wrote into the profiles, by statement."""
    for person in people:
        for context in person.contexts:
            shares = context.row.labels_combined or {}
            labels = {
                key: (combined_label(shares[one.statement]),)
                for key, one in person.attributes.items()
                if one.statement in shares
            }
            if labels:
                yield LabelEntry(person.name, context.key, labels, OFFICIAL_LABELS)


class _Reader:
    """Collects labels by person, context and attribute, and each note once, in order."""

    def __init__(self, people: Sequence[Person], legacy_substring_filter: bool) -> None:
        self._anywhere = legacy_substring_filter
        self._by_name: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            self._by_name[person.name].append(person)
        self._contexts = {person.id: {context.key for context in person.contexts} for person in people}
        self._labels: dict[tuple[str, tuple[str, str]], dict[str, set[Label]]] = defaultdict(dict)
        self._makers: dict[tuple[str, tuple[str, str]], str] = {}
        self._notes: dict[SkipReason, None] = {}
        self._unreadable: Counter[str] = Counter()

    def take(self, entry: LabelEntry) -> None:
        """Add what a file says."""
        people = self._by_name.get(entry.name, [])
        if not people:
            self._note(defects.dropped(entry.name, defects.UNKNOWN_PERSON, "no profile has that name"))
        elif entry.context is None:
            self._unreadable[entry.name] += 1
        for person in people if entry.context is not None else ():
            self._take_for(person, entry)

    def _take_for(self, person: Person, entry: LabelEntry) -> None:
        context = entry.context
        if context is None or context not in self._contexts[person.id]:
            detail = "no such context: " + (", ".join(map(repr, context)) if context else "none")
            self._note(defects.dropped(person.id, defects.UNKNOWN_CONTEXT, detail))
            return
        collected = self._labels[person.id, context]
        for attribute, labels in entry.labels.items():
            known, place = person.attributes.get(attribute), f"{person.id}/{attribute}"
            if known is None:
                detail = f"labelled, but no attribute of {person.name}"
                self._note(defects.dropped(place, defects.UNKNOWN_ATTRIBUTE, detail))
            elif entry.statement is not None and entry.statement.strip() != known.statement.strip():
                detail = f"the label is about {entry.statement[:80]!r}"
                self._note(defects.dropped(place, defects.OTHER_STATEMENT, detail))
            else:
                collected.setdefault(attribute, set()).update(labels)
        if entry.labelled_by is not None:
            self._makers[person.id, context] = entry.labelled_by

    def scored(self, person: Person, context: Context) -> Scored | None:
        """A context with its labels; None, with a note, where one of the two has no attribute."""
        collected = self._labels.get((person.id, context.key), {})
        labels = {key: label for key in person.attributes if (label := self._label(person, context, key, collected))}
        what = f"{context.row.recipient}: {context.row.task}"
        if not collected:
            rule = defects.UNCOMBINED_LABELS if context.row.uncombined else defects.UNLABELLED_CONTEXT
            self._note(defects.skipped(context.id, rule, f"{what}; {_why_unlabelled(context)}"))
        elif SHARE not in labels.values():
            self._note(defects.skipped(context.id, defects.NO_SHARE, what))
        elif PRIVATE not in labels.values():
            self._note(defects.skipped(context.id, defects.NO_PRIVATE, what))
        else:
            return Scored(person, context, labels, self._makers.get((person.id, context.key)))
        return None

    def _label(self, person: Person, context: Context, key: str, collected: Mapping[str, set[Label]]) -> Label | None:
        found = collected.get(key, set()) & {SHARE, PRIVATE}
        if len(found) > 1:
            detail = f"{key} is to be shared and private; it counts as neither"
            self._note(defects.dropped(context.id, defects.CONFLICT, detail))
            return None
        label: Label | None = next(iter(found), None)
        if label == PRIVATE and is_identity(key, anywhere=self._anywhere):
            rule = defects.SUBSTRING_FILTER if only_within_a_word(key) else defects.IDENTITY_ATTRIBUTE
            self._note(defects.dropped(f"{person.id}/{key}", rule, "never counted as private"))
            return None
        return label if content_tokens(person.attributes[key].value) else None

    def notes(self) -> Iterator[SkipReason]:
        """All notes."""
        yield from self._notes
        for name, rows in self._unreadable.items():
            detail = f"its prompt names no context in {rows:,} of its rows"
            yield defects.dropped(name, defects.UNREADABLE_CONTEXT, detail)

    def _note(self, note: SkipReason) -> None:
        self._notes[note] = None


def _why_unlabelled(context: Context) -> str:
    if context.row.uncombined:
        return f"only labels of single personas: {', '.join(context.row.uncombined)}"
    return "no label says what belongs into the message"
