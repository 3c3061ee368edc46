"""mem0ai as it must be loaded: no telemetry, nothing in the home folder, and the time of the events in its prompts."""

import logging
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any

from heams.memory.libraries.extras import loaded
from heams.scenarios.clock import Instant

_TELEMETRY_OFF = {"MEM0_TELEMETRY": "False"}
_UNDATED = "unknown"
_said_at: ContextVar[Instant | None] = ContextVar("mem0_said_at", default=None)
_complaints: "ContextVar[list[str] | None]" = ContextVar("mem0_complaints", default=None)


@cache
def load_mem0() -> Any:
    """The module ``mem0``.

    Raises:
        ModelSetupError: the extra is not installed.
    """
    module = loaded("mem0", "mem0ai", _import, environment=_TELEMETRY_OFF)
    warnings.filterwarnings("ignore", message="Payload indexes have no effect in the local Qdrant")
    return module


@contextmanager
def saying_at(at: Instant | None) -> Iterator[list[str]]:
    """Let mem0 extract as of ``at``; the list receives what it only logs as an error."""
    complaints: list[str] = []
    time, heard = _said_at.set(at), _complaints.set(complaints)
    try:
        yield complaints
    finally:
        _said_at.reset(time)
        _complaints.reset(heard)


def _import() -> Any:
    before = os.environ.get("MEM0_DIR")
    with tempfile.TemporaryDirectory(prefix="heams-mem0-") as home:
        os.environ["MEM0_DIR"] = home  # importing writes a user id there, which only telemetry uses
        try:
            mem0: Any = import_module("mem0")
            library: Any = import_module("mem0.memory.main")
            telemetry: Any = import_module("mem0.memory.telemetry")
        finally:
            os.environ.pop("MEM0_DIR")
            if before is not None:
                os.environ["MEM0_DIR"] = before
    for module in (library, telemetry):
        module.MEM0_TELEMETRY = False  # somebody may have imported mem0 before the environment said so
    _date_prompts(library)
    logging.getLogger("mem0").addHandler(_Complaints(logging.ERROR))
    return mem0


def _date_prompts(library: Any) -> None:
    """mem0's prompt takes the dates of a conversation, but ``add`` never gives it any and means today."""
    build = library.generate_additive_extraction_prompt

    def dated(**parts: Any) -> Any:
        at = _said_at.get()
        day = _UNDATED if at is None else at.date().isoformat()
        return build(**parts, current_date=day, timestamp=day)

    library.generate_additive_extraction_prompt = dated


class _Complaints(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        complaints = _complaints.get()
        if complaints is not None:
            complaints.append(record.getMessage())
