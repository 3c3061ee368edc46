"""The public names of all stores, in one place and loaded when they are used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from heta_framework.common import stores

_PUBLISHED = {
    "DistanceMetric",
    "ElasticsearchTextIndexStore",
    "ElasticsearchTextIndexStoreConfig",
    "GraphEdge",
    "GraphNode",
    "GraphStoreProtocol",
    "InMemoryGraphStore",
    "InMemoryTextIndexStore",
    "InMemoryVectorStore",
    "LocalObjectStore",
    "LocalObjectStoreConfig",
    "ObjectInfo",
    "ObjectStoreProtocol",
    "S3AddressingStyle",
    "S3ObjectStore",
    "S3ObjectStoreConfig",
    "SQLExecutorProtocol",
    "SQLParameters",
    "SQLResult",
    "SQLRow",
    "SQLStore",
    "SQLStoreConfig",
    "SQLStoreProtocol",
    "SQLTransaction",
    "SQLTransactionProtocol",
    "TextIndexConfig",
    "TextIndexRecord",
    "TextIndexStoreProtocol",
    "TextQuery",
    "TextSearchResult",
    "VectorCollectionConfig",
    "VectorQuery",
    "VectorRecord",
    "VectorSearchResult",
    "VectorStoreProtocol",
}


@pytest.mark.parametrize("name", stores.__all__)
def test_every_name_can_be_imported(name: str) -> None:
    assert getattr(stores, name) is not None


def test_the_names_of_the_published_package_are_among_them() -> None:
    assert set(stores.__all__) >= _PUBLISHED
    assert stores.__all__ == sorted(stores.__all__)


def test_an_unknown_name_is_refused() -> None:
    assert not hasattr(stores, "MilvusVectorStore")


def test_no_heavy_library_is_loaded_before_a_store_is_made(tmp_path: Path) -> None:
    script = """
import sys
from heta_framework.common.stores import (
    InMemoryGraphStore, LocalObjectStore, MemoryObjectStore, S3ObjectStore, SQLStore, SqlGraphStore)
LocalObjectStore("."), MemoryObjectStore(), InMemoryGraphStore()
print([name for name in ("numpy", "obstore", "sqlalchemy", "psycopg", "tantivy") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"
