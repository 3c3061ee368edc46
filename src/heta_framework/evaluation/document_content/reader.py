"""Reads documents from wherever they are, and says of which one something is wrong."""

from __future__ import annotations

import hashlib
from pathlib import Path
from stat import S_ISREG
from types import TracebackType
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

import anyio.to_thread

from heta_framework.common.config.url_secrets import without_secrets_in
from heta_framework.common.data_files.confinement import confined_path
from heta_framework.evaluation.document_content.limits import ContentLimits, UnreadableError
from heta_framework.evaluation.document_content.network import Network
from heta_framework.evaluation.errors import DocumentContentError
from heta_framework.evaluation.types import BenchmarkDocument

_HERE = ("", "localhost")


async def read_content(document: BenchmarkDocument, *, root: Path, limits: ContentLimits | None = None) -> bytes:
    """The bytes of one document; for many use a `ContentReader`, which keeps its connections.

    Args:
        document: whose content is asked for.
        root: the folder below which ``file://`` addresses must lie.
        limits: `ContentLimits` by default.

    Raises:
        DocumentContentError: they cannot be had, are too many, or are not those of the checksum; it names the document.
    """
    async with ContentReader(root, limits) as reader:
        return await reader.read(document)


class ContentReader:
    """Reads documents, as `read_content` does; an asynchronous context manager."""

    def __init__(self, root: Path, limits: ContentLimits | None = None) -> None:
        self._root = root
        self._limits = limits or ContentLimits()
        self._network = Network(self._limits)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._network.close()

    async def read(self, document: BenchmarkDocument) -> bytes:
        """The bytes of a document.

        Raises:
            DocumentContentError: as `read_content`.
        """
        try:
            content = await self._from_its_place(document)
            self._limits.require(len(content))
            _require_checksum(document, content)
        except UnreadableError as cause:
            address = document.source_uri
            place = "" if address is None else f" ({without_secrets_in(address)})"
            raise DocumentContentError(f"document {document.document_id!r}{place} cannot be read: {cause}") from cause
        return content

    async def _from_its_place(self, document: BenchmarkDocument) -> bytes:
        if document.data is not None:
            return document.data
        if document.path is not None:
            return await anyio.to_thread.run_sync(self._from_file, document.path)
        address = _address_of(document.source_uri or "")
        if address.scheme in ("http", "https"):
            return await self._network.fetch(address.geturl())
        if address.scheme != "file":
            raise UnreadableError(f"found the scheme {address.scheme!r}; allowed are http, https and file")
        return await anyio.to_thread.run_sync(lambda: self._from_file(self._path_of(address)))

    def _path_of(self, address: SplitResult) -> Path:
        if address.netloc not in _HERE:
            raise UnreadableError(f"found a file on the host {address.netloc!r}; expected file:///path, without a host")
        try:
            return confined_path(self._root, unquote(address.path))
        except ValueError as cause:
            raise UnreadableError(str(cause)) from cause

    def _from_file(self, path: Path) -> bytes:
        try:
            found = path.stat()
            if not S_ISREG(found.st_mode):  # a pipe without a writer would be waited for without end
                raise UnreadableError(f"{path} cannot be read: it is no regular file")
            self._limits.require(found.st_size)
            with path.open("rb") as file:
                return file.read(self._limits.max_bytes + 1)
        except OSError as cause:
            raise UnreadableError(f"{path} cannot be read: {cause.strerror or cause}") from cause


def _address_of(text: str) -> SplitResult:
    try:
        address = urlsplit(text)
        _ = address.port  # read, because it is looked at only then
    except ValueError as cause:
        raise UnreadableError(f"its address is none: {cause}") from cause
    return address


def _require_checksum(document: BenchmarkDocument, content: bytes) -> None:
    expected = document.metadata.get("sha256")
    if expected is None:
        return
    found = hashlib.sha256(content).hexdigest()
    if not isinstance(expected, str) or expected.strip().lower() != found:
        raise UnreadableError(f"found content with the sha256 {found}; its metadata expect {expected!r}")
