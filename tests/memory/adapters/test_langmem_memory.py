"""What is langmem's own: a model that changes and deletes memories, and what becomes of their provenance."""

import asyncio
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from model_server import ChatRequest, LocalServer, Reply, ToolCall

from heams.memory.base import MemoryEvent, MemoryScope, RecallQuery

if TYPE_CHECKING:
    from conftest import Library

pytestmark = [
    pytest.mark.filterwarnings("default"),  # libraries warn about each other
    pytest.mark.skipif(find_spec("langmem") is None, reason="extra 'langmem' is not installed here"),
]
Start = Callable[..., LocalServer]
INSTANCE = re.compile(r"<instance id=(\S+) ")


def revising(request: ChatRequest) -> Reply:
    """Adds what is new; "Correction" patches the memory that is shown, "Drop" removes it."""
    shown = INSTANCE.findall(request.system)
    if "Correction" in request.user and "PatchDoc" in request.tools:
        patch = {"op": "replace", "path": "/content", "value": "Eve keeps the keys."}
        edits = {"json_doc_id": shown[0], "planned_edits": "the keeper", "patches": [patch]}
        return Reply(tool_calls=(ToolCall(name="PatchDoc", arguments=edits),))
    if "Drop" in request.user and "RemoveDoc" in request.tools:
        return Reply(tool_calls=(ToolCall(name="RemoveDoc", arguments={"json_doc_id": shown[0]}),))
    return Reply(tool_calls=(ToolCall(name="Memory", arguments={"content": "Tom keeps the keys."}),))


def test_changed_memories_keep_all_their_events_and_deleted_ones_go(
    libraries: "dict[str, Library]", openai_server: Start, tmp_path: Path
) -> None:
    server = openai_server(brain=revising)

    async def run() -> list[Any]:
        system = libraries["langmem"].make(instructions="Mind the keys.")
        await system.start()
        memory = await system.open(MemoryScope(id="scope", directory=tmp_path))
        seen = []
        for number, said in enumerate(("Tom has them.", "Correction: Eve has them.", "Drop that about the keys.")):
            await memory.write(MemoryEvent(id=f"t{number}", content=said, speaker="Ada"))
            seen.append([(item.text, item.event_ids) for item in await memory.dump()])
        assert await memory.recall(RecallQuery(text="Who keeps the keys?")) == []
        await memory.close()
        await system.close()
        return seen

    assert asyncio.run(run()) == [
        [("Tom keeps the keys.", ("t0",))],
        [("Eve keeps the keys.", ("t0", "t1"))],
        [],
    ]
    assert any("Mind the keys." in str(entry.body) for entry in server.log.entries)
