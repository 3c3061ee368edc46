"""A memory that is a program does everything that a memory in Python does, and only what it declares."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.external.errors import ExternalProgramError
from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    MemoryScope,
    RecalledItem,
    RecallQuery,
    UnsupportedOperation,
)
from heams.memory.command import CommandMemoryConfig, CommandMemorySystem
from heams.scenarios.usage import Usage
from heams.scenarios.waiting import TimeSpent

_NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)

_ECHO = """
CAPABILITIES = dict.fromkeys(["fork", "forget", "dump", "persist", "clock", "needs_gold"], True)
RESULTS = {
    "recall": [{"id": "i1", "text": "tea", "event_ids": ["e1"], "at": "2024-05-01T12:00:00Z", "score": 0.5}],
    "forget": {"removed": ["i1"], "note": "gone"},
    "dump": [{"id": "i1", "text": "tea", "speaker": "Ann", "metadata": {"n": [1, None]}}],
    "usage": {"memory": {"calls": 2, "cost_usd": None}},
}
greet(capabilities=CAPABILITIES, max_in_flight=4)
log = open(os.environ["LOG"], "a")
while True:
    request = read()
    print(json.dumps(request), file=log, flush=True)
    ok(request, RESULTS.get(request["op"]))
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "requests.jsonl"


def _requests(log: Path) -> list[dict[str, Any]]:
    return [{k: v for k, v in json.loads(line).items() if k != "id"} for line in log.read_text().splitlines()]


def _with(config: CommandMemoryConfig, use: Callable[[CommandMemorySystem], Awaitable[object]]) -> None:
    async def run() -> None:
        system = CommandMemorySystem(config)
        await system.start()
        try:
            await use(system)
        finally:
            await system.close()

    asyncio.run(run())


def test_every_operation_reaches_the_program_in_its_documented_shape(program: Any, log: Path, tmp_path: Path) -> None:
    event = MemoryEvent(id="e1", content="Grüße ☕", at=_NOON, session_id="s", metadata={"n": 1.5})

    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="conv/1", directory=tmp_path / "own"))
        await memory.write(event)
        await memory.write_all([event, event])
        recalled = await memory.recall(RecallQuery(text="?", limit=3, principal="Ann", at=_NOON))
        assert recalled == [RecalledItem(id="i1", text="tea", event_ids=("e1",), at=_NOON, score=0.5)]
        receipt = await memory.forget(ForgetDemand(content="tea", event_ids=("e1",)))
        assert receipt == ForgetReceipt(removed=("i1",), note="gone")
        assert await memory.dump() == [MemoryItem(id="i1", text="tea", speaker="Ann", metadata={"n": [1, None]})]
        await memory.advance(_NOON)
        await memory.reveal_gold(["e1", "e2"])
        fork = await memory.fork()
        await memory.persist(tmp_path / "saved")
        await memory.restore(tmp_path / "saved")
        assert await fork.usage() == {"memory": Usage(calls=2, cost_usd=None)}
        await fork.close()
        await memory.close()

    _with(program(_ECHO, env={"LOG": str(log)}), use)
    written = event.model_dump(mode="json")
    assert written["at"] == "2024-05-01T12:00:00Z"
    assert _requests(log) == [
        {"op": "open", "scope": "s1", "name": "conv/1", "directory": str(tmp_path / "own")},
        {"op": "write", "scope": "s1", "event": written},
        {"op": "write_all", "scope": "s1", "events": [written, written]},
        {
            "op": "recall",
            "scope": "s1",
            "query": {"text": "?", "limit": 3, "principal": "Ann", "at": "2024-05-01T12:00:00Z"},
        },
        {
            "op": "forget",
            "scope": "s1",
            "demand": {"content": "tea", "event_ids": ["e1"], "principal": "user", "at": None},
        },
        {"op": "dump", "scope": "s1"},
        {"op": "advance", "scope": "s1", "now": "2024-05-01T12:00:00Z"},
        {"op": "reveal_gold", "scope": "s1", "event_ids": ["e1", "e2"]},
        {"op": "fork", "scope": "s1", "to": "s2"},
        {"op": "persist", "scope": "s1", "directory": str(tmp_path / "saved")},
        {"op": "restore", "scope": "s1", "directory": str(tmp_path / "saved")},
        {"op": "usage", "scope": "s2"},
        {"op": "close", "scope": "s2"},
        {"op": "close", "scope": "s1"},
    ]
    assert (tmp_path / "own").is_dir()


