"""mem0's ``Memory`` as an engine. Its work is blocking and done in threads."""

import shutil
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from heams.memory.base import MemoryEvent
from heams.memory.libraries.batches import Batch, spoken
from heams.memory.libraries.engine import Engine, Held, LibraryError
from heams.memory.libraries.mem0_library import load_mem0, saying_at
from heams.memory.libraries.openai_clients import blocking_client
from heams.memory.libraries.threads import in_thread
from heta_framework.common.models.gateway import Seat

if TYPE_CHECKING:
    from heams.memory.mem0 import Mem0MemoryConfig

_T = TypeVar("_T")
_MOST_ITEMS = 1_000_000
_ANY_TEXT = "dimension"


class Mem0Engine(Engine):
    """One mem0 instance with its qdrant and its SQLite in ``folder``. To be created in a thread."""

    def __init__(self, config: "Mem0MemoryConfig", folder: Path, seat: Seat) -> None:
        self._config = config
        self._folder = folder
        self._seat = seat
        self._memory: Any = _opened(config, folder, seat)

    async def add(self, batch: Batch) -> Collection[str]:
        """Hear a batch as messages of its owner."""
        return await self._do(lambda: self._add(batch))

    async def search(self, text: str, owner: str, limit: int) -> Sequence[Held]:
        """mem0's own search."""

        def work() -> list[Held]:
            whose = {"user_id": _user(owner)}
            found = self._memory.search(text, filters=whose, top_k=limit, threshold=self._config.threshold)
            return [_held(item) for item in found["results"]]

        return await self._do(work)

    async def items(self, owners: Collection[str]) -> Sequence[Held]:
        """All memories."""

        def work() -> list[Held]:
            return [
                _held(item)
                for owner in owners
                for item in self._memory.get_all(filters={"user_id": _user(owner)}, top_k=_MOST_ITEMS)["results"]
            ]

        return await self._do(work)

    async def remove(self, ids: Sequence[str]) -> Collection[str]:
        """Delete memories, from mem0's log of changes and of recent messages too."""

        def work() -> None:
            for item_id in ids:
                self._memory.delete(item_id)
            connection = self._memory.db.connection
            with connection:
                connection.executemany("DELETE FROM history WHERE memory_id = ?", [(item_id,) for item_id in ids])
                connection.execute("DELETE FROM messages")

        await self._do(work)
        return ids

    async def save(self, folder: Path) -> None:
        """Copy the files; mem0 and qdrant have committed every write."""
        await self._do(lambda: shutil.copytree(self._folder, folder, ignore=shutil.ignore_patterns(".lock")))

    async def close(self) -> None:
        """Close the databases and the clients."""

        def work() -> None:
            self._memory.close()
            self._memory.vector_store.client.close()
            self._memory.llm.client.close()
            self._memory.embedding_model.client.close()

        await self._do(work)

    def _add(self, batch: Batch) -> list[str]:
        messages = [{"role": _role(event), "content": spoken(event)} for event in batch.events]
        with saying_at(batch.at) as complaints:
            result = self._memory.add(
                messages,
                user_id=_user(batch.owner),
                metadata={"created_at": batch.at.isoformat()} if batch.at is not None else None,
                infer=self._config.infer,
                prompt=self._config.instructions,
            )
        if complaints and self._config.unreadable_replies == "fail":
            raise LibraryError(f"mem0 kept nothing of {batch.event_ids!r}: {complaints[0]}")
        return [item["id"] for item in result["results"] if item["event"] != "DELETE"]

    async def _do(self, work: Callable[[], _T]) -> _T:
        return await in_thread(self._seat, work)


def _opened(config: "Mem0MemoryConfig", folder: Path, seat: Seat) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    client = blocking_client(seat)
    asked = {"api_key": seat.api_key, "openai_base_url": seat.base_url}
    memory = load_mem0().Memory.from_config(
        {
            "llm": {"provider": "openai", "config": {"model": config.llm_name, **asked}},
            "embedder": {"provider": "openai", "config": {"model": "seat", **asked}},
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(folder / "qdrant"),
                    "on_disk": True,
                    "embedding_model_dims": _dimension(client, folder),
                },
            },
            "history_db_path": str(folder / "history.db"),
        }
    )
    # mem0's own clients retry, heed proxies, and go to OpenRouter where its key is set
    memory.llm.client = client
    memory.embedding_model.client = blocking_client(seat)
    memory.entity_store  # noqa: B018 - a store of entities that was saved is only minded once it has been opened
    return memory


def _dimension(client: Any, folder: Path) -> int:
    """The length of the seat's vectors, which qdrant wants to know before the first."""
    if (folder / "qdrant").exists():
        return 1  # the collections are there and know it
    return len(client.embeddings.create(model="seat", input=[_ANY_TEXT]).data[0].embedding)


def _user(owner: str) -> str:
    """mem0 takes no ids with white space in them, nor empty ones."""
    return f"user-{quote(owner, safe='', errors='surrogatepass')}"


def _role(event: MemoryEvent) -> str:
    return "assistant" if event.role == "assistant" else "user"  # mem0 skips the messages of others


def _held(item: dict[str, Any]) -> Held:
    return Held(
        id=item["id"],
        text=item["memory"],
        receipts=(item["id"],),
        score=item.get("score"),
    )
