"""A folder of chats: every chat is checked once, one at a time, and read again when its questions are played."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from heams.benchmarks.beam import defects
from heams.benchmarks.beam.chat_file import read_chat
from heams.benchmarks.beam.evidence import KnownMessages
from heams.benchmarks.beam.questions_file import read_questions
from heams.benchmarks.beam.records import Chat, Question
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError

_CHAT_FILES = ("chat_trunecated.json", "chat.json")
"""Spelt as it is published. Published answers are to the truncated chat where there is one."""
_QUESTION_FILES = ("probing_questions/probing_questions.json", "probing_questions.json")


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Where a chat stands. ``name`` is its number behind its size: ``100K-1``."""

    name: str
    number: str
    chat_file: Path
    questions_file: Path

    def read(self) -> Chat:
        """The chat.

        Raises:
            DatasetFormatError: it cannot be used.
        """
        return read_chat(self.chat_file, self.name)


@dataclass(frozen=True, slots=True)
class CheckedChat:
    """A chat that can be played: its questions, and the notes on both."""

    place: ChatPlace
    questions: tuple[Question, ...]
    notes: tuple[SkipReason, ...]


@dataclass(frozen=True, slots=True)
class ChatFolder:
    """The chats of one size, in the order of their numbers, and what is no chat though it seems to be one."""

    places: tuple[ChatPlace, ...]
    notes: tuple[SkipReason, ...]


def find_chats(root: Path, size: str) -> ChatFolder:
    """The chats of a size: folders ``<root>/<size>/<n>`` as published, or files ``<size>_<n>_chat.json`` as fetched.

    Raises:
        DatasetFormatError: there is none.
    """
    places, notes = [], []
    for number, chat, questions in [*_in_folders(root / size), *_side_by_side(root, size)]:
        name = f"{size}-{number}"
        if chat is not None and questions is not None:
            places.append(ChatPlace(name, number, chat, questions))
        elif questions is not None:
            notes.append(defects.note(name, defects.MISSING_CHAT, f"no {_CHAT_FILES[-1]} beside its questions"))
        elif chat is not None:
            notes.append(defects.note(name, defects.MISSING_QUESTIONS, f"no {_QUESTION_FILES[0]} beside its chat"))
    if not places:
        expected = f"{size}/1/{_CHAT_FILES[-1]} with {_QUESTION_FILES[0]}, or {size}_1_{_CHAT_FILES[-1]} and the like"
        raise DatasetFormatError(root, "", f"found no chats of the size {size!r}; expected {expected}")
    return ChatFolder(tuple(places), tuple(notes))


def check_chats(places: Sequence[ChatPlace]) -> Iterator[CheckedChat]:
    """Each chat with its questions. The chat itself is not kept.

    Raises:
        DatasetFormatError: a file is cut off, or a record cannot be used.
    """
    for place in places:
        chat = place.read()
        found = read_questions(place.questions_file, place.name, KnownMessages(chat.message_ids))
        yield CheckedChat(place, found.questions, (*chat.notes, *found.notes))


_Found = Iterator[tuple[str, Path | None, Path | None]]


def _in_folders(folder: Path) -> _Found:
    for path in sorted((path for path in _listed(folder) if path.is_dir()), key=_by_number):
        yield path.name, _first_file(path, _CHAT_FILES), _first_file(path, _QUESTION_FILES)


def _side_by_side(root: Path, size: str) -> _Found:
    for chat in sorted(root.glob(f"{escape(size)}_*_{_CHAT_FILES[-1]}"), key=_by_number):
        number = chat.name.removeprefix(f"{size}_").removesuffix(f"_{_CHAT_FILES[-1]}")
        yield number, chat, _first_file(root, (f"{size}_{number}_{_QUESTION_FILES[-1]}",))


def _by_number(path: Path) -> tuple[list[int], str]:
    """By the numbers in a name, so that 2 comes before 10."""
    return [int(number) for number in re.findall(r"[0-9]+", path.name)], path.name


def _listed(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return []
    except OSError as cause:
        raise DatasetFormatError(folder, "", f"the folder cannot be read: {cause.strerror or cause}") from cause


def _first_file(folder: Path, names: Sequence[str]) -> Path | None:
    return next((path for name in names if (path := folder / name).is_file()), None)
