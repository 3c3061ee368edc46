"""The ``tool_use`` agent against a real endpoint: what the model is shown, what its tools do, what is written down."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from model_server import LocalServer, Reply, ToolCall

from heams.agents.base import FeedbackMessage
from heams.agents.tool_use import ToolUseAgentConfig
from heams.memory.base import MemoryEvent, UnsupportedOperation
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.scenarios.budget import RecallBudget
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope

Started = Callable[..., LocalServer]
KETTLE = MemoryEvent(
    id="t1", speaker="Ada", content="I bought a red kettle.", at=datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
)
VIOLIN = MemoryEvent(id="t2", speaker="Ben", content="My violin is in repair.")


def config(**changes: Any) -> ToolUseAgentConfig:
    """A complete configuration; the endpoint is named by OPENAI_BASE_URL."""
    tools = {name: f"Use {name}." for name in ("search_memory", "save_memory", "forget_memory", "list_memory")}
    words = {
        "model": "openai:gpt-4o-mini",
        "temperature": 0.0,
        "policy": "Answer from memory.",
        "answer_prompt": "[{now}] {principal} asks: {question}",
        "hear_prompt": "[{now}] {speaker} says: {content}",
        "feedback_prompt": "Your answer was {outcome}; expected: {expected}",
        "tools": tools,
    }
    return ToolUseAgentConfig.model_validate(words | changes)


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


def calls(*made: ToolCall, text: str | None = None) -> Reply:
    return Reply(tool_calls=made, text=text)


def scripted(*replies: Reply | str) -> dict[str, Any]:
    """A model that says these things in order, and then only ``done``."""
    return {"brain": {"queue": list(replies), "then": {"fixed": "done"}}}


def messages(server: LocalServer, number: int = -1) -> list[dict[str, Any]]:
    """The messages of one request, the last one unless told."""
    found: list[dict[str, Any]] = server.log.entries[number].body["messages"]
    return found


def test_it_searches_and_answers(stage: Callable[..., Any], openai_server: Started) -> None:
    server = openai_server(**scripted(calls(call("search_memory", query="kettle")), "red"))
    scene = stage(config())
    reply = scene.play(
        lambda on: on.ask("Which colour?", principal="Ada", at=datetime(2023, 6, 1, 9, 30, tzinfo=UTC)), KETTLE
    )
    assert reply.text == "red"
    assert [message["content"] for message in messages(server, 0)] == [
        "Answer from memory.",
        "[Thursday 2023-06-01 09:30 UTC] Ada asks: Which colour?",
    ]
    found = {"id": "t1", "at": "Monday 2023-05-08 13:56 UTC", "speaker": "Ada", "text": "I bought a red kettle."}
    assert json.loads(messages(server)[-1]["content"]) == found
    (entry,) = reply.tool_calls
    assert entry["tool"] == "search_memory"
    assert entry["arguments"] == {"query": "kettle"}
    assert json.loads(str(entry["result"])) == found
    assert reply.metadata == {"finish": "stop", "steps": 2, "tool_calls": 1}
    assert [recall.query for recall in scene.port.recalls] == ["kettle"]


def test_usage_is_left_to_the_call_path(stage: Callable[..., Any], openai_server: Started) -> None:
    openai_server(**scripted(calls(call("search_memory", query="kettle")), "red"))

    async def act(on: Any) -> tuple[Any, Any]:
        with call_scope() as scope:
            return await on.ask("Which colour?"), scope.usage

    reply, usage = stage(config()).play(act, KETTLE)
    assert reply.usage == {}
    assert usage["agent"].calls == 2


def test_the_wall_clock_reaches_neither_prompt_nor_identity(stage: Callable[..., Any], openai_server: Started) -> None:
    server = openai_server(brain="auto")
    keys: list[str] = []

    async def note(made: ModelCall, handle: Handler) -> ModelReply:
        keys.append(made.key)
        return await handle(made)

    async def act(on: Any) -> None:
        with using_runtime(ModelRuntime(cache=note)):
            await on.ask("Which kettle?")

    for _ in range(2):
        stage(config()).play(act, KETTLE)
    assert len(set(keys)) == 2
    assert keys[:2] == keys[2:]
    bodies = json.dumps([entry.body for entry in server.log.entries])
    assert "[unknown] user asks: Which kettle?" in bodies
    assert str(datetime.now(UTC).year) not in bodies


def test_tools_are_offered_by_description_and_capability(stage: Callable[..., Any], openai_server: Started) -> None:
    class Forgetless(NoMemorySystem):
        capabilities = NoMemorySystem.capabilities.model_copy(update={"forget": False, "dump": False})

    def offered(**changes: Any) -> dict[str, str]:
        server = openai_server(**scripted("x"))
        system = changes.pop("system", None)
        stage(config(**changes), system).play(lambda on: on.ask("?"))
        tools = server.log.entries[-1].body.get("tools", [])
        return {tool["function"]["name"]: tool["function"]["description"] for tool in tools}

    assert set(offered()) == {"search_memory", "save_memory", "forget_memory", "list_memory"}
    assert set(offered(system=Forgetless(NoMemoryConfig()))) == {"search_memory", "save_memory"}
    assert offered(tools={"search_memory": "Look it up."}) == {"search_memory": "Look it up."}
    assert offered(tools={}) == {}


def test_saving_forgetting_and_listing_reach_the_memory(stage: Callable[..., Any], openai_server: Started) -> None:
    openai_server(
        **scripted(
            calls(call("save_memory", text="Ada likes tea."), call("search_memory", query="violin")),
            calls(call("forget_memory", ids=["t2"])),
            calls(call("forget_memory", text="red kettle")),
            calls(call("list_memory")),
            "ok",
        )
    )
    scene = stage(config())
    reply = scene.play(lambda on: on.ask("Tidy up."), KETTLE, VIOLIN)
    results = [str(entry["result"]) for entry in reply.tool_calls]
    assert results[0] == "Saved."
    assert results[2].startswith("1 removed.")
    assert results[3].startswith("1 removed.")
    assert json.loads(results[4])["text"] == "Ada likes tea."
    assert [write.content for write in scene.port.writes] == ["Ada likes tea."]


def test_the_recall_budget_and_the_search_limit_hold(stage: Callable[..., Any], openai_server: Started) -> None:
    events = [MemoryEvent(id=f"e{number}", content=f"Box {number}") for number in range(9)]

    def shown(budget: int, *, limit: int | None, asked: dict[str, Any]) -> int:
        openai_server(**scripted(calls(call("search_memory", query="Box", **asked)), "ok"))
        system = LexicalMemorySystem(LexicalMemoryConfig())
        scene = stage(config(search_limit=limit), system, RecallBudget(items=budget))
        reply = scene.play(lambda on: on.ask("?"), *events)
        return len(str(reply.tool_calls[0]["result"]).splitlines())

    assert shown(5, limit=None, asked={}) == 5
    assert shown(5, limit=3, asked={}) == 3
    assert shown(5, limit=3, asked={"limit": 2}) == 2
    assert shown(5, limit=None, asked={"limit": 1_000_000}) == 5


def test_what_the_memory_refuses_is_told_and_recorded(stage: Callable[..., Any], openai_server: Started) -> None:
    class Unwilling(NoMemorySystem):
        async def open(self, scope: Any) -> Any:
            memory = await super().open(scope)

            async def refuse(event: MemoryEvent) -> None:
                raise UnsupportedOperation("this memory is read-only")

            memory.write = refuse  # type: ignore[method-assign]
            return memory

    server = openai_server(**scripted(calls(call("save_memory", text="x")), "sorry"))
    reply = stage(config(), Unwilling(NoMemoryConfig())).play(lambda on: on.ask("Save it."))
    assert reply.text == "sorry"
    assert reply.metadata["unsupported"] == ["this memory is read-only"]
    assert reply.tool_calls[0]["outcome"] == "failed"
    assert "not supported: this memory is read-only" in messages(server)[-1]["content"]


def test_a_session_remembers_its_conversation_and_a_new_one_does_not(
    stage: Callable[..., Any], openai_server: Started
) -> None:
    server = openai_server(brain={"fixed": "aye"})

    async def act(on: Any) -> None:
        await on.ask("One?")
        await on.ask("Two?")
        await on.session.begin_session("s2")
        await on.ask("Three?")

    stage(config()).play(act)
    said = [[message["content"] for message in messages(server, number)[1:]] for number in range(3)]
    assert said[1] == ["[unknown] user asks: One?", "aye", "[unknown] user asks: Two?"]
    assert said[2] == ["[unknown] user asks: Three?"]


def test_the_oldest_exchanges_give_way(stage: Callable[..., Any], openai_server: Started) -> None:
    server = openai_server(brain={"fixed": "aye"})

    async def act(on: Any) -> Any:
        for number in range(6):
            reply = await on.ask(f"Question number {number} about nothing in particular?")
        return reply

    reply = stage(config(conversation_tokens=60)).play(act)
    assert len(messages(server)) < 1 + 2 * 5
    assert "number 4" in messages(server)[-3]["content"]
    assert int(reply.metadata["dropped_exchanges"]) > 0


def test_it_hears_events_and_saves_with_the_event_as_source(stage: Callable[..., Any], openai_server: Started) -> None:
    server = openai_server(**scripted(calls(call("save_memory", text="Ada owns a red kettle.")), "ok"))

    async def act(on: Any) -> Any:
        on.port.begin_step(KETTLE.provenance)
        assert await on.session.hear(KETTLE, on.port) == {}
        return await on.port.items()

    (item,) = stage(config()).play(act)
    assert item.event_ids == ("t1",)
    assert messages(server, 0)[-1]["content"] == "[Monday 2023-05-08 13:56 UTC] Ada says: I bought a red kettle."


def test_it_forgets_the_memories_that_it_names_and_no_others_from_the_same_event(
    stage: Callable[..., Any], openai_server: Started
) -> None:
    forget = call("forget_memory", ids=["n1"])
    server = openai_server(**scripted(calls(call("list_memory")), calls(forget), calls(forget), "done"))
    notes = [
        MemoryEvent(id=name, content=content, kind="note", sources=("t1",))
        for name, content in (("n1", "Ada has a phone."), ("n2", "Ada has a red kettle."))
    ]

    async def act(on: Any) -> Any:
        reply = await on.ask("Forget my phone.")
        return reply, await on.port.items()

    reply, items = stage(config(), LexicalMemorySystem(LexicalMemoryConfig())).play(act, *notes)
    assert [item.id for item in items] == ["n2"]
    assert reply.tool_calls[1]["result"].startswith("1 removed.")
    assert "no memory with the id 'n1' was shown" in messages(server)[-1]["content"]


@pytest.mark.parametrize("missing", ["hear_prompt", "feedback_prompt"])
def test_without_a_prompt_it_does_not_listen(stage: Callable[..., Any], openai_server: Started, missing: str) -> None:
    server = openai_server(brain="echo")

    async def act(on: Any) -> None:
        feedback = FeedbackMessage(of_step=0, kind="none")
        hears = missing == "hear_prompt"
        told = on.session.hear(KETTLE, on.port) if hears else on.session.feedback(feedback, on.port)
        with pytest.raises(UnsupportedOperation, match=missing):
            await told

    stage(config(**{missing: None})).play(act)
    assert server.log.entries == []


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({"kind": "none"}, "Your answer was not told; expected: not told"),
        ({"kind": "correctness", "correct": False}, "Your answer was wrong; expected: not told"),
        ({"kind": "gold", "correct": True, "expected": "red"}, "Your answer was correct; expected: red"),
    ],
)
def test_feedback_enters_the_conversation(
    stage: Callable[..., Any], openai_server: Started, message: dict[str, Any], told: str
) -> None:
    server = openai_server(**scripted("blue", calls(call("save_memory", text="It is red.")), "noted", "red"))

    async def act(on: Any) -> list[str]:
        await on.ask("Which colour?")
        on.port.begin_step()
        await on.session.feedback(FeedbackMessage(of_step=0, **message), on.port)
        saved = [write.content for write in on.port.writes]
        await on.ask("And now?")
        return saved

    assert stage(config()).play(act) == ["It is red."]
    assert messages(server, 1)[-1]["content"] == told
    assert told in [said["content"] for said in messages(server)]


def test_feedback_costs_nothing_where_nothing_can_be_saved(stage: Callable[..., Any], openai_server: Started) -> None:
    server = openai_server(brain={"fixed": "aye"})

    async def act(on: Any) -> None:
        await on.session.feedback(FeedbackMessage(of_step=0, kind="correctness", correct=True), on.port)
        await on.ask("And now?")

    stage(config(tools={"search_memory": "Look."})).play(act)
    (entry,) = server.log.entries
    assert [message["content"] for message in entry.body["messages"][1:]] == [
        "Your answer was correct; expected: not told",
        "[unknown] user asks: And now?",
    ]


def test_texts_between_the_calls_are_kept(stage: Callable[..., Any], openai_server: Started) -> None:
    openai_server(**scripted(calls(call("search_memory", query="kettle"), text="Let me look."), "red"))
    reply = stage(config()).play(lambda on: on.ask("?"), KETTLE)
    assert [entry.get("text") or entry["tool"] for entry in reply.tool_calls] == ["Let me look.", "search_memory"]


def test_who_asks_reaches_the_memory(stage: Callable[..., Any], openai_server: Started) -> None:
    asked: list[str] = []

    class Listening(NoMemorySystem):
        async def open(self, scope: Any) -> Any:
            memory = await super().open(scope)

            async def recall(query: Any) -> list[Any]:
                asked.append(query.principal)
                return []

            memory.recall = recall  # type: ignore[method-assign]
            return memory

    openai_server(brain="auto")

    async def act(on: Any) -> None:
        await on.ask("Mine?", principal="Ada")
        await on.session.begin_session("s2")
        await on.ask("Mine?", principal="Ben")

    stage(config(), Listening(NoMemoryConfig())).play(act)
    assert asked == ["Ada", "Ben"]
