"""langmem's memory store manager as an engine."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from anyio import to_thread

from heams.memory.base import MemoryEvent
from heams.memory.libraries.batches import Batch, dated
from heams.memory.libraries.engine import Engine, Held
from heams.memory.libraries.langmem_library import load_langmem
from heams.memory.libraries.openai_clients import http_clients
from heta_framework.common.models.gateway import Seat

if TYPE_CHECKING:
    from heams.memory.langmem import LangMemMemoryConfig

_FILE = "store.json"


class LangMemEngine(Engine):
    """One manager with its store. The store lives in memory; ``folder`` holds it when it was saved."""

    def __init__(self, config: "LangMemMemoryConfig", folder: Path, seat: Seat) -> None:
        self._config = config
        self._clients = http_clients()
        library = load_langmem()
        asked = {"api_key": seat.api_key, "base_url": seat.base_url, "max_retries": 0, "timeout": None}
        asked |= {"http_client": self._clients.blocking, "http_async_client": self._clients.waiting}
        # without token counting by tiktoken, which downloads its tables
        embeddings = library.openai.OpenAIEmbeddings(model="seat", check_embedding_ctx_length=False, **asked)
        self._store: Any = library.store.InMemoryStore(index={"dims": 0, "embed": embeddings})
        if (folder / _FILE).exists():
            _load_store(self._store, json.loads((folder / _FILE).read_bytes()))
        instructions = {} if config.instructions is None else {"instructions": config.instructions}
        self._manager: Any = library.langmem.create_memory_store_manager(
            library.openai.ChatOpenAI(model=config.llm_name, use_responses_api=False, **asked),
            namespace=("memories", "{owner}"),
            store=self._store,
            query_limit=config.query_limit,
            enable_deletes=config.enable_deletes,
            **instructions,
        )

    async def add(self, batch: Batch) -> Collection[str]:
        """Hear a batch as messages that say when they were said; the receipts are the keys that changed."""
        namespace = _namespace(batch.owner)
        before = self._values(namespace)
        puts = await self._manager.ainvoke(
            {"messages": [_message(event) for event in batch.events], "max_steps": self._config.max_steps},
            config={"configurable": {"owner": namespace[1]}},
        )
        after = self._values(namespace)
        return [put["key"] for put in puts if after.get(put["key"]) != before.get(put["key"])]

    async def search(self, text: str, owner: str, limit: int) -> Sequence[Held]:
        """The store's search by meaning."""
        found = await self._store.asearch(_namespace(owner), query=text, limit=limit)
        return [_held(item.key, item.value, item.score) for item in found]

    async def items(self, owners: Collection[str]) -> Sequence[Held]:
        """All memories."""
        return [_held(key, value) for owner in owners for key, value in self._values(_namespace(owner)).items()]

    async def remove(self, ids: Sequence[str]) -> Collection[str]:
        """Delete memories and their vectors."""
        for namespace in list(self._store._data):
            for key in set(ids) & self._store._data[namespace].keys():
                self._store.delete(namespace, key)
        return ids

    async def save(self, folder: Path) -> None:
        """Write the store into a file, vectors included: embedding again would cost again."""
        await to_thread.run_sync(_write, folder, _dump_store(self._store))

    async def close(self) -> None:
        """Close the clients."""
        await self._clients.close()

    def _values(self, namespace: tuple[str, ...]) -> dict[str, Any]:
        return {key: item.value for key, item in self._store._data.get(namespace, {}).items()}


def _namespace(owner: str) -> tuple[str, str]:
    """A store takes no empty labels and none with a full stop."""
    return "memories", f"user-{quote(owner, safe='', errors='surrogatepass').replace('.', '%2E')}"


def _message(event: MemoryEvent) -> Any:
    messages = load_langmem().messages
    kind = messages.AIMessage if event.role == "assistant" else messages.HumanMessage
    return kind(content=dated(event))


def _held(key: str, value: Any, score: float | None = None) -> Held:
    content = value["content"]
    plain = isinstance(content, dict) and list(content) == ["content"]
    text = content["content"] if plain else json.dumps(content, ensure_ascii=False)
    return Held(id=key, text=str(text), receipts=(key,), score=score)


def _dump_store(store: Any) -> list[Any]:
    """The store's items with their vectors; it keeps these two attributes for wrappers such as this one."""
    return [
        [item.dict(), store._vectors[namespace].get(key, {})]
        for namespace, items in store._data.items()
        for key, item in items.items()
    ]


def _write(folder: Path, saved: list[Any]) -> None:
    folder.mkdir(parents=True)
    (folder / _FILE).write_text(json.dumps(saved), encoding="ascii")


def _load_store(store: Any, saved: list[Any]) -> None:
    kind = load_langmem().store_base.Item
    for fields, vectors in saved:
        times = {name: datetime.fromisoformat(fields[name]) for name in ("created_at", "updated_at")}
        namespace = tuple(fields["namespace"])
        item = kind(value=fields["value"], key=fields["key"], namespace=namespace, **times)
        store._data[namespace][item.key] = item
        store._vectors[namespace][item.key] = vectors
