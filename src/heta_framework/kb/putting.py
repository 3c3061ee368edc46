"""Brings documents into an object store: texts and bytes that are at hand, or the files of a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.common.stores.fields import required_text
from heta_framework.common.stores.object.keys import check_key, check_prefix
from heta_framework.common.stores.object.many import put_many
from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.kb.documents import SourceDocument, of_fields, several
from heta_framework.kb.parsing.file_types import file_type_of

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

RAW_PREFIX = "raw"
_FILES_AT_ONCE = 32  # so that a large folder is never in memory as a whole


@dataclass(frozen=True)
class NewDocument:
    """A document whose content is at hand.

    Attributes:
        name: its key below the prefix, e.g. ``tides.txt`` or ``2024/report.pdf``; the suffix decides on the parser.
        content: text, stored as UTF-8, or the bytes of a file.
        document_id, media_type, metadata: see `SourceDocument`. Text whose type nothing tells is ``text/plain``.
    """

    name: str
    content: str | bytes
    document_id: str | None = None
    media_type: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", required_text("name", self.name))
        if not isinstance(self.content, str | bytes):
            raise TypeError(f"the content of {self.name!r} must be text or bytes, found {type(self.content).__name__}")

    def source(self, prefix: str) -> SourceDocument:
        """What a knowledge base is told of it."""
        media_type = self.media_type
        if isinstance(self.content, str) and not file_type_of(self.name, media_type):
            media_type = "text/plain"
        return SourceDocument(_key(prefix, self.name), self.document_id, media_type, self.metadata)

    def data(self) -> bytes:
        """The bytes that are stored; a lone surrogate becomes the replacement character."""
        if isinstance(self.content, bytes):
            return self.content
        return replace_surrogates(self.content).encode()


async def put_documents(
    objects: ObjectStoreProtocol,
    documents: Iterable[NewDocument | Mapping[str, Any]],
    *,
    prefix: str = RAW_PREFIX,
) -> tuple[SourceDocument, ...]:
    """Store documents; give what comes back to `KnowledgeBase.create` as ``documents``, or to `update` as ``add``.

    Args:
        documents: `NewDocument`s, or dicts with their fields. One that is there under the same name is replaced.
        prefix: where they lie in the object store.

    Returns:
        one a document, in their order.

    Raises:
        TypeError: one of them is no document.
        ValueError: two have the same name, or a name is no key of an object store; nothing was stored.
    """
    wanted = several("documents", documents)
    given = [one if isinstance(one, NewDocument) else of_fields(NewDocument, one) for one in wanted]
    sources = tuple(one.source(prefix) for one in given)
    _require_distinct(sources)
    await put_many(objects, [(source.key, one.data()) for source, one in zip(sources, given, strict=True)])
    return sources


async def put_folder(
    objects: ObjectStoreProtocol, folder: Path | str, *, pattern: str = "**/*", prefix: str = RAW_PREFIX
) -> tuple[SourceDocument, ...]:
    """Store the files of a folder. The id of each is its path in the folder, so that a later version takes its place.

    Files and folders whose names begin with a dot are passed over.

    Args:
        pattern: which files, as of `pathlib.Path.glob`, e.g. ``**/*.pdf``.
        prefix: where they lie in the object store. What follows ``raw/`` goes before the ids, so files of two folders
            under ``raw/manuals`` and ``raw/letters`` never meet.

    Returns:
        one a file, in the order of their paths.

    Raises:
        NotADirectoryError: there is no such folder.
        ValueError: a path is no key of an object store; nothing was stored.
    """
    root = Path(folder)
    paths = await to_thread.run_sync(_files, root, pattern)
    sources = tuple(_of_file(path.relative_to(root).as_posix(), prefix) for path in paths)
    for start in range(0, len(paths), _FILES_AT_ONCE):
        contents = await to_thread.run_sync(_read, paths[start : start + _FILES_AT_ONCE])
        keys = [source.key for source in sources[start : start + _FILES_AT_ONCE]]
        await put_many(objects, zip(keys, contents, strict=True))
    return sources


def _files(root: Path, pattern: str) -> list[Path]:
    if not root.is_dir():
        raise NotADirectoryError(f"{root} is not a folder")
    found = (path for path in root.glob(pattern) if path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(root).parts))


def _read(paths: Sequence[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths]


def _of_file(name: str, prefix: str) -> SourceDocument:
    key = _key(prefix, name)
    return SourceDocument(key, document_id=key.removeprefix(f"{RAW_PREFIX}/"))


def _key(prefix: str, name: str) -> str:
    folder = check_prefix(prefix)
    return check_key(f"{folder}/{name}" if folder else name)


def _require_distinct(sources: Sequence[SourceDocument]) -> None:
    seen: set[str] = set()
    for source in sources:
        if source.key in seen:
            raise ValueError(f"two documents are named {source.key!r}; the second would replace the first")
        seen.add(source.key)
