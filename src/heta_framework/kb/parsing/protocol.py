"""What a parser offers, and how one that computes is kept off the event loop."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, Protocol, runtime_checkable

from anyio import to_thread

from heta_framework.kb.parsing.types import ParsedDocument, ParsedSource


class DocumentParseError(ValueError):
    """A document cannot be read: damaged, encrypted, too large, or not of the type that it is said to be."""


@runtime_checkable
class DocumentParserProtocol(Protocol):
    """Turns the bytes of a document into pages of text."""

    @property
    def supported_file_types(self) -> AbstractSet[str]:
        """The types it takes: lower case, without a dot."""
        ...

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """Parse one document.

        Raises:
            DocumentParseError: it cannot be read.
        """
        ...


class ComputingParser:
    """A parser whose work is computing: whole batches of documents share one hop to a worker thread."""

    computes = True
    """False where `parse` has to be awaited: it asks somebody else, or a subclass has one of its own."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "parse" in vars(cls) and "parse_now" not in vars(cls):
            cls.computes = False

    @property
    def supported_file_types(self) -> frozenset[str]:
        """See `DocumentParserProtocol.supported_file_types`."""
        raise NotImplementedError

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """See `DocumentParserProtocol.parse`."""
        return await to_thread.run_sync(self.parse_now, source, data)

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """`parse`, in the calling thread."""
        raise NotImplementedError

    def check_type(self, source: ParsedSource) -> None:
        """Raise ValueError where the parser does not take the source's type."""
        if source.file_type.lower().lstrip(".") not in self.supported_file_types:
            raise ValueError(f"unsupported file type for {type(self).__name__}: {source.file_type}")


def parser_identity(parser: DocumentParserProtocol) -> str:
    """What tells parsers apart whose results differ: class, version, and configuration.

    A parser of the caller's own says so by a ``config`` with a telling repr, or by a ``version`` that it raises.
    """
    kind = type(parser)
    version, config = getattr(parser, "version", None), getattr(parser, "config", None)
    return f"{kind.__module__}.{kind.__qualname__}|{version!r}|{config!r}"
