"""What a benchmark is and where its material comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from heta_framework.common.stores.fields import positive, required_text
from heta_framework.evaluation.types.fields import chosen, mapping, optional_text, put
from heta_framework.evaluation.types.json_safe import json_safe

BenchmarkBuildScope = Literal["corpus", "group", "case"]
BenchmarkResourceKind = Literal["file", "archive", "dataset", "repository", "manual"]


@dataclass(frozen=True)
class BenchmarkManifest:
    """The identity of a benchmark.

    Attributes:
        name: also a segment of its raw documents' keys.
        version: of the data.
        split: e.g. ``test``.
        task_type: e.g. ``rag_qa``.
        build_scope: ``corpus`` (one knowledge base for all cases), ``case`` or ``group`` (many); a hint, for the run
            units decide.
        homepage, license, citation: what a reader needs to find, use and cite it.
        metadata: anything else.
    """

    name: str
    version: str
    split: str
    task_type: str
    build_scope: BenchmarkBuildScope = "corpus"
    homepage: str | None = None
    license: str | None = None
    citation: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("name", "version", "split", "task_type"):
            put(self, **{name: required_text(name, getattr(self, name))})
        for name in ("homepage", "license", "citation"):
            put(self, **{name: optional_text(name, getattr(self, name))})
        chosen("build_scope", self.build_scope, get_args(BenchmarkBuildScope))
        put(self, metadata=mapping("metadata", self.metadata))

    @property
    def key(self) -> str:
        """``name:version:split``."""
        return f"{self.name}:{self.version}:{self.split}"

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {**vars(self), "metadata": json_safe(self.metadata)}


@dataclass(frozen=True)
class BenchmarkResource:
    """Something external that a benchmark needs.

    Attributes:
        uri: where it is.
        checksum: e.g. ``sha256:<hex>``.
        size_bytes: at least 1.
        required: whether the benchmark cannot be prepared without it.
    """

    name: str
    uri: str
    kind: BenchmarkResourceKind = "file"
    checksum: str | None = None
    size_bytes: int | None = None
    required: bool = True
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(self, name=required_text("name", self.name), uri=required_text("uri", self.uri))
        chosen("kind", self.kind, get_args(BenchmarkResourceKind))
        put(self, checksum=optional_text("checksum", self.checksum))
        if self.size_bytes is not None:
            positive("size_bytes", self.size_bytes)
        put(self, metadata=mapping("metadata", self.metadata))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {**vars(self), "metadata": json_safe(self.metadata)}


@dataclass(frozen=True)
class BenchmarkWorkspace:
    """Where a benchmark may keep files.

    Attributes:
        root_dir: of the run.
        cache_dir: what is downloaded and can be downloaded again.
        output_dir: for what an adapter writes itself.
    """

    root_dir: Path
    cache_dir: Path
    output_dir: Path | None = None

    def __post_init__(self) -> None:
        put(self, root_dir=Path(self.root_dir), cache_dir=Path(self.cache_dir))
        put(self, output_dir=None if self.output_dir is None else Path(self.output_dir))


@dataclass(frozen=True)
class PreparedBenchmark:
    """A benchmark whose material is at hand.

    Attributes:
        root_dir: where it lies; ``file://`` documents must be below it.
        resources: what it was made from.
        metadata: the adapter's own.
    """

    manifest: BenchmarkManifest
    root_dir: Path
    resources: tuple[BenchmarkResource, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(self, root_dir=Path(self.root_dir), resources=tuple(self.resources))
        put(self, metadata=mapping("metadata", self.metadata))
