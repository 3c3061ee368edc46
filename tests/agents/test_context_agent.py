"""The ``context`` agent: what is packed into the prompt, what is left out, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_server import LocalServer, Reply
from pydantic import ValidationError

from heams.agents.context import ContextAgentConfig, memory_line, pack
from heams.memory.base import MemoryEvent, RecalledItem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.scenarios.budget import RecallBudget
from heta_framework.common.models.errors import ModelError
from heta_framework.common.text.tokens import count_tokens

Started = Callable[..., LocalServer]
Staging = Callable[..., Any]


def config(**changes: Any) -> ContextAgentConfig:
    words = {
        "model": "openai:gpt-4o-mini",
        "temperature": 0.0,
        "policy": "Answer from the notes.",
        "prompt": "Notes:\n{memories}\nNow: {now}\n{principal}: {question}",
        "memory_line": "[{at}] {speaker}: {text}",
        "no_memories": "(none)",
        "context_tokens": 1000,
    }
    return ContextAgentConfig.model_validate(words | changes)


def item(number: int, text: str = "", at: int | None = None) -> RecalledItem:
    when = datetime(2023, 5, at, tzinfo=UTC) if at else None
    return RecalledItem(id=f"t{number}", text=text or f"text {number}", speaker="Ada", at=when)


def test_memories_and_question_stand_in_one_prompt(stage: Staging, openai_server: Started) -> None:
    server = openai_server(brain={"fixed": "red"})
    event = MemoryEvent(id="t1", speaker="Ada", content="A {question} kettle.", at=datetime(2023, 5, 8, tzinfo=UTC))
    reply = stage(config()).play(lambda on: on.ask("Which colour?", principal="Ben"), event)
    system, user = server.log.entries[0].body["messages"]
    assert system == {"role": "system", "content": "Answer from the notes."}
    assert user["content"] == (
        "Notes:\n[Monday 2023-05-08 00:00 UTC] Ada: A {question} kettle.\nNow: unknown\nBen: Which colour?"
    )
    assert "tools" not in server.log.entries[0].body
    assert reply.text == "red"
    assert {"finish": "stop", "memories": 1, "left_out": 0}.items() <= reply.metadata.items()


def test_the_question_is_the_query_and_the_budget_holds(stage: Staging, openai_server: Started) -> None:
    openai_server(brain={"fixed": "x"})
    events = [MemoryEvent(id=f"e{number}", content=f"Box {number}") for number in range(9)]
    scene = stage(config(recall_limit=3), LexicalMemorySystem(LexicalMemoryConfig()), RecallBudget(items=5))
    reply = scene.play(lambda on: on.ask("Which box?"), *events)
    assert [recall.query for recall in scene.port.recalls] == ["Which box?"]
    assert reply.metadata["memories"] == 3


def test_without_memories_the_prompt_says_so(stage: Staging, openai_server: Started) -> None:
    server = openai_server(brain={"fixed": "x"})
    stage(config(), NoMemorySystem(NoMemoryConfig())).play(lambda on: on.ask("?"))
    assert "Notes:\n(none)\n" in server.log.entries[0].body["messages"][-1]["content"]


def test_full_context_gives_up_its_oldest(stage: Staging, openai_server: Started) -> None:
    server = openai_server(brain={"fixed": "x"})
    events = [MemoryEvent(id=f"e{number}", content=f"Box number {number}") for number in range(200)]
    reply = stage(config(context_tokens=300)).play(lambda on: on.ask("?"), *events)
    prompt = server.log.entries[0].body["messages"][-1]["content"]
    assert "Box number 199" in prompt
    assert "Box number 0\n" not in prompt
    assert reply.metadata["left_out"] == 200 - int(reply.metadata["memories"]) > 100
    assert int(reply.metadata["memory_tokens"]) <= 300


def test_order() -> None:
    found = [item(1, at=3), item(2), item(3, at=1), item(4, at=3)]

    def order(how: str) -> list[str]:
        return [line[-1] for line in pack(found, config(order=how), ranked=True).text.splitlines()]

    assert order("relevance") == ["1", "2", "3", "4"]
    assert order("time") == ["3", "1", "4", "2"]


def test_one_huge_memory_does_not_keep_the_others_out() -> None:
    packed = pack([item(1, "word " * 250_000), item(2)], config(), ranked=True)
    assert (packed.shown, packed.left_out) == (1, 1)
    assert packed.text.endswith("text 2")


def test_the_least_relevant_is_left_out() -> None:
    room = count_tokens(memory_line(item(1), config().memory_line)) + 1
    packed = pack([item(1), item(2)], config(context_tokens=room), ranked=True)
    assert packed.text.endswith("text 1")


_TEXTS = st.text(max_size=60) | st.lists(st.sampled_from(["</s>", "<s>", "\n", "\u2581", "a"]), max_size=9).map("".join)


@given(st.lists(_TEXTS, max_size=12), st.integers(1, 120), st.booleans(), st.booleans())
def test_the_budget_is_never_exceeded(texts: list[str], budget: int, ranked: bool, by_time: bool) -> None:
    found = [RecalledItem(id=str(number), text=text) for number, text in enumerate(texts)]
    packed = pack(found, config(context_tokens=budget, order="time" if by_time else "relevance"), ranked=ranked)
    assert packed.shown + packed.left_out == len(texts)
    assert packed.tokens == count_tokens(packed.text) <= budget
    assert packed.text.count("[unknown] unknown: ") >= packed.shown


@pytest.mark.parametrize("said", ["", " \n", None])
def test_an_answer_without_a_word_is_an_answer(stage: Staging, openai_server: Started, said: str | None) -> None:
    openai_server(brain={"fixed": Reply(text=said)})
    reply = stage(config()).play(lambda on: on.ask("?"))
    assert (reply.text, reply.metadata["finish"]) == ("", "empty")


def test_a_failed_call_is_an_error(stage: Staging, openai_server: Started) -> None:
    openai_server(faults=["server_error"])
    with pytest.raises(ModelError, match="500"):
        stage(config(max_attempts=1)).play(lambda on: on.ask("?"))


def test_half_a_character_does_not_stop_it(stage: Staging, openai_server: Started) -> None:
    openai_server(brain="echo")
    reply = stage(config()).play(lambda on: on.ask("half \ud83d"), MemoryEvent(id="t", content="\ud83d"))
    assert reply.model_dump_json()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("prompt", "{memories} {question}", "{now}"),
        ("prompt", "{memories} {question} {now} {principle}", "did you mean {principal}"),
        ("memory_line", "{text}", "{speaker}"),
        ("policy", " ", "policy"),
        ("context_tokens", 0, "context_tokens"),
    ],
)
def test_a_wrong_configuration_is_refused(field: str, value: Any, said: str) -> None:
    with pytest.raises(ValidationError, match=said.replace("{", r"\{").replace("}", r"\}")):
        config(**{field: value})
