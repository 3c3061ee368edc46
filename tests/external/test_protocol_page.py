"""The page on the protocol tells the truth: its messages are what is sent and accepted, its examples run."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from heams.agents.base import AgentScope, FeedbackMessage, Stimulus
from heams.agents.command import CommandAgent, CommandAgentConfig
from heams.agents.http import HttpAgent, HttpAgentConfig
from heams.cli.main import main
from heams.external.errors import ExternalProgramError
from heams.external.http_host import MOST_ROUNDS
from heams.external.last_words import last_words
from heams.external.process import SHUTDOWN_GRACE_S
from heams.external.protocol import MAX_MESSAGE_BYTES, MEMORY_CALL, PROTOCOL_VERSION, RESPONSE, SERVER_RESPONSE, Hello
from heams.external.settings import ProgramSettings, ServerSettings
from heams.memory.base import (
    ForgetDemand,
    MemoryCapabilities,
    MemoryEvent,
    MemoryScope,
    RecallQuery,
)
from heams.memory.command import CommandMemoryConfig, CommandMemorySystem
from heams.memory.http import HttpMemoryConfig, HttpMemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort
from heta_framework.common.config import load_yaml, rewrite_paths, validate

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = ["command_memory.py", "command_memory.js", "command_agent.py", "http_memory.py", "http_agent.py"]
_NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def _section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def _messages(text: str) -> list[dict[str, Any]]:
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    return [json.loads(line) for block in blocks for line in block.splitlines()]


def _exchanges(title: str) -> dict[str, tuple[dict[str, Any], Any]]:
    """Request and result of every operation in a section."""
    exchanges = {}
    for part in _section(title).split("\n### ")[1:]:
        request, response = _messages(part)
        assert part.startswith(f"`{request['op']}`")
        assert request["id"] == response["id"]
        exchanges[request["op"]] = (request, response["result"])
    return exchanges


def _shape(value: Any) -> Any:
    """The names of all fields; what is inside ``metadata`` is free."""
    if isinstance(value, dict):
        return {name: {} if name == "metadata" else _shape(inner) for name, inner in value.items()}
    return [_shape(inner) for inner in value] if isinstance(value, list) else None


_REPLAYS = """
results = json.load(open(os.environ["RESULTS"]))
greet(**json.loads(os.environ["HELLO"]))
log = open(os.environ["LOG"], "a")
while True:
    request = read()
    print(json.dumps(request), file=log, flush=True)
    ok(request, results.get(request["op"]))
