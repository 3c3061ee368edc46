"""The documents of a knowledge base: those that go in, and the listing of those that are in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from heta_framework.common.stores.fields import required_text


@dataclass(frozen=True)
class SourceDocument:
    """A raw document that a knowledge base is to hold; give them as the initial artifact ``source_documents``.

    Attributes:
        key: where its bytes lie in the object store.
        document_id: the caller's own id, returned with every result; None for ``doc_`` + 16 hex of the content's hash.
        media_type: e.g. ``text/html``; decides on the parser before the key's suffix does.
        metadata: JSON-safe values, returned with every result under ``document_metadata``.
    """

    key: str
    document_id: str | None = None
    media_type: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", required_text("key", self.key))
        if self.document_id is not None:
            object.__setattr__(self, "document_id", _checked_id(self.document_id))
        object.__setattr__(self, "metadata", _json_safe(self.metadata, self.key))

    @classmethod
    def of(cls, value: SourceDocument | Mapping[str, Any] | str) -> SourceDocument:
        """From a key, from a dict with the fields' names, or itself."""
        if isinstance(value, SourceDocument):
            return value
        return cls(value) if isinstance(value, str) else of_fields(cls, value)


def _checked_id(document_id: str) -> str:
    checked = required_text("document_id", document_id)
    if "\0" in checked:
        raise ValueError(f"document_id {checked!r} holds a NUL, which databases cannot hold")
    return checked


def _json_safe(metadata: Mapping[str, Any], key: str) -> dict[str, Any]:
    copied = dict(metadata)
    if not copied:
        return copied
    try:
        json.dumps(copied, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise type(error)(f"metadata of the document {key!r} must be what JSON can hold: {error}") from None
    return copied


DocumentLike = SourceDocument | Mapping[str, Any] | str
_Kind = TypeVar("_Kind")
_Item = TypeVar("_Item")


def of_fields(kind: type[_Kind], values: Mapping[str, Any]) -> _Kind:
    """An instance of a dataclass from a dict of its fields.

    Raises:
        TypeError: it is no dict, or a name in it is no field; the message has those that are.
    """
    names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    if not isinstance(values, Mapping):
        raise TypeError(f"a document must be a {kind.__name__} or a dict, found {type(values).__name__}")
    for name in values:
        if name not in names:
            raise TypeError(f"{kind.__name__} has no field {name!r}; allowed: {', '.join(names)}")
    return kind(**values)


def several(name: str, given: Iterable[_Item]) -> tuple[_Item, ...]:
    """The items of a sequence.

    Raises:
        TypeError: it is one item where several are expected.
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"{name} must be a sequence, found one {type(given).__name__}; put it into a list")
    return tuple(given)


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document that is in: what it was made from.

    Attributes:
        document_id: unique in the knowledge base.
        parse_key: key of its parsed pages in the step cache.
    """

    document_id: str
    key: str
    name: str
    file_type: str
    content_sha256: str
    parse_key: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return asdict(self)
