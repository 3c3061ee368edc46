"""An agent that is a program answers, asks the memory through the harness, and hears what it wants to hear."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.agents.base import AgentCapabilities, AgentReply, AgentScope, AgentSession, FeedbackMessage, Stimulus
from heams.agents.command import CommandAgent, CommandAgentConfig
from heams.external.errors import ExternalProgramError
from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
    UnsupportedOperation,
)
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort
from heams.scenarios.usage import Usage

_NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


class _ListMemory(Memory):
    """Remembers everything and recalls it in order."""

    def __init__(self) -> None:
        self.events: list[MemoryEvent] = []
        self.seconds = 0.0

    async def write(self, event: MemoryEvent) -> None:
        self.events.append(event)

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        if query.text == "break":
            raise OSError("the index is gone")
        await asyncio.sleep(self.seconds)
        return [RecalledItem(id=event.id, text=event.content, at=event.at) for event in self.events][: query.limit]

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        gone = [event for event in self.events if event.id in demand.event_ids]
        self.events = [event for event in self.events if event not in gone]
        return ForgetReceipt(removed=tuple(event.id for event in gone), note=demand.content)


def _port(memory: Memory, **budget: int) -> RecordingPort:
    return RecordingPort(memory, MemoryCapabilities(forget=True), RecallBudget(**budget), scope="a")


def _with(config: CommandAgentConfig, use: Callable[[AgentSession], Awaitable[object]]) -> None:
    async def run() -> None:
        agent = CommandAgent(config)
        await agent.start()
        try:
            await use(await agent.open(AgentScope(id="a", seed=7)))
        finally:
            await agent.close()

    asyncio.run(run())


def _stimulus(text: str = "?") -> Stimulus:
    return Stimulus(content=f"Answer: {text}", query=text, at=_NOON)


_ECHO = """
CAPABILITIES = {"owns_memory": True, "fork": True}
RESULTS = {
    "respond": {"text": "tea", "usage": {"agent": {"calls": 1}}, "tool_calls": [{"name": "t"}], "metadata": {"k": 1}},
    "hear": {"agent": {"calls": 1, "input_tokens": 5}},
    "forget": {"removed": ["e1"]},
    "dump": [{"id": "e1", "text": "x"}],
}
greet(capabilities=CAPABILITIES, role="agent")
log = open(os.environ["LOG"], "a")
while True:
    request = read()
    print(json.dumps(request), file=log, flush=True)
    ok(request, RESULTS.get(request["op"]))
"""


def test_every_operation_reaches_the_program_in_its_documented_shape(program: Any, tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    event = MemoryEvent(id="e1", content="x")

    async def use(session: AgentSession) -> None:
        port = _port(_ListMemory())
        assert await session.respond(_stimulus(), port) == AgentReply(
            text="tea", usage={"agent": Usage(calls=1)}, tool_calls=({"name": "t"},), metadata={"k": 1}
        )
        assert await session.hear(event, port) == {"agent": Usage(calls=1, input_tokens=5)}
        await session.begin_session("s2")
        await session.advance(_NOON)
        await session.feedback(FeedbackMessage(of_step=3, kind="gold", correct=False, expected="tea"), port)
        assert await session.forget(ForgetDemand(content="x")) == ForgetReceipt(removed=("e1",))
        assert await session.dump() == [MemoryItem(id="e1", text="x")]
        fork = await session.fork()
        await fork.close()
        await session.close()

    _with(program(_ECHO, CommandAgentConfig, env={"LOG": str(log)}), use)
    memory = MemoryCapabilities(forget=True).model_dump()
    sent = [json.loads(line) for line in log.read_text().splitlines()]
    assert [{k: v for k, v in request.items() if k != "id"} for request in sent] == [
        {"op": "open", "scope": "s1", "name": "a", "seed": 7},
        {"op": "respond", "scope": "s1", "stimulus": _stimulus().model_dump(mode="json"), "memory": memory},
        {"op": "hear", "scope": "s1", "event": event.model_dump(mode="json"), "memory": memory},
        {"op": "begin_session", "scope": "s1", "session_id": "s2"},
        {"op": "advance", "scope": "s1", "now": "2024-05-01T12:00:00Z"},
        {
            "op": "feedback",
            "scope": "s1",
            "message": {"of_step": 3, "kind": "gold", "correct": False, "expected": "tea"},
            "memory": memory,
        },
        {
            "op": "forget",
            "scope": "s1",
            "demand": {"content": "x", "event_ids": [], "principal": "user", "at": None},
        },
        {"op": "dump", "scope": "s1"},
        {"op": "fork", "scope": "s1", "to": "s2"},
        {"op": "close", "scope": "s2"},
        {"op": "close", "scope": "s1"},
    ]


@pytest.mark.parametrize(
    ("said", "usage"),
    [
        ("{'text': 'a'}", {"agent": Usage(cost_usd=None)}),
        ("{'text': 'a', 'usage': None}", {"agent": Usage(cost_usd=None)}),
        ("{'text': 'a', 'usage': {}}", {}),
    ],
)
def test_the_cost_of_an_answer_is_unknown_unless_it_says(program: Any, said: str, usage: object) -> None:
    async def use(session: AgentSession) -> None:
        assert (await session.respond(_stimulus(), _port(_ListMemory()))).usage == usage

    _with(program(f"greet()\nok(until('respond'), {said})\nread()", CommandAgentConfig), use)


@pytest.mark.parametrize(("said", "usage"), [("None", {"agent": Usage(cost_usd=None)}), ("{}", {})])
def test_the_cost_of_hearing_is_unknown_unless_it_says(program: Any, said: str, usage: object) -> None:
    async def use(session: AgentSession) -> None:
        assert await session.hear(MemoryEvent(id="e1", content="x"), _port(_ListMemory())) == usage

    _with(program(f"greet()\nok(until('hear'), {said})\nread()", CommandAgentConfig), use)


def test_an_agent_that_declares_more_than_it_does_is_told_what_to_change(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        for op, capability, asking in (
            ("forget", "owns_memory", session.forget(ForgetDemand(content="x"))),
            ("dump", "owns_memory", session.dump()),
            ("fork", "fork", session.fork()),
        ):
            with pytest.raises(UnsupportedOperation) as caught:
                await asking
            assert str(caught.value).startswith("agent program '")
            assert f"does not offer '{op}'; yet its answer to 'hello' declares '{capability}'" in str(caught.value)
            assert f"let it declare {capability}: false" in str(caught.value)

    body = """