"""


def _replay(program: Any, tmp_path: Path, exchanges: Any, config: type, capabilities: list[str]) -> Any:
    """A program that answers as the page does."""
    (tmp_path / "results.json").write_text(json.dumps({op: result for op, (_, result) in exchanges.items()}))
    hello = {"capabilities": dict.fromkeys(capabilities, True)}
    files = {"RESULTS": str(tmp_path / "results.json"), "LOG": str(tmp_path / "log.jsonl")}
    return program(_REPLAYS, config, env={**files, "HELLO": json.dumps(hello)})


def _sent(tmp_path: Path) -> dict[str, Any]:
    requests = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    return {request["op"]: _shape(request) for request in requests}


def test_memory_operations_are_as_the_page_says(program: Any, tmp_path: Path) -> None:
    exchanges = _exchanges("Memory operations")
    event = MemoryEvent(id="e1", content="x")

    async def run() -> None:
        needed = ["fork", "forget", "dump", "persist", "clock", "needs_gold"]
        system = CommandMemorySystem(_replay(program, tmp_path, exchanges, CommandMemoryConfig, needed))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            await memory.write(event)
            await memory.write_all([event])
            assert (await memory.recall(RecallQuery(text="?")))[0].score == 0.83
            assert (await memory.forget(ForgetDemand(content="x"))).removed == ("i7",)
            assert (await memory.dump())[0].event_ids == ("D1:3",)
            await memory.advance(_NOON)
            await memory.reveal_gold(["e1"])
            await memory.fork()
            await memory.persist(tmp_path)
            await memory.restore(tmp_path)
            assert (await memory.usage())["embedding"].input_tokens == 12
            await memory.close()
        finally:
            await system.close()

    asyncio.run(run())
    assert _sent(tmp_path) == {op: _shape(_one_item_in_lists(request)) for op, (request, _) in exchanges.items()}


def _one_item_in_lists(request: dict[str, Any]) -> dict[str, Any]:
    """``forget`` is sent without event ids here."""
    if request["op"] == "forget":
        return {**request, "demand": {**request["demand"], "event_ids": []}}
    return request


def test_agent_operations_are_as_the_page_says(program: Any, tmp_path: Path) -> None:
    exchanges = _exchanges("Agent operations")

    async def run() -> None:
        agent = CommandAgent(_replay(program, tmp_path, exchanges, CommandAgentConfig, ["owns_memory", "fork"]))
        lexical = LexicalMemorySystem(LexicalMemoryConfig())
        await agent.start()
        try:
            memory = await lexical.open(MemoryScope(id="a"))
            port = RecordingPort(memory, lexical.capabilities, RecallBudget(), scope="a")
            session = await agent.open(AgentScope(id="a"))
            assert (await session.respond(Stimulus(content="?", query="?"), port)).text == "Green tea."
            assert (await session.hear(MemoryEvent(id="e1", content="x"), port))["agent"].output_tokens == 8
            await session.begin_session("2")
            await session.advance(_NOON)
            await session.feedback(FeedbackMessage(of_step=0, kind="none"), port)
            assert (await session.forget(ForgetDemand(content="x"))).removed == ("i7",)
            assert (await session.dump())[0].id == "i7"
            await session.fork()
            await session.close()
        finally:
            await agent.close()

    asyncio.run(run())
    assert _sent(tmp_path) == {op: _shape(_one_item_in_lists(request)) for op, (request, _) in exchanges.items()}


def test_every_other_message_of_the_page_is_one_of_the_protocol() -> None:
    for message in _messages(_section("Messages") + _section("Handshake") + _section("Asking the memory")):
        if "call" in message and "op" in message:
            MEMORY_CALL.validate_python(message)
        elif "calls" in message:
            SERVER_RESPONSE.validate_python(message)
        elif "op" not in message and "call" not in message:
            RESPONSE.validate_python(message)
    hello = _messages(_section("Handshake"))
    assert hello[0] == {"id": 1, "op": "hello", "protocol": PROTOCOL_VERSION, "role": "memory"}
    TypeAdapter(Hello).validate_python(hello[1]["result"])


def test_every_field_and_capability_is_in_the_tables() -> None:
    def names(section: str) -> set[str]:
        return set(re.findall(r"^\| `(\w+)` \|", _section(section), re.MULTILINE))

    assert names("Configuration") == {*ProgramSettings.model_fields, *ServerSettings.model_fields}
    assert names("Handshake") == {*Hello.model_fields, *MemoryCapabilities.model_fields, "owns_memory"}
    assert names("Asking the memory") == {"recall", "write", "forget", "items"}


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    assert MAX_MESSAGE_BYTES == 16 * 1024 * 1024
    assert "may have 16 MiB" in PAGE
    assert f"after {MOST_ROUNDS} rounds" in PAGE
    assert SHUTDOWN_GRACE_S == 1
    assert "after one second the program is killed" in PAGE
    lines = [f"line {number}" for number in range(30)]
    assert last_words(lines).count("\n") == 20
    assert "up to 20 of its last lines" in PAGE
    for field in ("startup_timeout_s", "call_timeout_s"):
        assert f"| `{field}` | {ProgramSettings.model_fields[field].default:g} |" in PAGE


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_shows_the_examples_as_they_are(name: str) -> None:
    source = (ROOT / "docs" / "examples" / name).read_text(encoding="utf-8")
    language = "javascript" if name.endswith(".js") else "python"
    assert f"```{language}\n{source}```" in PAGE
    assert len(source.splitlines()) <= 60


@pytest.mark.parametrize("kind", ["command", "http"])
def test_the_page_shows_the_configurations_as_they_are(kind: str) -> None:
    text = (ROOT / "configs" / "memory_systems" / "testing" / f"{kind}.yaml").read_text(encoding="utf-8")
    assert f"```yaml\n{text}```" in PAGE


def _config(path: str, model: type, **env: str) -> Any:
    """A configuration file as a run reads it."""
    document = load_yaml(ROOT / "configs" / path, env=env)
    config, paths = rewrite_paths(validate(document, TypeAdapter(model)), ROOT)
    assert all(resolved.exists() for resolved in paths.values())
    return config


@contextmanager
def _server(name: str) -> Iterator[str]:
    """The URL of an example server on a free port."""
    script = ROOT / "docs" / "examples" / f"{name}.py"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with subprocess.Popen(
        [sys.executable, str(script), "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()
        assert process.stderr.read() == ""


async def _play(agent: Any, system: Any, *, can_dump: bool = True) -> tuple[str, str, list[str]]:
    """Hear through the agent, ask, and ask about nothing."""
    await system.start()
    await agent.start()
    try:
        history = await system.open(MemoryScope(id="history"))
        session = await agent.open(AgentScope(id="history"))
        port = RecordingPort(history, system.capabilities, RecallBudget(), scope="history")
        for number, content in enumerate(["Ann drinks green tea ☕", "Bob plays chess", "Über Köln schneit es"]):
            port.sources = (f"e{number}",)
            await session.hear(MemoryEvent(id=f"e{number}", content=content), port)
        fork = await history.fork()
        probe = RecordingPort(fork, system.capabilities, RecallBudget(), scope="probe")
        stimulus = Stimulus(content="Answer briefly: tea?", query="Who drinks tea?")
        answer = await session.respond(stimulus, probe)
        evidence = [event_id for item in probe.recalls[0].items for event_id in item.event_ids]
        unknown = await session.respond(Stimulus(content="?", query="xyzzy"), probe)
        await fork.close()
        assert answer.usage == unknown.usage == await history.usage() == {}
        assert not can_dump or len(await history.dump()) == 3
        await session.close()
        await history.close()
    finally:
        await agent.close()
        await system.close()
    return answer.text, unknown.text, evidence


def test_the_example_programs_work_together_as_configured() -> None:
    agent = CommandAgent(_config("agents/testing/command.yaml", CommandAgentConfig))
    system = CommandMemorySystem(_config("memory_systems/testing/command.yaml", CommandMemoryConfig))
    assert asyncio.run(_play(agent, system)) == ("Ann drinks green tea ☕", "I do not know.", ["e0"])


def test_the_example_servers_work_together_as_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with _server("http_memory") as memory_url, _server("http_agent") as agent_url:
        agent = HttpAgent(_config("agents/testing/http.yaml", HttpAgentConfig, HEAMS_AGENT_URL=agent_url))
        memory_config = _config("memory_systems/testing/http.yaml", HttpMemoryConfig, HEAMS_MEMORY_URL=memory_url)
        outcome = asyncio.run(_play(agent, HttpMemorySystem(memory_config)))
    assert outcome == ("Ann drinks green tea ☕", "I do not know.", ["e0"])


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not on PATH")


@needs_node
def test_the_example_in_javascript_works_with_the_example_agent() -> None:
    agent = CommandAgent(_config("agents/testing/command.yaml", CommandAgentConfig))
    system = CommandMemorySystem(CommandMemoryConfig(command=["node", "docs/examples/command_memory.js"], cwd=ROOT))
    assert asyncio.run(_play(agent, system, can_dump=False)) == ("Ann drinks green tea ☕", "I do not know.", ["e0"])


@needs_node
def test_a_javascript_program_that_throws_shows_its_error_first(tmp_path: Path) -> None:
    source = (ROOT / "docs" / "examples" / "command_memory.js").read_text(encoding="utf-8")
    (tmp_path / "memory.js").write_text(source.replace("memories.get(scope).push", "memories.get(to).push"))

    async def run() -> None:
        system = CommandMemorySystem(CommandMemoryConfig(command=["node", "memory.js"], cwd=tmp_path))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            with pytest.raises(ExternalProgramError) as caught:
                await memory.write(MemoryEvent(id="e1", content="x"))
        finally:
            await system.close()
        first, *others = str(caught.value).splitlines()
        assert re.search(r"'node memory\.js'.*exit code 1; .* stderr: ReferenceError: to is not defined$", first)
        assert any("memory.js:" in line for line in others)

    asyncio.run(run())


_RARE = MemoryEvent(id="e1", content="one\u2028line\u2029only\x85", sources=("e0",))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([sys.executable, "docs/examples/command_memory.py"], id="python"),
        pytest.param(["node", "docs/examples/command_memory.js"], id="javascript", marks=needs_node),
    ],
)
def test_the_example_memories_take_what_is_rare(command: list[str]) -> None:
    async def run() -> None:
        system = CommandMemorySystem(CommandMemoryConfig(command=command, cwd=ROOT))
        await system.start()
        try:
            await (await system.open(MemoryScope(id="empty"))).close()
            memory = await system.open(MemoryScope(id="a"))
            await memory.write(_RARE)
            (item,) = await memory.recall(RecallQuery(text="ONE?"))
            assert (item.text, item.event_ids) == (_RARE.content, ("e0",))
            assert await memory.recall(RecallQuery(text="")) == []
            assert await memory.usage() == {}
        finally:
            await system.close()

    asyncio.run(run())


def _heams(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ending:
        main()
    assert not ending.value.code


def test_the_memory_in_20_lines_is_made_and_compared_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = _section("Your own memory in 20 lines")
    ((program,),) = (re.findall(r"```python\n(.*?)```", section, re.DOTALL),)
    assert len([line for line in program.splitlines() if line.strip()]) <= 20
    commands = [shlex.split(line.removeprefix("$ ")) for line in re.findall(r"^\$ .*", section, re.MULTILINE)]
    monkeypatch.chdir(tmp_path)
    for words in commands[:2]:
        monkeypatch.chdir(words[1]) if words[0] == "cd" else _heams(monkeypatch, words)
    Path("my_memory.py").write_text(program)
    for name, text in zip(
        re.findall(r"`(configs/\S+)`", section), re.findall(r"```yaml\n(.*?)```", section, re.DOTALL), strict=True
    ):
        Path(name).write_text(text)
    for words in commands[2:]:
        _heams(monkeypatch, words)
    assert "mine" in capsys.readouterr().out
    (folder,) = Path("results/first_own").glob("*mine*")
    results = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    assert {(result["status"], result["isolation"]) for result in results} == {("completed", "fork")}
    recalls = [recall for result in results for step in result["transcript"] for recall in step["recalls"]]
    assert all(recall["ids"] for recall in recalls)
    assert max(recall["waited"] for recall in recalls) > 0
    assert all(result["usage"] == {} for result in results)
    assert (folder / "report.md").exists()


def test_the_example_memory_forgets() -> None:
    async def run() -> None:
        system = CommandMemorySystem(_config("memory_systems/testing/command.yaml", CommandMemoryConfig))
        await system.start()
        try:
            memory = await system.open(MemoryScope(id="a"))
            await memory.write_all([MemoryEvent(id="e1", content="tea"), MemoryEvent(id="e2", content="tea time")])
            fork = await memory.fork()
            assert (await fork.forget(ForgetDemand(content="", event_ids=("e1",)))).removed == ("e1",)
            assert [item.id for item in await fork.recall(RecallQuery(text="Tea", limit=5))] == ["e2"]
            assert [item.id for item in await memory.recall(RecallQuery(text="Tea", limit=1))] == ["e1"]
        finally:
            await system.close()

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["http_memory", "http_agent"])
def test_the_configured_addresses_are_where_the_page_starts_the_servers(kind: str) -> None:
    folder, model = ("memory_systems", HttpMemoryConfig) if kind == "http_memory" else ("agents", HttpAgentConfig)
    url = _config(f"{folder}/testing/http.yaml", model).url
    port = url.rsplit(":", 1)[1].strip("/")
    assert f"python3 docs/examples/{kind}.py {port}" in PAGE
    assert f"else {port})" in (ROOT / "docs" / "examples" / f"{kind}.py").read_text()
