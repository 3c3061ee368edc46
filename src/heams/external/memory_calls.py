"""What an external agent asks of the memory while it handles a request, answered through the harness."""

from pydantic import BaseModel, JsonValue

from heams.agents.base import MemoryPort
from heams.external.checking import Misfit, problem_of
from heams.external.peer import Arguments
from heams.external.protocol import MEMORY_CALL, ForgetCall, ItemsCall, MemoryCall, RecallCall, WriteCall, refused
from heams.memory.base import UnsupportedOperation


async def answer_call(raw: Arguments, port: MemoryPort) -> Arguments:
    """The answer to a call. A call that makes no sense, or that the memory does not offer, is answered in words.

    Raises:
        Exception: whatever the memory raises otherwise; it ends the scenario, as it would with an agent in Python.
    """
    call = problem_of(MEMORY_CALL, dict(raw))
    if isinstance(call, Misfit):
        return refused(raw, call.text)
    try:
        result = await _perform(call, port)
    except UnsupportedOperation as refusal:
        return refused(raw, str(refusal), "unsupported")
    return {"call": call.call, "ok": True, "result": result}


async def _perform(call: MemoryCall, port: MemoryPort) -> JsonValue:
    match call:
        case RecallCall():
            return [_json(item) for item in await port.recall(call.text, limit=call.limit)]
        case WriteCall():
            await port.write(call.content, metadata=call.metadata)
            return None
        case ForgetCall():
            return _json(await port.forget(call.content, event_ids=call.event_ids))
        case ItemsCall():
            return [_json(item) for item in await port.items()]


def _json(value: BaseModel) -> JsonValue:
    dumped: JsonValue = value.model_dump(mode="json")
    return dumped