greet(capabilities={"owns_memory": True, "fork": True})
ok(read())
while True:
    fail(read(), "unsupported", "")
"""
    _with(program(body, CommandAgentConfig), use)


def test_capabilities_are_those_of_the_program(program: Any) -> None:
    async def run() -> None:
        agent = CommandAgent(program("greet(capabilities={'owns_memory': True})\nread()", CommandAgentConfig))
        await agent.start()
        await agent.close()
        assert agent.capabilities == AgentCapabilities(owns_memory=True)

    asyncio.run(run())


def test_an_agent_that_does_not_own_its_memory_is_not_asked_for_it(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        for refused in (session.forget(ForgetDemand(content="x")), session.dump(), session.fork()):
            with pytest.raises(UnsupportedOperation, match="does not declare"):
                await refused

    _with(program("greet()\nok(read())\nread()", CommandAgentConfig), use)


def test_an_agent_that_does_not_listen_makes_hearing_unsupported(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        with pytest.raises(UnsupportedOperation, match="'hear'"):
            await session.hear(MemoryEvent(id="e1", content="x"), _port(_ListMemory()))

    _with(program("greet()\nfail(until('hear'), 'unsupported', '')\nread()", CommandAgentConfig), use)


def test_what_an_agent_does_not_mind_is_told_once(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        for _ in range(3):
            await session.begin_session("s")
            await session.advance(_NOON)
            await session.feedback(FeedbackMessage(of_step=0, kind="none"), _port(_ListMemory()))
        assert (await session.respond(_stimulus(), _port(_ListMemory()))).text == "begin_session advance feedback"

    body = """
greet()
ok(read())
heard = []
while True:
    request = read()
    if request["op"] == "respond":
        ok(request, {"text": " ".join(heard)})
    else:
        heard.append(request["op"])
        fail(request, "unsupported", "")
"""
    _with(program(body, CommandAgentConfig), use)


_ASKS = """
greet(max_in_flight=4)

def ask(request, op, **arguments):
    send({"call": 1, "op": op, "scope": request["scope"], **arguments})
    return read()

while True:
    request = read()
    if request["op"] != "respond":
        ok(request)
        continue
    SCRIPT
    ok(request, {"text": json.dumps(answers)})
"""


def _answers(program: Any, script: str, memory: _ListMemory, **budget: int) -> tuple[list[Any], RecordingPort]:
    """What the harness answers to the calls that ``script`` makes in the course of ``respond``."""
    port = _port(memory, **budget)
    texts: list[str] = []

    async def use(session: AgentSession) -> None:
        texts.append((await session.respond(_stimulus(), port)).text)

    indented = script.strip().replace("\n", "\n    ")
    _with(program(_ASKS.replace("SCRIPT", indented), CommandAgentConfig), use)
    return json.loads(texts[0]), port


def test_an_agent_reads_and_writes_the_memory_through_the_harness(program: Any) -> None:
    memory = _ListMemory()
    memory.events = [MemoryEvent(id="e1", content="tea", at=_NOON), MemoryEvent(id="e2", content="milk")]
    script = """
