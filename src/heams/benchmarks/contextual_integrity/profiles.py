"""Profiles read into people: what is known of each, in words, and whom they write to for what."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from heams.benchmarks.contextual_integrity import defects
from heams.benchmarks.contextual_integrity.records import AttributeRow, ContextRow, ProfileRow
from heams.benchmarks.contextual_integrity.values import in_words, words_beside
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes
from heta_framework.common.text.gathered import content_tokens


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing to know. ``value`` is what a message must hold to reveal it; ``event_id`` names its statement.

    A value that is a short number reveals nothing by itself: one of the words in ``beside`` must stand near it.
    """

    key: str
    value: str
    beside: str
    domain: str
    statement: str
    event_id: str


@dataclass(frozen=True, slots=True)
class Context:
    """Somebody to write to, and what for."""

    id: str
    row: ContextRow

    @property
    def key(self) -> tuple[str, str]:
        """By what labels refer to it."""
        return self.row.recipient, self.row.task


@dataclass(frozen=True, slots=True)
class Person:
    """One profile. ``id`` tells people apart who share a name."""

    id: str
    name: str
    attributes: Mapping[str, Attribute]
    contexts: Sequence[Context]


class People(NamedTuple):
    """Everybody in a file, in its order, and what was found amiss."""

    people: tuple[Person, ...]
    notes: tuple[SkipReason, ...]


_PROFILE = TypeAdapter(ProfileRow)


def load_people(path: Path) -> People:
    """All profiles of a file: a JSON list.

    Raises:
        DatasetFormatError: the file cannot be read, or a profile is not in the format.
    """
    entries = parse_json(read_bytes(path), path)
    if not isinstance(entries, list) or not entries:
        found = "an empty list" if entries == [] else f"a {type(entries).__name__}"
        raise DatasetFormatError(path, "", f"found {found}; expected a list of profiles")
    rows = [checked(_PROFILE, entry, path, f"profile {number}") for number, entry in enumerate(entries)]
    people = tuple(_person(row, number) for number, row in enumerate(rows, start=1))
    notes = [note for person, row in zip(people, rows, strict=True) for note in _amiss(person, row)]
    return People(people, (*_repeated_people(people), *notes))


def _person(row: ProfileRow, number: int) -> Person:
    name = f"person-{number:02d}"
    attributes = {
        key: Attribute(
            key=key,
            value=in_words(key, attribute),
            beside=words_beside(key, attribute),
            domain=attribute.information_domain,
            statement=attribute.memory_statement,
            event_id=event_id,
        )
        for key, attribute, event_id in _with_event_ids(row)
    }
    contexts: dict[tuple[str, str], Context] = {}
    for position, context in enumerate(row.contexts, start=1):
        contexts.setdefault((context.recipient, context.task), Context(f"{name}-context-{position:02d}", context))
    return Person(name, row.bio.name, attributes, tuple(contexts.values()))


def _with_event_ids(row: ProfileRow) -> Iterator[tuple[str, AttributeRow, str]]:
    """Events are numbered: a key may say what its statement does not."""
    for number, (key, attribute) in enumerate(row.information_attributes.items(), start=1):
        yield key, attribute, f"memory-{number:03d}"


def _amiss(person: Person, row: ProfileRow) -> Iterator[SkipReason]:
    for key, attribute in row.information_attributes.items():
        place = f"{person.id}/{key}"
        if isinstance(attribute.value, bool):
            detail = f"the value is {str(attribute.value).lower()}; the words of the key stand for it"
            yield defects.repaired(place, defects.TRUTH_VALUE, detail)
        if isinstance(attribute.value, list | dict):
            yield defects.repaired(place, defects.SEVERAL_VALUES, "told where all of them are told")
        if not content_tokens(person.attributes[key].value):
            yield defects.dropped(place, defects.NO_VALUE, f"the value {attribute.value!r} holds no word or number")
    for statement, times in Counter(one.memory_statement for one in row.information_attributes.values()).items():
        if times > 1:
            detail = f"{times} attributes have the statement {statement[:80]!r}; the official script labels the last"
            yield defects.repaired(person.id, defects.REPEATED_STATEMENT, detail)
    for (recipient, task), times in Counter((one.recipient, one.task) for one in row.contexts).items():
        if times > 1:
            detail = f"{recipient!r}, {task!r} is there {times} times; the first is taken"
            yield defects.skipped(person.id, defects.REPEATED_CONTEXT, detail)
    for task, times in Counter(context.row.task for context in person.contexts).items():
        if times > 1:
            detail = f"{task!r} has {times} recipients: contexts of their own here, one task in the official score"
            yield defects.repaired(person.id, defects.REPEATED_TASK, detail)


def _repeated_people(people: Sequence[Person]) -> Iterator[SkipReason]:
    for name, times in Counter(person.name for person in people).items():
        if times > 1:
            detail = f"{times} profiles: people of their own here, one person in the official score"
            yield defects.repaired(name, defects.REPEATED_PERSON, detail)