def test_capabilities_are_those_of_the_program(program: Any, log: Path) -> None:
    async def use(system: CommandMemorySystem) -> None:
        assert system.capabilities == MemoryCapabilities(
            fork=True, forget=True, dump=True, persist=True, clock=True, needs_gold=True
        )

    _with(program(_ECHO, env={"LOG": str(log)}), use)


def test_what_is_not_declared_is_unsupported_and_never_asked(program: Any, log: Path, tmp_path: Path) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        await memory.advance(_NOON)
        for refused in (
            memory.forget(ForgetDemand(content="x")),
            memory.dump(),
            memory.fork(),
            memory.persist(tmp_path),
            memory.restore(tmp_path),
            memory.reveal_gold([]),
        ):
            with pytest.raises(UnsupportedOperation, match="does not declare"):
                await refused
        await memory.close()

    body = _ECHO.replace("capabilities=CAPABILITIES, ", "")
    _with(program(body, env={"LOG": str(log)}), use)
    assert [request["op"] for request in _requests(log)] == ["open", "close"]


def test_optional_operations_that_a_program_declines_are_asked_once(program: Any, log: Path) -> None:
    async def use(system: CommandMemorySystem) -> None:
        for name in ("a", "b"):
            memory = await system.open(MemoryScope(id=name))
            await memory.write_all([MemoryEvent(id="e1", content="x"), MemoryEvent(id="e2", content="y")])
            assert await memory.usage() == {"memory": Usage(cost_usd=None)}

    declining = _ECHO.replace(
        'ok(request, RESULTS.get(request["op"]))',
        'fail(request, "unsupported", "") if request["op"] in ("usage", "write_all") else ok(request)',
    )
    _with(program(declining, env={"LOG": str(log)}), use)
    ops = [request["op"] for request in _requests(log)]
    assert ops == ["open", "write_all", "write", "write", "usage", "open", "write", "write"]


_USAGE_IS = """
greet()
while True:
    request = read()
    ok(request, USAGE if request["op"] == "usage" else None)
"""


@pytest.mark.parametrize(
    ("said", "usage"), [("None", {"memory": Usage(cost_usd=None)}), ("{}", {}), ("{'memory': {}}", {"memory": Usage()})]
)
def test_only_what_a_program_says_about_its_usage_is_known(program: Any, said: str, usage: object) -> None:
    async def use(system: CommandMemorySystem) -> None:
        assert await (await system.open(MemoryScope(id="a"))).usage() == usage

    _with(program(_USAGE_IS.replace("USAGE", said)), use)


def test_a_program_that_declares_more_than_it_does_is_told_what_to_change(program: Any, tmp_path: Path) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        for op, capability, asking in (
            ("fork", "fork", memory.fork()),
            ("forget", "forget", memory.forget(ForgetDemand(content="x"))),
            ("dump", "dump", memory.dump()),
            ("persist", "persist", memory.persist(tmp_path)),
            ("restore", "persist", memory.restore(tmp_path)),
            ("advance", "clock", memory.advance(_NOON)),
            ("reveal_gold", "needs_gold", memory.reveal_gold([])),
        ):
            with pytest.raises(UnsupportedOperation) as caught:
                await asking
            text = str(caught.value)
            assert text.startswith("memory program '")
            assert f"does not offer '{op}': not yet; yet its answer to 'hello' declares '{capability}'" in text
            assert text.endswith(f"let it declare {capability}: false, or offer '{op}'")

    refusing = _ECHO.replace(
        'ok(request, RESULTS.get(request["op"]))',
        'ok(request) if request["op"] == "open" else fail(request, "unsupported", "not yet")',
    )
    _with(program(refusing, env={"LOG": str(tmp_path / "log")}), use)


def test_long_histories_are_sent_in_batches_and_in_order(program: Any, log: Path) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        await memory.write_all([MemoryEvent(id=f"e{number}", content="x") for number in range(250)])

    _with(program(_ECHO, env={"LOG": str(log)}), use)
    batches = [[event["id"] for event in request["events"]] for request in _requests(log)[1:]]
    assert [len(batch) for batch in batches] == [100, 100, 50]
    assert [event_id for batch in batches for event_id in batch] == [f"e{number}" for number in range(250)]


