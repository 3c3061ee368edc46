"""Things that repeat, each stored once: others refer to them by a hash of their content."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from pydantic_core import from_json, to_json

_CACHE_CHARACTERS = 16_000_000


def content_id(content: bytes) -> str:
    """16 hexadecimal digits of the content's BLAKE2b hash."""
    return blake2b(content, digest_size=8).hexdigest()


class TextBook:
    """Hands out ids of texts and puts each new text, ahead of what refers to it.

    Args:
        put: takes the line (without newline) of a new entry: ``{"id": ..., "text": ...}``.
        known: ids that are stored already, as `known_ids` reads them.
    """

    def __init__(self, put: Callable[[bytes], None], known: Iterable[int] = ()) -> None:
        self._put = put
        self._known = set(known)
        self._cache: dict[str, str] = {}
        self._cached_characters = 0

    def id_of(self, text: str) -> str:
        """The id of a text; a text that is new is put."""
        cached = self._cache.get(text)
        return self._stored(text) if cached is None else cached

    def is_new(self, entry_id: str) -> bool:
        """Whether nothing of this id is stored; from now on something is."""
        number = int(entry_id, 16)
        if number in self._known:
            return False
        self._known.add(number)
        return True

    def _stored(self, text: str) -> str:
        text_id = content_id(text.encode("utf-8"))
        if self.is_new(text_id):
            self._put(to_json({"id": text_id, "text": text}))
        self._remember(text, text_id)
        return text_id

    def _remember(self, text: str, text_id: str) -> None:
        if self._cached_characters >= _CACHE_CHARACTERS:
            self._cache.clear()
            self._cached_characters = 0
        self._cached_characters += len(text)
        self._cache[text] = text_id


def known_ids(path: Path) -> set[int]:
    """The ids in a file of entries, as numbers; empty where there is no file."""
    if not path.is_file():
        return set()
    known: set[int] = set()
    with path.open("rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):  # what cannot be read is stored again when it comes up
                known.add(int(from_json(line)["id"], 16))
    return known
