"""Texts of recalled items, each stored once: results refer to them by a hash of their content."""

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from pydantic_core import from_json, to_json

from heams.orchestration.store import TEXTS, ResultWriter

_CACHE_LIMIT = 50_000


class TextBook:
    """Hands out text ids and queues each new text for ``texts.jsonl``, ahead of the result that refers to it."""

    def __init__(self, writer: ResultWriter, directory: Path) -> None:
        self._writer = writer
        self._known = _known_ids(directory / TEXTS)
        self._cache: dict[str, str] = {}

    def id_of(self, text: str) -> str:
        """The id of a text: 16 hexadecimal digits of its BLAKE2b hash."""
        cached = self._cache.get(text)
        if cached is not None:
            return cached
        digest = blake2b(text.encode("utf-8"), digest_size=8)
        text_id, number = digest.hexdigest(), int.from_bytes(digest.digest())
        if number not in self._known:
            self._known.add(number)
            self._writer.submit(TEXTS, to_json({"id": text_id, "text": text}))
        if len(self._cache) >= _CACHE_LIMIT:
            self._cache.clear()
        self._cache[text] = text_id
        return text_id


def _known_ids(path: Path) -> set[int]:
    if not path.is_file():
        return set()
    known: set[int] = set()
    with path.open("rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):  # an unreadable text is stored again when it comes up
                known.add(int(from_json(line)["id"], 16))
    return known
