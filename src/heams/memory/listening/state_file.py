"""The state of a memory as one checksummed file that names the configuration which wrote it."""

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from heta_framework.common.stores.snapshot import SnapshotError, read_snapshot, write_snapshot

State = TypeVar("State", bound=BaseModel)
_FILE = "state.snapshot"


def save_state(directory: Path, state: BaseModel, config: BaseModel) -> None:
    """Write ``state`` to a file in ``directory``, atomically and durably."""
    header = {"kind": type(state).__name__, "version": 1, "config": config.model_dump(mode="json")}
    # ASCII, because a text may hold lone surrogates, which UTF-8 cannot write
    write_snapshot(directory / _FILE, header, [json.dumps(state.model_dump(mode="json")).encode("ascii")])


def load_state(directory: Path, kind: type[State], config: BaseModel) -> State:
    """Read what ``save_state`` wrote.

    Raises:
        SnapshotError: it is missing, cut or altered, or was written under another configuration.
    """
    header, payload = read_snapshot(directory / _FILE, kind.__name__)
    expected = config.model_dump(mode="json")
    if header["config"] != expected:
        raise SnapshotError(f"{directory}: the state of a memory with {header['config']}, expected {expected}")
    return kind.model_validate(json.loads(payload))