answers = [
    ask(request, "recall", text="drinks", limit=1),
    ask(request, "write", content="Ann likes tea", metadata={"sure": True}),
    ask(request, "forget", content="no milk please", event_ids=["e2"]),
    ask(request, "recall", text="all"),
]"""
    answers, port = _answers(program, script, memory)
    item = {"event_ids": [], "speaker": None, "at": None, "metadata": {}, "score": None}
    assert answers == [
        {"call": 1, "ok": True, "result": [{**item, "id": "e1", "text": "tea", "at": "2024-05-01T12:00:00Z"}]},
        {"call": 1, "ok": True, "result": None},
        {"call": 1, "ok": True, "result": {"removed": ["e2"], "note": "no milk please"}},
        {
            "call": 1,
            "ok": True,
            "result": [
                {**item, "id": "e1", "text": "tea", "at": "2024-05-01T12:00:00Z"},
                {**item, "id": "a/note-1", "text": "Ann likes tea"},
            ],
        },
    ]
    assert [recall.query for recall in port.recalls] == ["drinks", "all"]
    assert [write.content for write in port.writes] == ["Ann likes tea"]
    assert memory.events[-1].metadata == {"sure": True}


def test_the_recall_budget_holds_for_programs_too(program: Any) -> None:
    memory = _ListMemory()
    memory.events = [MemoryEvent(id=f"e{number}", content="tea") for number in range(20)]
    answers, _ = _answers(program, 'answers = [ask(request, "recall", text="all")]', memory, items=3)
    assert len(answers[0]["result"]) == 3


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ('"items"', "unsupported", "this memory cannot show its content"),
        ('"recal", text="x"', "failed", 'op: found "recal"; allowed: recall, write, forget, items; did you mean'),
        ('"recall"', "failed", "text: not given; this field is required"),
        ('"recall", text="x", limit=0', "failed", "limit: found 0; must be greater than or equal to 1"),
        ('"recall", text=5', "failed", "text: found 5; must be text"),
        ('"write", content="x", meta={}', "failed", "meta: this field is not known"),
        ('"items", scope="s9"', "failed", "no request of scope 's9' may ask the memory now"),
    ],
)
def test_a_call_that_cannot_be_answered_is_refused_in_words(program: Any, call: str, kind: str, message: str) -> None:
    name, _, scope = call.partition(", scope=")
    sent = f'send({{"call": 1, "op": {name}, "scope": {scope}}})\nanswers = [read()]' if scope else ""
    answers, _ = _answers(program, sent or f"answers = [ask(request, {call})]", _ListMemory())
    assert answers[0]["call"] == 1
    assert answers[0]["ok"] is False
    assert answers[0]["error"]["kind"] == kind
    assert message in answers[0]["error"]["message"]


def test_calls_that_do_not_wait_for_each_other_are_answered_in_order(program: Any) -> None:
    script = """
for number in range(20):
    send({"call": f"w{number}", "op": "write", "content": str(number), "scope": request["scope"]})
send({"call": "r", "op": "recall", "text": "all", "scope": request["scope"]})
answers = [read() for _ in range(21)]"""
    answers, _ = _answers(program, script, _ListMemory(), items=100)
    assert [answer["call"] for answer in answers] == [*(f"w{number}" for number in range(20)), "r"]
    assert [item["text"] for item in answers[-1]["result"]] == [str(number) for number in range(20)]


def test_calls_may_be_followed_by_the_answer_at_once(program: Any) -> None:
    memory = _ListMemory()
    script = """
send({"call": "w", "op": "write", "content": "tea", "scope": request["scope"]})
answers = []"""
    _answers(program, script, memory)
    assert [event.content for event in memory.events] == ["tea"]


def test_a_request_that_is_answered_before_its_calls_has_no_clock_any_more(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        memory = _ListMemory()
        memory.seconds = 0.1
        assert (await session.respond(_stimulus(), _port(memory))).text == "done"
        await asyncio.sleep(0.45)
        assert (await session.respond(_stimulus(), _port(memory))).text == "done"

    body = """
greet()
ok(read())
for _ in range(2):
    request = read()
    send({"call": 1, "op": "recall", "scope": request["scope"], "text": "x"})
    ok(request, {"text": "done"})
    read()
