"""Programs that break: the error says what happened, nothing hangs, and the next scope gets a fresh process."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from heams.external.errors import ExternalProgramError
from heams.memory.base import Memory, MemoryScope, RecallQuery
from heams.memory.command import CommandMemorySystem

_QUERY = RecallQuery(text="?")

_ONCE = """
greet(max_in_flight=4)
request = until("recall")
"""


def _fault(config: Any, then: Callable[[Memory], Awaitable[object]] | None = None) -> str:
    """The error of a recall."""

    async def run() -> str:
        system = CommandMemorySystem(config)
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            with pytest.raises(ExternalProgramError) as caught:
                await (then or (lambda each: each.recall(_QUERY)))(memory)
            await memory.close()
            return str(caught.value)
        finally:
            await system.close()

    return asyncio.run(run())


def test_a_program_that_dies_is_reported_with_exit_code_and_last_words(program: Any) -> None:
    fault = _fault(program(_ONCE + 'print("out of memory in shard 7", file=sys.stderr)\nsys.exit(3)'))
    assert "'recall' was not answered: it ended with exit code 3" in fault
    assert fault.endswith("last lines on stderr: out of memory in shard 7")


def test_an_exception_in_the_program_shows_its_last_line(program: Any) -> None:
    fault = _fault(program(_ONCE + '{}["scope"]'))
    assert "exit code 1; last lines on stderr: KeyError: 'scope'\n    Traceback (most recent call last):\n" in fault
    assert fault.endswith("\n    KeyError: 'scope'")


def test_a_program_killed_by_a_signal(program: Any) -> None:
    assert "it was ended by SIGSEGV" in _fault(program(_ONCE + "import signal\nos.kill(os.getpid(), signal.SIGSEGV)"))


def test_a_program_that_dies_between_two_calls(program: Any) -> None:
    async def write_then_recall(memory: Memory) -> None:
        await memory.recall(_QUERY)
        for _ in range(100):
            await asyncio.sleep(0.01)
            await memory.recall(_QUERY)

    fault = _fault(program(_ONCE + "ok(request, [])\nsys.exit(4)"), write_then_recall)
    assert re.search(r"'recall' (cannot be asked|was not answered): it ended with exit code 4", fault)


def test_a_program_that_ends_in_the_middle_of_a_line(program: Any) -> None:
    assert "exit code 0" in _fault(program(_ONCE + 'sys.stdout.write(\'{"id": 3, "ok"\')'))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("print('Loading weights...', flush=True)", r'no message \(.*logs belong on stderr\): "Loading weights..."'),
        ("print('[1, 2]', flush=True)", r'found a list; logs belong on stderr\): "\[1, 2\]"'),
        ("print('x' * 5000, flush=True)", r'"x{200}"…'),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", r"\\xff"),
        ("ok(request, [{'id': '1', 'text': 'a', 'score': float('nan')}])", "neither NaN nor Infinity"),
        ('print(\'{"id": %d, "ok": true, "result": 1e999}\' % request[\'id\'], flush=True)', "too large"),
        ("ok(request, [{'id': '1', 'text': '\\ud800'}])", "hex escape"),
        ("send({'ok': True, 'result': []})", "id: not given; this field is required"),
        ("send({'id': '1', 'ok': True})", 'id: found "1"; must be a whole number'),
        ("send({'id': request['id'], 'ok': 'yes'})", 'ok: found "yes"; must be true or false'),
        (
            "send({'id': request['id'], 'ok': True, 'reslt': []})",
            "reslt: this field is not known.*did you mean 'result'",
        ),
        ("send({'id': request['id'], 'ok': False})", "'error' is given exactly where 'ok' is false"),
        (
            "send({'id': request['id'], 'ok': False, 'error': {'kind': 'unsupportd'}})",
            "error.kind: found \"unsupportd\".*did you mean 'unsupported'",
        ),
        ("send({'id': 99, 'ok': True})", r"answered request 99, which is not waiting for an answer \(waiting: \d+\)"),
        ("send({'call': None, 'op': 'recall'})", "call: found nothing"),
    ],
)
def test_lines_that_break_the_protocol_end_the_program(program: Any, line: str, reason: str) -> None:
    fault = _fault(program(f"{_ONCE}{line}\ntime.sleep(60)"))
    assert re.search(reason, fault), fault
    assert "'recall' was not answered: it" in fault


def test_a_request_that_is_answered_twice(program: Any) -> None:
    async def recall_twice(memory: Memory) -> None:
        await memory.recall(_QUERY)
        await memory.recall(_QUERY)

    fault = _fault(program(_ONCE + "ok(request, [])\nok(request, [])\ntime.sleep(60)"), recall_twice)
    assert "which is not waiting for an answer" in fault


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("None", "result: found nothing"),
        ("{}", "must be a list"),
        ("[{'text': 'a'}]", "result.0.id: not given; this field is required"),
        ("[{'id': '1', 'text': 'a'}, {'id': 2, 'text': 'b'}]", "result.1.id: found 2; must be text"),
        ("[{'id': '1', 'text': 'a', 'scor': 1}]", "result.0.scor: .*did you mean 'score'"),
        ("[{'id': '1', 'text': 'a', 'at': 'tomorrow'}]", "result.0.at: "),
        ("[{'id': str(n)} for n in range(1000)]", r"result\.0\.text: not given; .*required \(1000 times\)$"),
        ("[{'id': n, 'text': 'a'} for n in range(7)]", r"result\.0\.id: found 0; must be text.* \(7 times\)$"),
        (
            "[{}, {'id': '1', 'text': 5}, {'id': '2'}]",
            r"0\.id: .* \| result\.0\.text: .*\(2 times\) \| result\.1\.text: fo",
        ),
        ("[{'id': '1', 'text': 'a', **{f'x{n}': n for n in range(9)}}]", r"result\.0\.x4: .* \| and 4 more$"),
    ],
)
def test_an_answer_of_the_wrong_shape_names_operation_and_field(program: Any, result: str, reason: str) -> None:
    body = f"greet()\nwhile True:\n    request = until('recall')\n    ok(request, {result})\n"
    fault = _fault(program(body))
    assert re.search(reason, fault), fault
    assert "the answer to 'recall' cannot be used" in fault
    assert len(fault) < 1000


def test_a_wrong_shape_does_not_end_the_program(program: Any) -> None:
    async def run() -> None:
        body = "greet()\nok(until('recall'), 7)\nok(until('recall'), [])\nwhile True:\n    ok(read())"
        system = CommandMemorySystem(program(body))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            with pytest.raises(ExternalProgramError):
                await memory.recall(_QUERY)
            assert await memory.recall(_QUERY) == []
        finally:
            await system.close()

    asyncio.run(run())


def test_what_the_program_says_about_its_failure_is_passed_on(program: Any) -> None:
    fault = _fault(program("greet()\nfail(until('recall'), 'failed', 'index is corrupt')\nwhile True:\n    ok(read())"))
    assert fault.endswith("'recall' failed: index is corrupt")


def test_a_flood_without_newline_ends_the_program(program: Any) -> None:
    flood = "while True:\n    os.write(1, b'x' * 1_000_000)"
    assert "it wrote more than 16777216 bytes without a newline" in _fault(program(_ONCE + flood))


def test_a_flood_on_stderr_is_drained(program: Any) -> None:
    async def run() -> None:
        body = "greet()\nrequest = until('recall')\nfor _ in range(300):\n    os.write(2, b'noise ' * 10_000)\n"
        system = CommandMemorySystem(program(body + "ok(request, [])\nread()"))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            assert await memory.recall(_QUERY) == []
        finally:
            await system.close()

    asyncio.run(run())


def test_a_program_that_never_answers_is_killed(program: Any) -> None:
    fault = _fault(
        program(_ONCE + "print('deadlock', file=sys.stderr, flush=True)\ntime.sleep(60)", call_timeout_s=0.3)
    )
    assert "'recall' had no answer within 0.3 s, so the program was killed" in fault
    assert fault.endswith("deadlock")


def test_a_program_that_never_reads_is_killed(program: Any) -> None:
    body = "greet()\nok(read())\ntime.sleep(60)"

    async def recall_much(memory: Memory) -> None:
        await memory.recall(RecallQuery(text="x" * 5_000_000))

    assert "had no answer within 0.3 s" in _fault(program(body, call_timeout_s=0.3), recall_much)


@pytest.mark.usefixtures("impatient")
def test_a_program_that_closes_its_stdin(program: Any) -> None:
    assert "it closed its stdin" in _fault(program(_ONCE + "os.close(0)\ntime.sleep(60)"))


@pytest.mark.usefixtures("impatient")
def test_a_program_that_closes_its_stdout(program: Any) -> None:
    assert "it closed its stdout" in _fault(program(_ONCE + "os.close(1)\ntime.sleep(60)"))


def test_blank_lines_do_no_harm(program: Any) -> None:
    async def run() -> None:
        system = CommandMemorySystem(program("print()\ngreet()\nprint(' \\r')\nok(until('recall'), [])\nread()"))
        await system.start()
        try:
            assert await (await system.open(MemoryScope(id="a"))).recall(_QUERY) == []
        finally:
            await system.close()

    asyncio.run(run())


_DIES_IN_SCOPE_A = """
greet(max_in_flight=4)
names = {}
while True:
    request = read()
    if request["op"] == "open":
        names[request["scope"]] = request["name"]
    if request["op"] == "recall" and names[request["scope"]] == "a":
        HOW
    ok(request, [] if request["op"] == "recall" else None)
