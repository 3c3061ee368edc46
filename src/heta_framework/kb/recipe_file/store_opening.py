"""Settings of a store to the store; nothing is connected to and no file is made before the store is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from heta_framework.kb.recipe_file.store_settings import StoreSettings

Environment = Mapping[str, str]
_Opener = Callable[[Any, Path, Environment], object]


def open_store(slot: str, settings: StoreSettings, root: Path, env: Environment) -> object:
    """The store of a slot.

    Args:
        slot: ``objects``, ``vector``, ``text_index``, ``sql`` or ``graph``.
        root: what relative paths are relative to.

    Raises:
        LookupError: a variable that the settings name is not set.
    """
    kind: str = settings.type  # type: ignore[attr-defined]
    return _OPENERS[slot, kind](settings, root, env)


def placed(path: str, root: Path) -> Path:
    """Where a path of the settings leads: a relative one below ``root``, ``~`` to the user's home."""
    return root / Path(path).expanduser()


def _memory_objects(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.object.memory import MemoryObjectStore

    return MemoryObjectStore()


def _local_objects(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.object.local import LocalObjectStore

    return LocalObjectStore(placed(settings.path, root))


def _memory_vectors(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.vector.in_memory import InMemoryVectorStore

    return InMemoryVectorStore()


def _disk_vectors(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.vector.disk import DiskVectorStore

    return DiskVectorStore(placed(settings.path, root))


def _pgvector(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.vector.pgvector import PgVectorStore

    return PgVectorStore(env[settings.url_env])


def _qdrant(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.vector.qdrant import QdrantVectorStore

    return QdrantVectorStore(settings.url, api_key_env=settings.api_key_env)


def _memory_texts(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.text_index.in_memory import InMemoryTextIndexStore

    return InMemoryTextIndexStore(stop_words=settings.stop_words)


def _tantivy(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.text_index.tantivy_store import TantivyTextIndexStore

    return TantivyTextIndexStore(placed(settings.path, root), stop_words=settings.stop_words)


def _s3_objects(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.object.s3 import S3ObjectStore

    return S3ObjectStore(
        settings.bucket,
        prefix=settings.prefix,
        endpoint_url=settings.endpoint_url,
        region=settings.region,
        access_key_id=_variable(settings.access_key_id_env, env),
        secret_access_key=_variable(settings.secret_access_key_env, env),
        session_token=_variable(settings.session_token_env, env),
        addressing_style=settings.addressing_style,
    )


def _search_server(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.text_index.elasticsearch import (
        ElasticsearchTextIndexStore,
        ElasticsearchTextIndexStoreConfig,
    )

    key = _variable(settings.api_key_env, env)
    return ElasticsearchTextIndexStore(
        ElasticsearchTextIndexStoreConfig(hosts=settings.url, api_key=key, engine=settings.type)
    )


def _memory_sql(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.sql import SQLStore

    return SQLStore("sqlite://")


def _sqlite(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.sql import SQLStore

    return SQLStore(f"sqlite:///{placed(settings.path, root)}")


def _postgres(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.sql import SQLStore

    return SQLStore(env[settings.url_env])


def _memory_graph(settings: Any, root: Path, env: Environment) -> object:
    from heta_framework.common.stores.graph.in_memory import InMemoryGraphStore

    return InMemoryGraphStore()


def _variable(name: str | None, env: Environment) -> str | None:
    return None if name is None else env[name]


_OPENERS: Mapping[tuple[str, str], _Opener] = {
    ("objects", "memory"): _memory_objects,
    ("objects", "local"): _local_objects,
    ("objects", "s3"): _s3_objects,
    ("vector", "memory"): _memory_vectors,
    ("vector", "disk"): _disk_vectors,
    ("vector", "pgvector"): _pgvector,
    ("vector", "qdrant"): _qdrant,
    ("text_index", "memory"): _memory_texts,
    ("text_index", "tantivy"): _tantivy,
    ("text_index", "elasticsearch"): _search_server,
    ("text_index", "opensearch"): _search_server,
    ("sql", "memory"): _memory_sql,
    ("sql", "sqlite"): _sqlite,
    ("sql", "postgresql"): _postgres,
    ("graph", "memory"): _memory_graph,
}
