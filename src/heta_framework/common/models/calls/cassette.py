"""The format of a cassette: a header line, then one line of JSON for every reply, with what was asked.

A header may stand between records too, so that cassettes can be joined with ``cat``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.stored_reply import reply_fields, reply_from
from heta_framework.common.models.redaction import without_keys

FORMAT: Final = "heta-model-cassette"
VERSION: Final = 1
COMPRESSED: Final = ".jsonl.zst"
PLAIN: Final = ".jsonl"
_KEY_AT: Final = b'{"key":"'
_KEY_DIGITS: Final = 64


class CassetteError(Exception):
    """A cassette cannot be read or written as it is; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One line of a cassette. ``request`` is everything that decided the answer."""

    key: str
    kind: str
    model: str
    role: str
    epoch: str
    request: Mapping[str, Any]
    reply: ModelReply


def is_compressed(path: Path) -> bool:
    """Whether the name says that the lines are compressed.

    Raises:
        CassetteError: the name says neither.
    """
    if path.name.endswith((COMPRESSED, PLAIN)):
        return path.name.endswith(COMPRESSED)
    raise CassetteError(f"{path}: a cassette is named *{COMPRESSED} (compressed) or *{PLAIN}")


def header_line() -> bytes:
    """The first line of a cassette."""
    return json.dumps({"format": FORMAT, "version": VERSION}).encode("ascii") + b"\n"


def record_line(call: ModelCall, reply: ModelReply) -> bytes:
    """The line of one reply. A key in a prompt is left out; the call is found by its digest all the same."""
    about = {"kind": call.kind, "model": call.model, "role": call.role, "epoch": call.epoch}
    told = _compact(about)[1:-1]
    return (
        f'{{"key":"{call.portable_key}",{told},"request":{_compact(without_keys(dict(call.request)), sort_keys=True)},'
        f'"reply":{_compact(reply_fields(reply))}}}\n'
    ).encode("ascii")


def key_of(line: bytes) -> bytes | None:
    """The key of a record as 32 bytes; None for a header.

    Raises:
        ValueError: the line is neither; the words say why.
    """
    digits = line[len(_KEY_AT) : len(_KEY_AT) + _KEY_DIGITS]
    if line.startswith(_KEY_AT) and line.rstrip().endswith(b"}"):
        return _key(digits.decode("ascii", "replace"))
    fields = _object(line)
    if "format" in fields:
        check_header(fields)
        return None
    return _key(fields.get("key"))


def read_record(line: bytes) -> RecordedCall:
    """The record that a line holds.

    Raises:
        ValueError: it holds none; the words say why.
    """
    fields = _object(line)
    request, reply = fields.get("request"), fields.get("reply")
    texts = {name: fields.get(name) for name in ("key", "kind", "model", "role", "epoch")}
    wrong = [name for name, value in texts.items() if not isinstance(value, str)]
    if wrong or not isinstance(request, dict) or not isinstance(reply, dict):
        raise ValueError(f"no recorded call ({', '.join(wrong) or 'request or reply'} is missing)")
    return RecordedCall(**texts, request=request, reply=reply_from(reply, "cassette"))  # type: ignore[arg-type]


def is_whole(line: bytes) -> bool:
    """Whether the last line of a file was written to its end."""
    if line.endswith(b"\n"):
        return True
    try:
        _object(line)
    except ValueError:
        return False
    return True


def unfinished(path: Path) -> str:
    """What to say of a file whose end was not written."""
    return f"{path} was not finished: its recording was stopped, or goes on. A reply cut off at its end is left out"


def check_header(fields: Mapping[str, Any]) -> None:
    """Make sure that lines after this header can be read.

    Raises:
        ValueError: they cannot; the words say why.
    """
    if fields.get("format") != FORMAT:
        raise ValueError(f"format {fields.get('format')!r}, but a cassette has {FORMAT!r}")
    if fields.get("version") != VERSION:
        raise ValueError(
            f"version {fields.get('version')!r} of the format, and this version of heams reads {VERSION}; "
            f"use the version of heams that recorded it, or record it again"
        )


def _object(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON ({error})") from error
    if not isinstance(fields, dict):
        raise ValueError(f"a JSON object was expected, and {type(fields).__name__} was found")  # noqa: TRY004 - of the line
    return fields


def _key(digits: object) -> bytes:
    try:
        key = bytes.fromhex(digits) if isinstance(digits, str) else b""
    except ValueError:
        key = b""
    if len(key) * 2 != _KEY_DIGITS:
        raise ValueError(f"neither a header nor a recorded call (its key is not {_KEY_DIGITS} hex digits)")
    return key


def _compact(value: object, *, sort_keys: bool = False) -> str:
    return json.dumps(value, sort_keys=sort_keys, separators=(",", ":"))
