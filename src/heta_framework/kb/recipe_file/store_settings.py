"""The stores of a recipe file: which kind, and where.

A store is written as a mapping with a ``type``, or as the bare type where nothing else need be said. Each kind says
where it keeps things: in this process, in a folder, or on a server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from heta_framework.common.models.settings import Address, VariableName

StopWords = Literal["none", "english"]
Whereabouts = Literal["process", "folder", "server"]


def _storable_path(path: str) -> str:
    if not path.strip() or "\0" in path:
        raise ValueError("the path of a file or folder is wanted")
    return path


StorePath = Annotated[str, AfterValidator(_storable_path)]
"""A path as written; what a relative one is relative to is decided when the recipe is opened."""


class StoreSettings(BaseModel):
    """What all stores have in common."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    whereabouts: ClassVar[Whereabouts] = "process"

    def variables(self) -> Mapping[str, str]:
        """The environment variables with addresses and keys, by the field that names each."""
        named = {field: getattr(self, field) for field in type(self).model_fields if field.endswith("_env")}
        return {field: name for field, name in named.items() if name is not None}


class InProcess(StoreSettings):
    """Kept in memory, gone with the process."""

    type: Literal["memory"]


class InFolder(StoreSettings):
    """Kept in a folder or file."""

    whereabouts = "folder"
    path: StorePath


class OnServer(StoreSettings):
    """Kept on a server, which others share."""

    whereabouts = "server"


class OnPostgres(OnServer):
    """Kept in PostgreSQL (extra ``postgres``); ``url_env`` names the variable with its URL."""

    url_env: VariableName


class LocalObjects(InFolder):
    """Objects as files below a folder."""

    type: Literal["local"]


class S3Objects(OnServer):
    """Objects in a bucket of S3, or of a server that speaks its protocol (``endpoint_url``)."""

    type: Literal["s3"]
    bucket: str = Field(min_length=1)
    prefix: str = ""
    endpoint_url: Address | None = None
    region: str | None = None
    access_key_id_env: VariableName | None = None
    secret_access_key_env: VariableName | None = None
    session_token_env: VariableName | None = None
    addressing_style: Literal["auto", "path", "virtual"] = "auto"


class DiskVectors(InFolder):
    """Vectors in a folder, found through an approximate index where there are many (extra ``ann``)."""

    type: Literal["disk"]


class PgVectors(OnPostgres):
    """PostgreSQL with pgvector (extra ``postgres``); ``url_env`` names the variable with its URL."""

    type: Literal["pgvector"]


class QdrantVectors(OnServer):
    """A Qdrant server (extra ``qdrant``)."""

    type: Literal["qdrant"]
    url: Address
    api_key_env: VariableName | None = None


class TextsInProcess(StoreSettings):
    """Full-text indexes in memory; with ``stop_words: english`` words that only ask or join are left out of queries."""

    type: Literal["memory"]
    stop_words: StopWords = "none"


class TantivyTexts(InFolder):
    """Full-text indexes in a folder; ``stop_words`` as for those in memory."""

    type: Literal["tantivy"]
    stop_words: StopWords = "none"


class SearchServerTexts(OnServer):
    """An Elasticsearch or OpenSearch server (an extra each)."""

    type: Literal["elasticsearch", "opensearch"]
    url: Address
    api_key_env: VariableName | None = None


class SqliteFile(InFolder):
    """A SQLite database file."""

    type: Literal["sqlite"]


class PostgresServer(OnPostgres):
    """PostgreSQL (extra ``postgres``); ``url_env`` names the variable with its URL."""

    type: Literal["postgresql"]


class GraphInSql(StoreSettings):
    """A graph in two tables of the recipe's SQL store."""

    type: Literal["sql"]


def _with_type(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


_TypeAlone = BeforeValidator(_with_type)
_ByType = Field(discriminator="type")

ObjectsChoice = Annotated[Annotated[InProcess | LocalObjects | S3Objects, _ByType], _TypeAlone]
VectorChoice = Annotated[Annotated[InProcess | DiskVectors | PgVectors | QdrantVectors, _ByType], _TypeAlone]
TextIndexChoice = Annotated[Annotated[TextsInProcess | TantivyTexts | SearchServerTexts, _ByType], _TypeAlone]
SqlChoice = Annotated[Annotated[InProcess | SqliteFile | PostgresServer, _ByType], _TypeAlone]
GraphChoice = Annotated[Annotated[InProcess | GraphInSql, _ByType], _TypeAlone]


class StoresSettings(BaseModel):
    """The stores of a recipe; a slot that is left out is empty."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    objects: ObjectsChoice
    vector: VectorChoice | None = None
    text_index: TextIndexChoice | None = None
    sql: SqlChoice | None = None
    graph: GraphChoice | None = None

    def by_slot(self) -> Mapping[str, StoreSettings]:
        """The stores that are there."""
        slots = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: store for name, store in slots.items() if store is not None}

    def on_servers(self) -> bool:
        """Whether any of them is on a server, which others share."""
        return any(store.whereabouts == "server" for store in self.by_slot().values())

    def secrets(self, env: Mapping[str, str]) -> Iterator[str]:
        """What the variables hold, and the passwords in addresses among it."""
        for store in self.by_slot().values():
            for name in store.variables().values():
                value = env.get(name, "")
                yield value
                yield from _passwords(value)


def _passwords(address: str) -> Iterator[str]:
    try:
        password = urlsplit(address).password
    except ValueError:  # no address
        return
    if password:
        yield password
        yield unquote(password)
