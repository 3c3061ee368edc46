"""Reads the folders of PrefEval: which topics there are, their preferences in each form, and the options.

``explicit_preference/<topic>.json``, ``implicit_preference/choice-based/<topic>.json`` and
``implicit_preference/persona-driven/<topic>.json`` hold the forms, ``mcq_options/<topic>.json`` the options of the same
questions at the same places. Whatever is repaired or left out is named by a rule of ``DEFECTS``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, TypeVar

from pydantic import TypeAdapter

from heams.benchmarks.offered_options import MOST_OPTIONS
from heams.benchmarks.prefeval.records import (
    ChoiceRecord,
    Form,
    OptionsRecord,
    PersonaRecord,
    PreferenceRecord,
    Said,
)
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files import DatasetFormatError, checked, parse_json, read_bytes

Row = TypeVar("Row")
_OPTIONS = Path("mcq_options")
_FOLDERS: Mapping[Form, Path] = {
    "explicit": Path("explicit_preference"),
    "choice": Path("implicit_preference", "choice-based"),
    "persona": Path("implicit_preference", "persona-driven"),
}
_RECORDS: Mapping[Form, TypeAdapter[Sequence[PreferenceRecord]]] = {
    "explicit": TypeAdapter(tuple[PreferenceRecord, ...]),
    "choice": TypeAdapter(tuple[ChoiceRecord, ...]),
    "persona": TypeAdapter(tuple[PersonaRecord, ...]),
}
_OPTION_RECORDS: TypeAdapter[Sequence[OptionsRecord]] = TypeAdapter(tuple[OptionsRecord, ...])

NO_SUCH_TOPIC: Final = "options_of_no_topic"
OTHER_QUESTION: Final = "options_of_another_question"
OTHER_WORDS: Final = "preference_in_other_words"
TOO_FEW: Final = "too_few_options"
ALIKE: Final = "options_alike"
DEFECTS: Final[Mapping[str, str]] = {
    NO_SUCH_TOPIC: "a file of options to which no form has preferences is left out",
    OTHER_QUESTION: "the question of the options is another one than that of the preference; it is left out",
    OTHER_WORDS: "preference and options quote the preference in other words; the form's own words count",
    TOO_FEW: "with fewer than two options, or more than there are letters, there is no choice; it is left out",
    ALIKE: "two options have the same text; where the right one is among them, either is right",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One question about a preference in one form. Of ``options`` the first is right. ``id``: ``form/topic#place``."""

    id: str
    form: Form
    topic: str
    preference: str
    question: str
    said: tuple[Said, ...]
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrefEvalData:
    """All items, form by form, topic by topic, in the order of the files, and what was repaired or left out."""

    items: tuple[Item, ...]
    notes: tuple[SkipReason, ...]


def load_items(folder: Path, forms: Sequence[Form], topics: Sequence[str] | None) -> PrefEvalData:
    """The items of these forms and topics (all topics where they are None).

    Raises:
        DatasetFormatError: a file is missing, cut off or not in the format, or a topic does not exist.
    """
    notes: list[SkipReason] = []
    known = _topics(folder, notes)
    for topic in topics or ():
        if topic not in known:
            _refuse_topic(folder, topic, known)
    chosen = [topic for topic in known if topics is None or topic in topics]
    options = {topic: _rows(folder / _OPTIONS / f"{topic}.json", _OPTION_RECORDS) for topic in chosen}
    items = [
        item
        for form in dict.fromkeys(forms)
        for topic in chosen
        for item in _items(folder / _FOLDERS[form] / f"{topic}.json", form, topic, options[topic], notes)
    ]
    if not items:
        raise DatasetFormatError(folder, "", "found no usable question in the chosen forms and topics")
    return PrefEvalData(tuple(items), tuple(notes))


def _topics(folder: Path, notes: list[SkipReason]) -> list[str]:
    """The topics that have options and preferences in some form, by name."""
    found = sorted(path.stem for path in (folder / _OPTIONS).glob("*.json"))
    if not found:
        raise DatasetFormatError(folder, str(_OPTIONS), "found no file <topic>.json; expected PrefEval's folders here")
    known = [name for name in found if any((folder / place / f"{name}.json").is_file() for place in _FOLDERS.values())]
    notes.extend(_note(f"{_OPTIONS / name}.json", NO_SUCH_TOPIC) for name in found if name not in known)
    return known


def _items(
    path: Path, form: Form, topic: str, options: Sequence[OptionsRecord], notes: list[SkipReason]
) -> Iterator[Item]:
    records = _rows(path, _RECORDS[form])
    if len(records) != len(options):
        there = _OPTIONS / f"{topic}.json"
        message = f"found {len(records)} preferences, and {len(options)} lists of options in {there}; expected as many"
        raise DatasetFormatError(path, "", message)
    for place, (record, offered) in enumerate(zip(records, options, strict=True)):
        item_id = f"{form}/{topic}#{place}"
        found = list(_defects(item_id, record, offered))
        notes.extend(found)
        if all(note.kind != "skipped" for note in found):
            said, texts = tuple(record.said()), offered.classification_task_options
            yield Item(item_id, form, topic, record.preference, record.question, said, texts)


def _defects(item_id: str, record: PreferenceRecord, offered: OptionsRecord) -> Iterator[SkipReason]:
    texts = [" ".join(text.split()) for text in offered.classification_task_options]
    if record.question.split() != offered.question.split():
        yield _note(item_id, OTHER_QUESTION)
    elif not 2 <= len(texts) <= MOST_OPTIONS:
        yield _note(item_id, TOO_FEW)
    else:
        if record.preference.split() != offered.preference.split():
            yield _note(item_id, OTHER_WORDS, "repaired")
        if len(set(texts)) < len(texts):
            yield _note(item_id, ALIKE, "repaired")


def _rows(path: Path, adapter: TypeAdapter[Sequence[Row]]) -> Sequence[Row]:
    return checked(adapter, parse_json(read_bytes(path), path), path)


def _note(record_id: str, rule: str, kind: str = "skipped") -> SkipReason:
    return SkipReason.model_validate({"record_id": record_id, "rule": rule, "detail": DEFECTS[rule], "kind": kind})


def _refuse_topic(folder: Path, topic: str, known: Sequence[str]) -> NoReturn:
    from heta_framework.common.config import nearest

    near = nearest(topic, known)
    hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(known)}"
    raise DatasetFormatError(folder, "", f"no topic {topic!r} (named in 'topics'); {hint}")
