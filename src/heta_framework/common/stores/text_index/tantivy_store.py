"""The embedded text index store: one tantivy index a name, in memory or in a folder."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from anyio import to_thread

from heta_framework.common.stores.facets import facets
from heta_framework.common.stores.fields import unique_ids
from heta_framework.common.stores.folder_names import folder_name, name_of_folder
from heta_framework.common.stores.metadata import metadata_json
from heta_framework.common.stores.text_index.analysis import Analysis
from heta_framework.common.stores.text_index.segments import Entry, Hit, Segments
from heta_framework.common.stores.text_index.types import (
    StopWords,
    TextIndexConfig,
    TextIndexRecord,
    TextQuery,
    TextSearchResult,
)

_CONFIG_FILE = "heta_index.json"
_T = TypeVar("_T")


class TantivyTextIndexStore:
    """A `TextIndexStoreProtocol` on tantivy (BM25, k1 = 1.2, b = 0.75).

    With a directory every index lives in its own folder there and every write is on disk before it returns; one
    process may write at a time. Records replaced or deleted keep counting in the word statistics until tantivy merges
    them away, as in every Lucene-like engine.
    """

    def __init__(self, directory: Path | str | None = None, *, stop_words: StopWords = "none") -> None:
        """Open the store; indexes that the directory already holds are there at once.

        Args:
            directory: where indexes persist; None keeps them in memory.
            stop_words: "english" leaves words that only ask or join out of queries.
        """
        self._directory = Path(directory) if directory is not None else None
        self._stop_words: StopWords = stop_words
        self._open: dict[str, _OpenIndex] = {}
        self._writing = threading.Lock()

    async def create_index(self, config: TextIndexConfig) -> None:
        """Make an index; see `TextIndexStoreProtocol.create_index`."""
        await self._locked(lambda: self._create(config))

    async def drop_index(self, name: str) -> None:
        """Remove an index with all its records; an unknown one is passed over."""
        await self._locked(lambda: self._drop(name))

    async def has_index(self, name: str) -> bool:
        """Whether an index exists; it is not opened."""
        return name in self._open or self._is_on_disk(name)

    async def upsert(self, index: str, records: Sequence[TextIndexRecord]) -> None:
        """Add records or replace those of the same id.

        Raises:
            ValueError: the index is unknown, an id comes twice, or metadata is not JSON-safe; nothing was written.
        """
        ids = unique_ids(record.id for record in records)
        entries = [_entry(record) for record in records]
        await self._locked(lambda: self._index(index).segments.write(entries, deleted=ids))

    async def search(self, index: str, query: TextQuery) -> list[TextSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        return await to_thread.run_sync(lambda: self._search(index, query))

    async def delete(self, index: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        await self._locked(lambda: self._index(index).segments.write(deleted=ids))

    async def count(self, index: str) -> int:
        """How many records the index holds."""
        return len(self._index(index).segments.view())

    async def aclose(self) -> None:
        """Forget the open indexes; those in a directory can be opened again."""
        self._open.clear()

    async def _locked(self, work: Callable[[], _T]) -> _T:
        def run() -> _T:
            with self._writing:
                return work()

        return await to_thread.run_sync(run)

    def _create(self, config: TextIndexConfig) -> None:
        known = self._find(config.name)
        if known is None:
            self._open[config.name] = self._build(config)
        elif known.config != config:
            raise ValueError(
                f"text index {config.name!r} exists with stemmer {known.config.stemmer!r}, "
                f"asked for {config.stemmer!r}; drop it first or use another name"
            )

    def _build(self, config: TextIndexConfig) -> _OpenIndex:
        folder = self._folder(config.name)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        opened = _OpenIndex(config, self._stop_words, folder)
        if folder is not None:
            # written last: a folder without it is an index whose making was cut, and is made again
            (folder / _CONFIG_FILE).write_text(json.dumps({"name": config.name, "stemmer": config.stemmer}), "utf-8")
        return opened

    def _drop(self, name: str) -> None:
        """Works on damaged indexes too: it does not open what it removes."""
        self._open.pop(name, None)
        folder = self._folder(name)
        if folder is not None and folder.is_dir():
            shutil.rmtree(folder)

    def _search(self, index: str, query: TextQuery) -> list[TextSearchResult]:
        opened = self._index(index)
        terms = opened.analysis.query_terms(query.text)
        hits = opened.segments.view().best(terms, query.top_k, facets=facets(query.filters))
        return [_result(hit) for hit in hits]

    def _index(self, name: str) -> _OpenIndex:
        found = self._find(name)
        if found is None:
            raise self._unknown(name)
        return found

    def _unknown(self, name: str) -> ValueError:
        return ValueError(f"text index {name!r} does not exist; known: {', '.join(self._names()) or 'none'}")

    def _find(self, name: str) -> _OpenIndex | None:
        if name not in self._open:
            folder = self._folder(name)
            if folder is None or not self._is_on_disk(name):
                return None
            config = TextIndexConfig(**json.loads((folder / _CONFIG_FILE).read_text("utf-8")))
            self._open[name] = _OpenIndex(config, self._stop_words, folder)
        return self._open[name]

    def _is_on_disk(self, name: str) -> bool:
        folder = self._folder(name)
        return folder is not None and (folder / _CONFIG_FILE).is_file()

    def _names(self) -> list[str]:
        on_disk = (
            [name_of_folder(path.parent.name) for path in self._directory.glob(f"*/{_CONFIG_FILE}")]
            if self._directory
            else []
        )
        return sorted({*self._open, *on_disk})

    def _folder(self, name: str) -> Path | None:
        return self._directory / folder_name(name) if self._directory is not None else None


class _OpenIndex:
    """An index that this process has open."""

    def __init__(self, config: TextIndexConfig, stop_words: StopWords, folder: Path | None) -> None:
        self.config = config
        self.analysis = Analysis(config.stemmer, stop_words)
        self.segments = Segments(self.analysis, folder)


def _entry(record: TextIndexRecord) -> Entry:
    payload = f"[{json.dumps(record.text)}, {metadata_json(record.id, record.metadata)}]"
    return Entry(record.id, record.text, payload.encode(), facets(record.metadata))


def _result(hit: Hit) -> TextSearchResult:
    text, metadata = json.loads(hit.payload)
    return TextSearchResult(hit.id, text, hit.score, metadata)
