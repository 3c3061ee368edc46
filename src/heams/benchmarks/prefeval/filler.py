"""What is talked about between preference and question: the first exchanges of the filler conversations."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from heams.benchmarks.prefeval.records import FillerRecord, Said
from heta_framework.common.data_files import DatasetFormatError, checked, parse_json, read_bytes

_FILE = "filtered_inter_turns.json"
_CONVERSATIONS: TypeAdapter[Sequence[FillerRecord]] = TypeAdapter(tuple[FillerRecord, ...])


def load_filler(folder: Path, exchanges: int) -> tuple[tuple[Said, ...], ...]:
    """``exchanges`` exchanges of a user and an assistant from the beginning of the file, by conversation.

    Raises:
        DatasetFormatError: the file is not in the format, holds fewer exchanges, or the turns do not alternate.
    """
    if exchanges == 0:
        return ()
    path = folder / _FILE
    wanted, found = 2 * exchanges, list[tuple[Said, ...]]()
    records = checked(_CONVERSATIONS, parse_json(read_bytes(path), path), path)
    for number, record in enumerate(records):
        taken = record.conversation[:wanted]
        said = tuple(Said(message.role, message.content) for message in taken)
        _check_turns(said, path, number)
        found.append(said)
        wanted -= len(said)
        if wanted == 0:
            return tuple(found)
    missing = f"found {exchanges - wanted // 2} exchanges; expected at least {exchanges} ('filler_turns')"
    raise DatasetFormatError(path, "", missing)


def _check_turns(said: Sequence[Said], path: Path, number: int) -> None:
    roles = [one.role for one in said]
    if len(roles) % 2 or roles != ["user", "assistant"] * (len(roles) // 2):
        place = f"entry {number}, conversation"
        raise DatasetFormatError(path, place, "the turns do not alternate; expected user, assistant, user, ...")