read()
"""
    _with(program(body, CommandAgentConfig, call_timeout_s=0.3), use)


def test_a_failing_memory_fails_the_scenario_and_the_program_goes_on(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        with pytest.raises(OSError, match="the index is gone"):
            await session.respond(_stimulus("break"), _port(_ListMemory()))
        answer = json.loads((await session.respond(_stimulus("fine"), _port(_ListMemory()))).text)
        assert answer == {"call": 1, "ok": True, "result": []}

    body = """
greet()
ok(read())
while True:
    request = read()
    send({"call": 1, "op": "recall", "scope": request["scope"], "text": request["stimulus"]["query"]})
    ok(request, {"text": json.dumps(read())})
"""
    _with(program(body, CommandAgentConfig), use)


def test_time_that_the_memory_takes_is_not_the_programs(program: Any) -> None:
    memory = _ListMemory()
    memory.seconds = 0.35

    async def use(session: AgentSession) -> None:
        assert (await session.respond(_stimulus(), _port(memory))).text == "done"

    body = """
greet()
ok(read())
request = read()
for _ in range(2):
    send({"call": 1, "op": "recall", "scope": request["scope"], "text": "x"})
    read()
ok(request, {"text": "done"})
read()
"""
    _with(program(body, CommandAgentConfig, call_timeout_s=0.5), use)


def test_an_agent_that_asks_for_ever_runs_out_of_time(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        with pytest.raises(ExternalProgramError, match=r"'respond' had no answer within 0\.3 s"):
            await session.respond(_stimulus(), _port(_ListMemory()))

    body = """
greet()
ok(read())
request = read()
while True:
    send({"call": 1, "op": "recall", "scope": request["scope"], "text": "x"})
    read()
    time.sleep(0.01)
"""
    _with(program(body, CommandAgentConfig, call_timeout_s=0.3), use)


def test_an_agent_that_floods_the_harness_with_calls_is_ended(program: Any) -> None:
    async def use(session: AgentSession) -> None:
        with pytest.raises(ExternalProgramError, match="1000 questions without waiting"):
            await session.respond(_stimulus(), _port(memory))

    memory = _ListMemory()
    memory.seconds = 0.5
    body = """
greet()
ok(read())
request = read()
sys.stdout.write("".join(
    json.dumps({"call": n, "op": "recall", "scope": request["scope"], "text": "x"}) + "\\n" for n in range(5000)
))
sys.stdout.flush()
time.sleep(60)
"""
    _with(program(body, CommandAgentConfig), use)


def test_calls_of_a_request_that_was_given_up_are_refused(program: Any) -> None:
    memory = _ListMemory()

    async def use(session: AgentSession) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await session.respond(_stimulus(), _port(memory))
        reply = await session.respond(_stimulus(), _port(memory))
        assert "no request of scope 's1' may ask the memory now" in reply.text
        assert memory.events == []

    body = """
greet()
ok(read())
request = read()
time.sleep(0.2)
send({"call": 1, "op": "write", "scope": request["scope"], "content": "too late"})
refusal = read()
ok(request, {"text": "too late"})
ok(read(), {"text": refusal["error"]["message"]})
read()
"""
    _with(program(body, CommandAgentConfig), use)


@pytest.mark.parametrize(
    ("result", "field"),
    [
        ("None", "result: found nothing"),
        ("{}", "result.text: not given"),
        ("{'text': 5}", "result.text: found 5; must be text"),
        ("{'text': 'a', 'usage': {'agnt': {}}}", "did you mean 'agent'"),
        ("{'text': 'a', 'usage': {'agent': {'calls': -1}}}", "result.usage.agent.calls: found -1"),
        ("{'text': 'a', 'answer': 'b'}", "result.answer: this field is not known"),
    ],
)
def test_a_reply_of_the_wrong_shape_names_the_field(program: Any, result: str, field: str) -> None:
    async def use(session: AgentSession) -> None:
        with pytest.raises(ExternalProgramError) as caught:
            await session.respond(_stimulus(), _port(_ListMemory()))
        assert field in str(caught.value)
        assert "the answer to 'respond'" in str(caught.value)

    _with(program(f"greet()\nok(until('respond'), {result})\nread()", CommandAgentConfig), use)


def test_sessions_run_side_by_side(program: Any) -> None:
    async def run() -> None:
        agent = CommandAgent(program(_ASKS.replace("SCRIPT", "answers = 1"), CommandAgentConfig, processes=2))
        await agent.start()
        try:
            sessions = [await agent.open(AgentScope(id=str(number))) for number in range(8)]
            replies = await asyncio.gather(*(each.respond(_stimulus(), _port(_ListMemory())) for each in sessions))
            assert [reply.text for reply in replies] == ["1"] * 8
        finally:
            await agent.close()

    asyncio.run(run())
