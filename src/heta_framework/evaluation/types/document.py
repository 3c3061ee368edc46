"""A raw document of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from heta_framework.common.stores.fields import required_text
from heta_framework.evaluation.types.fields import mapping, optional_text, put
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.evaluation.types.manifest import BenchmarkManifest
from heta_framework.evaluation.types.raw_keys import file_segment, segment


@dataclass(frozen=True)
class BenchmarkDocument:
    """What goes into a knowledge base.

    Attributes:
        document_id: stable and unique in the benchmark; results carry it as ``source["document_id"]``.
        name: a file name, no path; its suffix helps to find a parser where the media type does not.
        media_type: e.g. ``application/pdf``.
        data, path, source_uri: where its bytes are; exactly one is set. A ``source_uri`` is fetched by the runner.
        metadata: returned with every result; ``sha256`` is what fetched bytes are checked against.
    """

    document_id: str
    name: str
    media_type: str
    data: bytes | None = None
    path: Path | None = None
    source_uri: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("document_id", "name", "media_type"):
            put(self, **{name: required_text(name, getattr(self, name))})
        if self.name in (".", "..") or "\\" in self.name or PurePosixPath(self.name).name != self.name:
            raise ValueError(f"name must be a file name, not a path; found {self.name!r}")
        put(self, data=_bytes(self.data), path=None if self.path is None else Path(self.path))
        put(self, source_uri=optional_text("source_uri", self.source_uri))
        if sum(one is not None for one in (self.data, self.path, self.source_uri)) != 1:
            raise ValueError(f"exactly one of data, path, or source_uri must be set (document {self.document_id!r})")
        put(self, metadata=mapping("metadata", self.metadata))

    def raw_key(self, manifest: BenchmarkManifest) -> str:
        """``raw/benchmarks/{benchmark}/{split}/{document_id}/{name}``.

        An id or a name that is no safe segment of a key is there as a readable stand-in with a hash of its own.
        """
        folder = f"raw/benchmarks/{segment(manifest.name)}/{segment(manifest.split)}"
        return f"{folder}/{segment(self.document_id)}/{file_segment(self.name)}"

    def to_dict(self) -> dict[str, Any]:
        """The fields without the bytes: ``has_data`` says whether there are any."""
        return {
            "document_id": self.document_id,
            "name": self.name,
            "media_type": self.media_type,
            "has_data": self.data is not None,
            "path": None if self.path is None else str(self.path),
            "source_uri": self.source_uri,
            "metadata": json_safe(self.metadata),
        }


def _bytes(data: object) -> bytes | None:
    if data is None or isinstance(data, bytes):
        return data
    if isinstance(data, bytearray | memoryview):
        return bytes(data)
    raise TypeError(f"data must be bytes, found {type(data).__name__}")