def test_a_refusal_in_the_middle_is_unsupported(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        with pytest.raises(UnsupportedOperation, match="read only"):
            await memory.write(MemoryEvent(id="e1", content="x"))

    _with(program("greet()\nfail(until('write'), 'unsupported', 'read only')\nread()"), use)


def test_a_megabyte_travels_both_ways(program: Any) -> None:
    text = "ö" * 1_000_000

    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        assert (await memory.recall(RecallQuery(text=text)))[0].text == text

    body = "greet()\nrequest = until('recall')\nok(request, [{'id': '1', 'text': request['query']['text']}])\nread()"
    _with(program(body), use)


_MEASURES_FLIGHT = """
import threading
greet(max_in_flight=WIDTH)
working, most, lock = 0, 0, threading.Lock()

def work(request):
    global working, most
    with lock:
        working += 1
        most = max(most, working)
    time.sleep(0.05)
    with lock:
        working -= 1
        ok(request, [{"id": str(most), "text": ""}])

ok(read())
while True:
    threading.Thread(target=work, args=[read()], daemon=True).start()
"""


@pytest.mark.parametrize("width", [1, 3])
def test_a_program_never_gets_more_requests_at_once_than_it_allows(program: Any, width: int) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        answers = await asyncio.gather(*(memory.recall(RecallQuery(text="?")) for _ in range(12)))
        assert max(int(items[0].id) for items in answers) == width

    _with(program(_MEASURES_FLIGHT.replace("WIDTH", str(width))), use)


_TAKES_ITS_TIME = """
greet()
ok(read())
while True:
    request = read()
    time.sleep(0.06)
    ok(request, [])
"""


def test_waiting_for_a_turn_does_not_count_against_the_time_limit(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        answers = await asyncio.gather(*(memory.recall(RecallQuery(text="?")) for _ in range(12)))
        assert answers == [[]] * 12

    _with(program(_TAKES_ITS_TIME, call_timeout_s=0.5), use)


def test_waiting_for_a_turn_is_told_from_working(program: Any) -> None:
    async def measured(memory: Memory) -> TimeSpent:
        with TimeSpent() as time:
            await memory.recall(RecallQuery(text="?"))
        return time

    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        first, second, third = await asyncio.gather(*(measured(memory) for _ in range(3)))
        assert first.waited == 0
        assert second.waited >= 0.05
        assert third.waited >= 0.1
        assert min(first.worked, second.worked, third.worked) >= 0.05
        assert (await measured(memory)).waited == 0

    _with(program(_TAKES_ITS_TIME), use)


def test_a_request_that_is_given_up_in_the_queue_has_waited_all_the_time(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        busy = asyncio.create_task(memory.recall(RecallQuery(text="?")))
        await asyncio.sleep(0)
        with TimeSpent() as time, pytest.raises(TimeoutError):
            async with asyncio.timeout(0.03):
                await memory.recall(RecallQuery(text="?"))
        assert time.waited >= 0.02
        await busy

    _with(program(_TAKES_ITS_TIME), use)


def test_answers_in_another_order_reach_the_right_caller(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        answers = await asyncio.gather(*(memory.recall(RecallQuery(text=str(number))) for number in range(4)))
        assert [items[0].id for items in answers] == ["0", "1", "2", "3"]

    body = """
greet(max_in_flight=4)
ok(read())
for request in reversed([read() for _ in range(4)]):
    ok(request, [{"id": request["query"]["text"], "text": ""}])
read()
"""
    _with(program(body), use)


_TELLS_PID = """
greet(capabilities={"fork": True})
while True:
    request = read()
    ok(request, [{"id": str(os.getpid()), "text": ""}] if request["op"] == "recall" else None)
"""


def test_scopes_are_spread_over_processes_and_stay_there_with_their_forks(program: Any) -> None:
    async def pid_of(memory: Any) -> str:
        return str((await memory.recall(RecallQuery(text="?")))[0].id)

    async def use(system: CommandMemorySystem) -> None:
        memories = await asyncio.gather(*(system.open(MemoryScope(id=str(number))) for number in range(6)))
        pids = [await pid_of(memory) for memory in memories]
        assert sorted(pids.count(pid) for pid in set(pids)) == [2, 2, 2]
        assert [await pid_of(await memory.fork()) for memory in memories] == pids
        assert [await pid_of(memory) for memory in memories] == pids

    _with(program(_TELLS_PID, processes=3), use)


def test_processes_start_only_when_scopes_need_them(program: Any, tmp_path: Path) -> None:
    def started() -> int:
        return len(list(tmp_path.glob("started-*")))

    async def use(system: CommandMemorySystem) -> None:
        first = await system.open(MemoryScope(id="a"))
        await first.close()
        await system.open(MemoryScope(id="b"))
        assert started() == 1
        await system.open(MemoryScope(id="c"))
        assert started() == 2

    body = f"open(os.path.join({str(tmp_path)!r}, f'started-{{os.getpid()}}'), 'w').close()\n" + _TELLS_PID
    _with(program(body, processes=5), use)


def test_a_caller_that_gives_up_leaves_the_program_usable(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await memory.recall(RecallQuery(text="slow"))
        assert (await memory.recall(RecallQuery(text="quick")))[0].id == "quick"

    body = """
greet()
ok(read())
while True:
    request = read()
    time.sleep(0.15 if request["query"]["text"] == "slow" else 0)
    ok(request, [{"id": request["query"]["text"], "text": ""}])
"""
    _with(program(body), use)


def test_requests_that_nobody_waits_for_are_not_sent(program: Any, log: Path) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        slow = asyncio.create_task(memory.recall(RecallQuery(text="slow")))
        queued = asyncio.create_task(memory.recall(RecallQuery(text="queued")))
        await asyncio.sleep(0)
        queued.cancel()
        await slow
        await memory.recall(RecallQuery(text="last"))

    _with(program(_ECHO.replace("max_in_flight=4", "max_in_flight=1"), env={"LOG": str(log)}), use)
    assert [request["query"]["text"] for request in _requests(log)[1:]] == ["slow", "last"]


@pytest.mark.usefixtures("impatient")
def test_closing_does_not_wait_for_a_request_that_was_given_up(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await memory.recall(RecallQuery(text="hangs"))
        async with asyncio.timeout(10):
            await memory.close()

    _with(program("greet()\nuntil('recall')\ntime.sleep(60)"), use)


def test_a_request_that_was_given_up_must_still_be_answered_in_time(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await memory.recall(RecallQuery(text="hangs"))
        with pytest.raises(ExternalProgramError, match=r"'recall' had no answer within 0\.25 s"):
            await memory.dump()

    _with(program("greet(capabilities={'dump': True})\nuntil('recall')\ntime.sleep(60)", call_timeout_s=0.25), use)


def test_a_request_with_nan_is_refused_before_it_is_sent(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        memory = await system.open(MemoryScope(id="a"))
        event = MemoryEvent(id="e1", content="x", metadata={"score": float("nan")})
        with pytest.raises(ExternalProgramError, match=r"'write' cannot be asked: .*JSON"):
            await memory.write(event)
        assert await memory.recall(RecallQuery(text="?")) == []

    _with(program("greet()\nok(until('recall'), [])\nread()"), use)


def test_a_failed_open_does_not_count_as_a_scope(program: Any) -> None:
    async def use(system: CommandMemorySystem) -> None:
        with pytest.raises(ExternalProgramError, match="'open' failed: disk full") as caught:
            await system.open(MemoryScope(id="full"))
        memory = await system.open(MemoryScope(id="b"))
        pid = (await memory.recall(RecallQuery(text="?")))[0].id
        assert str(caught.value).endswith(f"disk full in {pid}")

    failing = 'fail(request, "failed", f"disk full in {os.getpid()}") if request.get("name") == "full" else ok(request'
    _with(program(_TELLS_PID.replace("ok(request", failing), processes=2), use)


def test_arguments_after_the_first_are_not_shown(program: Any) -> None:
    config = program("greet(protocol=9)\nread()")
    secretive = CommandMemoryConfig(command=[*config.command, "--key", "hunter2"])

    async def start() -> None:
        await CommandMemorySystem(secretive).start()

    with pytest.raises(ExternalProgramError) as caught:
        asyncio.run(start())
    assert "hunter2" not in str(caught.value)
    assert Path(config.command[1]).name in str(caught.value)