"""


@pytest.mark.parametrize("how", ["sys.exit(1)", "time.sleep(60)", "print('garbage', flush=True)"])
def test_after_a_fault_the_run_goes_on_in_a_new_process(program: Any, how: str) -> None:
    async def run() -> None:
        system = CommandMemorySystem(
            program(_DIES_IN_SCOPE_A.replace("HOW", how), call_timeout_s=0.4 if "sleep" in how else 30)
        )
        await system.start()
        try:
            first = await system.open(MemoryScope(id="a"))
            with pytest.raises(ExternalProgramError) as during:
                await first.recall(_QUERY)
            with pytest.raises(ExternalProgramError) as after:
                await first.recall(_QUERY)
            assert str(after.value).endswith(str(during.value).split("was not answered: ")[1])
            second = await system.open(MemoryScope(id="b"))
            assert await second.recall(_QUERY) == []
            await first.close()
            await second.close()
        finally:
            await system.close()

    asyncio.run(run())


def test_a_fault_reaches_everybody_who_waits(program: Any) -> None:
    async def run() -> None:
        system = CommandMemorySystem(program(_ONCE + "time.sleep(0.05)\nsys.exit(5)"))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            results = await asyncio.gather(*(memory.recall(_QUERY) for _ in range(10)), return_exceptions=True)
            assert all("exit code 5" in str(result) for result in results)
            assert {type(result) for result in results} == {ExternalProgramError}
        finally:
            await system.close()

    asyncio.run(run())


def _start_fault(config: Any) -> str:
    async def start() -> str:
        system = CommandMemorySystem(config)
        try:
            with pytest.raises(ExternalProgramError) as caught:
                await system.start()
            return str(caught.value)
        finally:
            await system.close()

    return asyncio.run(start())


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("greet(protocol=2)", "speaks protocol 2; this heams speaks protocol 1"),
        ("greet(protocol='1')", "speaks protocol '1'; this heams speaks protocol 1"),
        (
            "ok(read(), {'name': 'x'})",
            'result.protocol: not given.*; the least .* {"protocol": 1, "name": "my program"}',
        ),
        ("ok(read(), {'protocol': 1})", "result.name: not given"),
        ("send({'protocol': 1, 'name': 'x'})", "id: not given; .* ok: not given"),
        ("ok(read(), [])", "result: found a list"),
        ("greet(role='agent')", "has the role 'agent', but is configured as 'memory'"),
        ("greet(max_in_flight=0)", "result.max_in_flight: found 0"),
        ("greet(max_in_flight=None)", "result.max_in_flight: found nothing"),
        ("greet(max_in_flight='many')", 'result.max_in_flight: found "many"'),
        ("greet(capabilities={'forgett': True})", "capabilities.forgett: .*did you mean 'forget'"),
        ("greet(capabilities={'owns_memory': True})", "capabilities.owns_memory: this field is not known"),
        ("fail(read(), 'failed', 'no licence')", "refused 'hello': no licence"),
        ("fail(read(), 'unsupported', '')", "refused 'hello': it does not say why"),
        ("sys.exit('no model file')", "'hello' (was not answered|cannot be asked): .*exit code 1; .*: no model file"),
        ("print('Welcome!')", 'no message .*"Welcome!"'),
        ("time.sleep(60)", r"'hello' had no answer within 0\.3 s.*flush stdout"),
    ],
)
def test_a_handshake_that_fails_says_why(program: Any, body: str, reason: str) -> None:
    limit = 0.3 if "sleep" in body else 10
    fault = _start_fault(program(body + "\nread()", startup_timeout_s=limit))
    assert re.search(reason, fault), fault
    assert re.match(r"memory program '.*'", fault)


def test_a_program_that_changes_its_mind_when_it_is_started_again(program: Any, tmp_path: Any) -> None:
    body = f"""
mark = {str(tmp_path / "mark")!r}
greet(capabilities={{"fork": not os.path.exists(mark)}})
open(mark, "w").close()
until("recall")
"""

    async def run() -> None:
        system = CommandMemorySystem(program(body))
        await system.start()
        try:
            with pytest.raises(ExternalProgramError):
                await (await system.open(MemoryScope(id="a"))).recall(_QUERY)
            with pytest.raises(ExternalProgramError, match="other capabilities when it was started again"):
                await system.open(MemoryScope(id="b"))
        finally:
            await system.close()

    asyncio.run(run())
