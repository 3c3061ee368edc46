"""An agent behind a URL asks the memory by coming back with calls, until it has an answer."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from heams.agents.base import AgentReply, AgentScope, Stimulus
from heams.agents.http import HttpAgent, HttpAgentConfig
from heams.external.errors import ExternalProgramError
from heams.memory.base import Memory, MemoryCapabilities, MemoryEvent, RecalledItem, RecallQuery, UnsupportedOperation
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort

_STIMULUS = Stimulus(content="What does Ann drink?", query="Ann drink")


class _ListMemory(Memory):
    def __init__(self) -> None:
        self.texts: list[str] = []

    async def write(self, event: MemoryEvent) -> None:
        self.texts.append(event.content)

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        if query.text == "break":
            raise OSError("the index is gone")
        return [RecalledItem(id=str(number), text=text) for number, text in enumerate(self.texts)]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def _respond(url: str, memory: Memory) -> AgentReply:
    port = RecordingPort(memory, MemoryCapabilities(), RecallBudget(), scope="a")

    async def run() -> AgentReply:
        agent = HttpAgent(HttpAgentConfig(url=url))
        await agent.start()
        try:
            session = await agent.open(AgentScope(id="a"))
            return await session.respond(_STIMULUS, port)
        finally:
            await agent.close()

    return asyncio.run(run())


def _agent(serve: Any, reply: Any, hello: Any, respond: Any) -> str:
    """A server whose responses to ``respond`` are ``{"id": ..., "ok": True}`` changed by ``respond(request)``."""

    def answer(handler: Any, request: dict[str, Any]) -> None:
        own = {"hello": lambda _: {"result": hello}, "respond": respond}.get(request["op"], lambda _: {})
        reply(handler, {"id": request["id"], "ok": True, **own(request)})

    return str(serve(answer))


def test_the_request_comes_again_with_all_answers_so_far(serve: Any, reply: Any, hello: Any) -> None:
    seen: list[dict[str, Any]] = []
    rounds = [
        {"calls": [{"call": "w", "op": "write", "content": "Ann drinks tea"}, {"call": 2, "op": "items"}]},
        {"calls": [{"call": "r", "op": "recall", "text": "Ann", "limit": 1}]},
        {"result": {"text": "tea"}},
    ]

    def respond(request: dict[str, Any]) -> dict[str, Any]:
        seen.append(request)
        return rounds[len(seen) - 1]

    memory = _ListMemory()
    assert _respond(_agent(serve, reply, hello, respond), memory).text == "tea"
    assert memory.texts == ["Ann drinks tea"]
    assert [len(request["answers"]) for request in seen] == [0, 2, 3]
    written, items, recalled = seen[2]["answers"]
    assert written == {"call": "w", "ok": True, "result": None}
    assert items["call"] == 2
    assert items["error"] == {"kind": "unsupported", "message": "this memory cannot show its content"}
    assert recalled["result"][0]["text"] == "Ann drinks tea"
    unchanged = [{k: v for k, v in request.items() if k != "answers"} for request in seen]
    assert unchanged[0] == unchanged[1] == unchanged[2]
    assert unchanged[0]["stimulus"] == _STIMULUS.model_dump(mode="json")
    assert unchanged[0]["memory"] == MemoryCapabilities().model_dump()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"calls": [{"call": "again", "op": "items"}]}, "call 'again' was answered already"),
        ({"calls": [{"op": "items"}]}, "call: found nothing"),
        ({"calls": {"call": "c"}}, "calls: "),
        ({"result": {"text": 5}}, "result.text: found 5; must be text"),
        ({"result": {}}, "result.text: not given"),
    ],
)
def test_answers_that_cannot_be_used_name_the_field(
    serve: Any, reply: Any, hello: Any, change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ExternalProgramError) as caught:
        _respond(_agent(serve, reply, hello, lambda request: change), _ListMemory())
    assert reason in str(caught.value)
    assert "the answer to 'respond' cannot be used" in str(caught.value)


def test_an_agent_that_never_stops_asking_is_stopped(serve: Any, reply: Any, hello: Any) -> None:
    def respond(request: dict[str, Any]) -> dict[str, Any]:
        return {"calls": [{"call": len(request["answers"]), "op": "items"}]}

    with pytest.raises(ExternalProgramError, match="it asked for more calls 100 times"):
        _respond(_agent(serve, reply, hello, respond), _ListMemory())


def test_a_call_that_makes_no_sense_is_answered_in_words(serve: Any, reply: Any, hello: Any) -> None:
    def respond(request: dict[str, Any]) -> dict[str, Any]:
        if not request["answers"]:
            return {"calls": [{"call": "c", "op": "recal", "text": "x"}]}
        return {"result": {"text": request["answers"][0]["error"]["message"]}}

    assert "did you mean 'recall'" in _respond(_agent(serve, reply, hello, respond), _ListMemory()).text


def test_a_failing_memory_fails_the_scenario(serve: Any, reply: Any, hello: Any) -> None:
    url = _agent(serve, reply, hello, lambda request: {"calls": [{"call": 1, "op": "recall", "text": "break"}]})
    with pytest.raises(OSError, match="the index is gone"):
        _respond(url, _ListMemory())


def test_an_agent_may_refuse(serve: Any, reply: Any, hello: Any) -> None:
    refusal = {"ok": False, "error": {"kind": "unsupported", "message": "text only"}, "calls": [{"call": 1}]}
    with pytest.raises(UnsupportedOperation, match="text only"):
        _respond(_agent(serve, reply, hello, lambda request: refusal), _ListMemory())
