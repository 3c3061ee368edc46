"""A domain of GateMem: checkpoints are read, episodes are only checked and found again when they are played."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from heams.benchmarks.case_file import read_cases
from heams.benchmarks.gatemem import defects
from heams.benchmarks.gatemem.records import CheckpointRow, EpisodeRow
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json

_EPISODE = TypeAdapter(EpisodeRow)


class Question(NamedTuple):
    """A checkpoint, and how many turns of its episode come before it."""

    checkpoint: CheckpointRow
    turns_before: int


@dataclass(frozen=True, slots=True)
class EpisodePlace:
    """Where an episode stands, and what is asked in it, in the order of asking.

    ``name`` tells it from others without telling what it is about, as its id may.
    """

    name: str
    episode_id: str
    domain: str
    path: Path
    offset: int
    line: int
    turns: int
    questions: tuple[Question, ...]

    def read(self) -> EpisodeRow:
        """The episode.

        Raises:
            DatasetFormatError: the file was changed since it was checked.
        """
        with self.path.open("rb") as file:
            file.seek(self.offset)
            episode = _episode(file.readline(), self.path, self.line)
        if episode.episode_id != self.episode_id:
            raise DatasetFormatError(self.path, "", "the file was changed while it was in use; start again")
        return episode


class DomainData(NamedTuple):
    """The episodes of a domain that ask something, and all that was found amiss."""

    episodes: tuple[EpisodePlace, ...]
    notes: tuple[SkipReason, ...]


def load_domain(folder: Path, domain: str) -> DomainData:
    """The episodes and checkpoints of a domain, in the order of their files.

    Raises:
        DatasetFormatError: a file is missing or cut off, a record cannot be used, or an id occurs twice.
    """
    checkpoints = read_cases(_file(folder, domain, "checkpoints"), CheckpointRow, lambda row: row.checkpoint_id, None)
    notes = [note for row in checkpoints for note in defects.of_checkpoint(row)]
    asked: dict[str, list[CheckpointRow]] = defaultdict(list)
    for row in checkpoints:
        asked[row.episode_id].append(row)
    places: list[EpisodePlace] = []
    lines: dict[str, int] = {}
    path = _file(folder, domain, "episodes")
    for offset, line, episode in _episodes(path):
        if (first := lines.setdefault(episode.episode_id, line)) != line:
            message = f"found the episode {episode.episode_id!r} again (first in line {first}); expected unique ids"
            raise DatasetFormatError(f"{path}:{line}", "episode_id", message)
        _check_turns(episode, f"{path}:{line}")
        notes += [*defects.of_episode(episode), *defects.of_turns(episode)]
        questions, strays = _questions(episode, asked.pop(episode.episode_id, []))
        notes += strays
        if questions:
            name = f"{domain}-{len(lines):03d}"
            places.append(
                EpisodePlace(name, episode.episode_id, domain, path, offset, line, len(episode.turns), questions)
            )
        else:
            notes.append(defects.skipped(episode.episode_id, defects.NO_CHECKPOINTS, "nothing is asked in it"))
    for row in (row for rows in asked.values() for row in rows):
        notes.append(defects.skipped(row.checkpoint_id, defects.UNKNOWN_EPISODE, f"no episode {row.episode_id!r}"))
    return DomainData(tuple(places), tuple(notes))


def _file(folder: Path, domain: str, kind: str) -> Path:
    """``<domain>/<kind>.jsonl``, as in the official repository, or ``<domain>_<kind>.jsonl``, as it is fetched."""
    nested, flat = folder / domain / f"{kind}.jsonl", folder / f"{domain}_{kind}.jsonl"
    return flat if flat.is_file() and not nested.is_file() else nested


def _episodes(path: Path) -> Iterator[tuple[int, int, EpisodeRow]]:
    """Offset, line and episode, one after the other."""
    try:
        with path.open("rb") as file:
            offset = 0
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield offset, number, _episode(line, path, number)
                offset += len(line)
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause


def _episode(line: bytes, path: Path, number: int) -> EpisodeRow:
    place = f"{path}:{number}"
    return checked(_EPISODE, parse_json(line, place), place)


def _check_turns(episode: EpisodeRow, place: str) -> None:
    """Turn ids are unique, and what a turn refers to was said before it."""
    said: set[str] = set()
    for turn in episode.turns:
        if turn.turn_id in said:
            raise DatasetFormatError(place, "turns, turn_id", f"found {turn.turn_id!r} twice; expected unique ids")
        for field in ("supersedes", "derived_from"):
            unknown = [name for name in getattr(turn, field) if name not in said]
            if unknown:
                message = f"found {unknown[0]!r}, which is no turn before it"
                raise DatasetFormatError(place, f"turn {turn.turn_id}, {field}", message)
        said.add(turn.turn_id)


def _questions(episode: EpisodeRow, rows: Iterable[CheckpointRow]) -> tuple[tuple[Question, ...], Sequence[SkipReason]]:
    """The checkpoints in the order of asking; at one place in that of the file."""
    before = {turn.turn_id: number for number, turn in enumerate(episode.turns, start=1)}
    questions, strays = [], []
    for row in rows:
        if row.as_of_turn_id in before:
            questions.append(Question(row, before[row.as_of_turn_id]))
        else:
            detail = f"asked after {row.as_of_turn_id!r}, which is no turn of {row.episode_id!r}"
            strays.append(defects.skipped(row.checkpoint_id, defects.UNKNOWN_TURN, detail))
    return tuple(sorted(questions, key=lambda question: question.turns_before)), strays
