"""What repeats from case to case, kept once in ``texts.jsonl`` and referred to by a hash of its content.

An entry is ``{"id": ..., "text": ...}``, ``{"id": ..., "result": {"id", "kind", "text_id", "source"}}`` or
``{"id": ..., "metadata": {...}}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from heta_framework.common.durable_lines import TextBook, content_id
from heta_framework.evaluation.records.strict_json import encode
from heta_framework.kb.search.types import QueryResult

_SEEN_LIMIT = 200_000
_SMALL = 48  # bytes of metadata that a reference would hardly shorten


class EntryBook:
    """Gives references, and puts the entry that one refers to before it is used for the first time.

    Args:
        put: takes the line of a new entry.
        known: ids of the entries that are stored, as numbers.
    """

    def __init__(self, put: Callable[[bytes], None], known: Iterable[int] = ()) -> None:
        self._put = put
        self._texts = TextBook(put, known)
        self._seen: set[str] = set()

    def text_id(self, text: str) -> str:
        """The reference of a text."""
        return self._texts.id_of(text)

    def result_ref(self, result: QueryResult) -> str:
        """The reference of what is the same whenever this result is found: its id, kind, text and source."""
        what = {"id": result.id, "kind": result.kind, "text_id": self.text_id(result.text), "source": result.source}
        content = encode(what)
        ref = _ref_of("result", content)
        self._keep(ref, "result", content)
        return ref

    def metadata(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """``metadata`` and, for what has come up before, ``metadata_ref``.

        Numbers with a fraction are scores and differ from query to query: they stay, the rest is referred to from the
        second time on.
        """
        own = {name: value for name, value in metadata.items() if isinstance(value, float)}
        rest = encode({name: value for name, value in metadata.items() if name not in own} if own else metadata)
        ref = _ref_of("metadata", rest)
        if len(rest) <= _SMALL or self._comes_up_first(ref):
            return {"metadata": metadata} if metadata else {}
        self._keep(ref, "metadata", rest)
        return {"metadata": own, "metadata_ref": ref} if own else {"metadata_ref": ref}

    def _comes_up_first(self, ref: str) -> bool:
        if ref in self._seen:
            return False
        if len(self._seen) >= _SEEN_LIMIT:
            self._seen.clear()
        self._seen.add(ref)
        return True

    def _keep(self, ref: str, kind: str, content: bytes) -> None:
        if self._texts.is_new(ref):
            self._put(b'{"id":"%s","%s":%s}' % (ref.encode(), kind.encode(), content))


def _ref_of(kind: str, content: bytes) -> str:
    return content_id(kind.encode() + content)
