"""The embedded text index store: one tantivy index a name, in memory or in a folder."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from anyio import to_thread

from heta_framework.common.computing import compute
from heta_framework.common.stores.facets import facets
from heta_framework.common.stores.fields import unique_ids
from heta_framework.common.stores.folder_names import folder_name, name_of_folder
from heta_framework.common.stores.metadata import metadata_json
from heta_framework.common.stores.text_index.analysis import Analysis
from heta_framework.common.stores.text_index.errors import damaged, explained
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
    process may write at a time. Records replaced or deleted are gone from files and word statistics when the call
    returns: the segments that held them are written anew, which costs as much as indexing the other records of these
    segments. Other Lucene-like engines, and this one with ``purge_deleted=False``, keep them until segments merge.
    """

    in_process: ClassVar[bool] = True
    """No network lies between: thousands of records of one call are better than many calls."""

    def __init__(
        self, directory: Path | str | None = None, *, stop_words: StopWords = "none", purge_deleted: bool = True
    ) -> None:
        """Open the store; indexes that the directory already holds are there at once.

        Args:
            directory: where indexes persist; None keeps them in memory.
            stop_words: "english" leaves words that only ask or join out of queries.
            purge_deleted: False leaves deleted text in the files until tantivy merges, for indexes where speed counts.
        """
        self._directory = Path(directory) if directory is not None else None
        self._stop_words: StopWords = stop_words
        self._restored = _restored if purge_deleted else None
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

        def write() -> None:
            entries = [_entry(record) for record in records]  # all of them before the first is written
            self._index(index).segments.write(entries, deleted=ids, restored=self._restored)

        await self._locked(write)

    async def search(self, index: str, query: TextQuery) -> list[TextSearchResult]:
        """Return the best hits, best first, equal scores in ascending order of id."""
        return await compute(lambda: self._search(index, query))

    async def delete(self, index: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are passed over."""
        await self._locked(lambda: self._index(index).segments.write(deleted=ids, restored=self._restored))

    async def count(self, index: str) -> int:
        """How many records the index holds."""
        return len(self._index(index).segments.view())

    async def release(self, index: str) -> None:
        """Forget one open index, which a later call opens again; one in memory is kept."""
        if self._directory is not None:
            await self._locked(lambda: self._open.pop(index, None))

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
            self._drop(config.name)  # what a cut making or removal left must not come back
            folder.mkdir(parents=True)
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
            (folder / _CONFIG_FILE).unlink(missing_ok=True)  # first: what is left then counts as no index
            shutil.rmtree(folder)

    def _search(self, index: str, query: TextQuery) -> list[TextSearchResult]:
        opened = self._index(index)
        terms = opened.analysis.query_terms(query.text)
        with explained(self._folder(index)):
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
            self._open[name] = _OpenIndex(_config_in(folder, name), self._stop_words, folder)
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


def _config_in(folder: Path, name: str) -> TextIndexConfig:
    try:
        config = TextIndexConfig(**json.loads((folder / _CONFIG_FILE).read_text("utf-8")))
    except (ValueError, TypeError) as error:
        raise damaged(folder, f"{_CONFIG_FILE}: {error}") from error
    if config.name != name:
        raise damaged(folder, f"{_CONFIG_FILE} names the index {config.name!r}, not {name!r}")
    return config


def _entry(record: TextIndexRecord) -> Entry:
    payload = f"[{json.dumps(record.text)}, {metadata_json(record.id, record.metadata)}]"
    return Entry(record.id, record.text, payload.encode(), facets(record.metadata))


def _restored(record_id: str, payload: bytes) -> Entry:
    text, metadata = json.loads(payload)
    return Entry(record_id, text, payload, facets(metadata))


def _result(hit: Hit) -> TextSearchResult:
    text, metadata = json.loads(hit.payload)
    return TextSearchResult(hit.id, text, hit.score, metadata)
