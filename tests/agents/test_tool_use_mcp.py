"""MCP servers as memory: real servers, over stdin and stdout and over HTTP, with a model on a local endpoint."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from model_server import LocalServer, Reply, ToolCall

from heams.agents.base import AgentScope, Stimulus
from heams.agents.factory import create_agent
from heams.agents.tool_use import ToolUseAgentConfig
from heams.agents.tool_use.servers import McpServerFailed
from heams.memory.base import ForgetDemand, MemoryEvent, UnsupportedOperation
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.scenarios.budget import RecallBudget
from heams.scenarios.port import RecordingPort

pytest.importorskip("mcp")
pytest.importorskip("fastmcp")

Started = Callable[..., LocalServer]
PROGRAM = str(Path(__file__).with_name("mcp_notes.py"))


def config(server: dict[str, Any] | None = None, **changes: Any) -> ToolUseAgentConfig:
    words = {
        "type": "tool_use",
        "model": "openai:gpt-4o-mini",
        "policy": "Use your notes.",
        "answer_prompt": "{now} {principal} asks: {question}",
        "hear_prompt": "{now} {speaker} says: {content}",
        "forget_prompt": "{now} {principal} wants forgotten: {request}",
        "tools": {},
        "step_limit": 4,
        "mcp_servers": [{"command": [sys.executable, PROGRAM, "{directory}/notes.json"], **(server or {})}],
    }
    return ToolUseAgentConfig.model_validate(words | changes)


def once(name: str, **arguments: Any) -> dict[str, Any]:
    """A model that calls one tool and then answers."""
    return {"brain": {"queue": [Reply(tool_calls=(ToolCall(name=name, arguments=arguments),)), "done"]}}


def notes_brain(request: Any) -> Reply | str:
    """Saves what it hears, drops what it is told to forget, and answers with what it finds for the word ``kettle``."""
    if request.tool_results:
        return request.tool_results[-1]
    if "says:" in request.user:
        return Reply(tool_calls=(ToolCall(name="add_note", arguments={"text": request.user}),))
    tool = "drop_note" if "forgotten" in request.user else "find_notes"
    return Reply(tool_calls=(ToolCall(name=tool, arguments={"query": "kettle"}),))


def play(settings: ToolUseAgentConfig, act: Callable[..., Any], *, sessions: int = 1) -> Any:
    """What ``act(sessions, port)`` returns."""

    async def run() -> Any:
        agent = create_agent(settings)
        await agent.start()
        opened = [await agent.open(AgentScope(id=str(number))) for number in range(sessions)]
        memory = await NoMemorySystem(NoMemoryConfig()).open(Any)  # type: ignore[arg-type]
        port = RecordingPort(memory, NoMemorySystem.capabilities, RecallBudget(), scope="scope")
        try:
            return await act(opened if sessions > 1 else opened[0], port)
        finally:
            for session in opened:
                await session.close()
            await agent.close()

    return anyio.run(run)


def ask(settings: ToolUseAgentConfig) -> Any:
    return play(settings, lambda session, port: session.respond(Stimulus(content="?", query="?"), port))


def test_it_owns_its_memory_and_does_not_fork() -> None:
    agent = create_agent(config())
    assert (agent.capabilities.owns_memory, agent.capabilities.fork) == (True, False)


def test_what_it_hears_it_finds_again_and_can_forget(openai_server: Started) -> None:
    server = openai_server(brain=notes_brain)

    async def act(session: Any, port: Any) -> list[str]:
        await session.hear(MemoryEvent(id="t1", speaker="Ada", content="My kettle is red."), port)
        await session.begin_session("s2")
        before = await session.respond(Stimulus(content="Which?", query="Which?"), port)
        receipt = await session.forget(ForgetDemand(content="the kettle"))
        await session.begin_session("s3")
        after = await session.respond(Stimulus(content="Which?", query="Which?"), port)
        assert before.tool_calls[0]["tool"] == "find_notes"
        assert before.tool_calls[0]["outcome"] == "success"
        return [before.text, receipt.note, after.text]

    assert play(config(), act) == ['["unknown Ada says: My kettle is red."]', "dropped", "[]"]
    offered = {tool["function"]["name"] for tool in server.log.entries[0].body["tools"]}
    assert {"add_note", "find_notes", "drop_note"} <= offered
    assert "search_memory" not in offered


def test_sessions_share_nothing_and_leave_nothing(
    openai_server: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    openai_server(brain=notes_brain)

    async def act(sessions: Any, port: Any) -> list[str]:
        await sessions[0].hear(MemoryEvent(id="t1", speaker="Ada", content="My kettle is red."), port)
        return [(await session.respond(Stimulus(content="?", query="?"), port)).text for session in sessions]

    first, second = play(config(conversation_tokens=0), act, sessions=2)
    assert "red" in first
    assert second == "[]"
    assert list(tmp_path.iterdir()) == []


def test_only_allowed_tools_are_offered(openai_server: Started) -> None:
    server = openai_server(**once("add_note", text="x"))
    reply = ask(config({"tools": ["find_notes"]}))
    assert [tool["function"]["name"] for tool in server.log.entries[0].body["tools"]] == ["find_notes"]
    assert reply.tool_calls[0]["outcome"] == "retried"
    assert "Unknown tool" in str(reply.tool_calls[0]["result"])


def test_the_program_sees_no_key(openai_server: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMETHING_PRIVATE", "hush")
    openai_server(**once("environment"))
    seen = json.loads(ask(config({"env": {"PLACE": "{directory}"}})).tool_calls[0]["result"])
    assert Path(seen["PLACE"]).name == "0"
    assert not {"OPENAI_API_KEY", "SOMETHING_PRIVATE"} & set(seen)
    openai_server(**once("environment"))
    assert json.loads(ask(config({"inherit_env": True})).tool_calls[0]["result"])["SOMETHING_PRIVATE"] == "hush"


def test_a_long_result_is_cut(openai_server: Started) -> None:
    server = openai_server(**once("long_text"))
    reply = ask(config(result_tokens=100))
    assert reply.metadata["cut_results"] == 1
    assert len(server.log.entries[-1].body["messages"][-1]["content"]) < 2_000


def test_a_tool_that_fails_is_told_to_the_model(openai_server: Started) -> None:
    server = openai_server(**once("fail"))
    reply = ask(config())
    assert reply.text == "done"
    assert reply.tool_calls[0]["outcome"] == "failed"
    assert "fail" in server.log.entries[-1].body["messages"][-1]["content"]


def test_wrong_arguments_are_told_to_the_model(openai_server: Started) -> None:
    openai_server(**once("add_note", txt="x"))
    reply = ask(config())
    assert reply.text == "done"
    assert "text" in str(reply.tool_calls[0]["result"])


@pytest.mark.parametrize(("tool", "said"), [("die", "my last words"), ("hang", "timed out")])
def test_a_server_that_breaks_ends_the_scenario(openai_server: Started, tool: str, said: str) -> None:
    server = openai_server(**once(tool))
    with pytest.raises(McpServerFailed, match=f"stopped working in '{tool}'.*{said}"):
        ask(config({"call_timeout_s": 1 if tool == "hang" else 60}))
    assert len(server.log.entries) == 1


@pytest.mark.parametrize(
    ("server", "said"),
    [
        ({"tools": ["find_note"]}, "offers no tool 'find_note'.*did you mean 'find_notes'"),
        ({"command": ["/nowhere/notes"]}, "/nowhere/notes"),
        ({"command": [sys.executable, "-c", "import sys; sys.exit('no such library')"]}, "no such library"),
        ({"command": [sys.executable, "-c", "import time; time.sleep(60)"], "startup_timeout_s": 1}, "1 s"),
    ],
)
def test_what_is_wrong_is_known_before_the_first_scenario(
    openai_server: Started, server: dict[str, Any], said: str
) -> None:
    openai_server(brain="echo")
    with pytest.raises(McpServerFailed, match=said):
        ask(config(server))


def test_without_a_forget_prompt_it_does_not_forget(openai_server: Started) -> None:
    openai_server(brain="echo")

    async def act(session: Any, port: Any) -> None:
        with pytest.raises(UnsupportedOperation, match="forget_prompt"):
            await session.forget(ForgetDemand(content="x"))
        with pytest.raises(UnsupportedOperation):
            await session.dump()

    play(config(forget_prompt=None), act)


def test_a_server_behind_a_url_is_told_sessions_apart(openai_server: Started, tmp_path: Path) -> None:
    import socket
    import subprocess
    import time

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder, file = str(Path(PROGRAM).parent), str(tmp_path / "notes.json")
    program = (
        f"import sys; sys.argv = ['', {file!r}]; sys.path.insert(0, {folder!r})\n"
        f"from mcp_notes import server\nserver.run(transport='streamable-http', port={port})"
    )
    with subprocess.Popen([sys.executable, "-c", program], env=os.environ, stderr=subprocess.DEVNULL) as served:
        try:
            for _ in range(100):
                with socket.socket() as trial:
                    if trial.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            server = {"command": None, "url": f"http://127.0.0.1:{port}/mcp", "headers": {"X-User": "{session}"}}
            openai_server(**once("add_note", text="kettle"))
            reply = ask(config(server))
        finally:
            served.terminate()
    assert reply.tool_calls[0]["result"] == "kept"


def test_a_run_rebuilds_the_history_for_every_scenario(
    openai_server: Started, questions: Any, one_experiment: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from heams.api import run

    openai_server(brain=notes_brain)
    agent = config().model_dump(mode="json", exclude_none=True)
    matrix = one_experiment(questions(2, history=3), agent=agent)
    matrix["experiments"][0]["benchmark_config"]["evaluators"] = [{"type": "task_qa", "match_mode": "contains"}]
    path = tmp_path / "run.yaml"
    path.write_text(json.dumps(matrix), encoding="utf-8")
    run(path, output_dir=tmp_path / "out")
    lines = [json.loads(line) for line in (tmp_path / "out/one/runs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["status"] for line in lines] == ["completed", "completed"]
    assert {line["isolation"] for line in lines} == {"rebuild"}
    assert all("kettle 0" in line["transcript"][-1]["reply"] for line in lines)
