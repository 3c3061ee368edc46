"""Configurations of agents with models: what must be said, what may not, and that no word is hidden in Python."""

from __future__ import annotations

import sys
from typing import Any

import anyio
import pytest
from pydantic import TypeAdapter, ValidationError

from heams.agents.context import ContextAgentConfig
from heams.agents.factory import AgentConfig, create_agent
from heams.agents.tool_use import ToolUseAgentConfig
from heta_framework.common.models.errors import ModelSetupError

WORDS: dict[str, Any] = {
    "type": "tool_use",
    "model": "openai:gpt-4o-mini",
    "policy": "Answer.",
    "answer_prompt": "{now} {principal} {question}",
    "tools": {"search_memory": "Search."},
}
SERVER = {"command": ["server"]}


def test_prompts_and_tool_descriptions_are_required() -> None:
    for field in ("model", "policy", "answer_prompt", "tools"):
        with pytest.raises(ValidationError, match=field):
            ToolUseAgentConfig.model_validate({name: value for name, value in WORDS.items() if name != field})


def test_no_text_for_the_model_is_a_default() -> None:
    for config in (ToolUseAgentConfig, ContextAgentConfig):
        for name, field in config.model_fields.items():
            if any(word in name for word in ("prompt", "policy", "tools", "line", "memories")):
                assert field.is_required() or field.default is None, name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"answer_prompt": "{question}"}, "must contain {now}"),
        ({"answer_prompt": "{now} {principal} {questio}"}, "did you mean {question}"),
        ({"hear_prompt": "{content}"}, "must contain {speaker}"),
        ({"tools": {"search_memories": "x"}}, "search_memory"),
        ({"tools": {"search_memory": " "}}, "tools"),
        ({"policy": ""}, "policy"),
        ({"step_limit": 0}, "step_limit"),
        ({"model": "opnai:gpt-4o-mini"}, "did you mean openai"),
        ({"mcp_servers": [SERVER]}, "'tools' must be empty"),
        ({"forget_prompt": "{request} {now} {principal}"}, "mcp_servers"),
        ({"tools": {}, "mcp_servers": [{}]}, "exactly one of 'command' and 'url'"),
        ({"tools": {}, "mcp_servers": [{**SERVER, "url": "http://a/"}]}, "exactly one of"),
        ({"tools": {}, "mcp_servers": [{"url": "http://a/"}]}, "{session}"),
        ({"tools": {}, "mcp_servers": [{"url": "ftp://a/{session}"}]}, "url"),
        ({"tools": {}, "mcp_servers": [SERVER] * 9}, "mcp_servers"),
    ],
)
def test_a_mistake_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(AgentConfig).validate_python(WORDS | change)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    "server",
    [
        SERVER,
        {"url": "http://a/{session}/mcp"},
        {"url": "http://a/mcp", "headers": {"X-User": "{session}"}},
        {"url": "https://a/mcp", "shared": True},
    ],
)
def test_servers_that_keep_sessions_apart_are_accepted(server: dict[str, Any]) -> None:
    config = ToolUseAgentConfig.model_validate(WORDS | {"tools": {}, "mcp_servers": [server]})
    assert config.keeps_memory


def test_headers_are_not_shown() -> None:
    secret = {"url": "https://a/mcp", "shared": True, "headers": {"Authorization": "Bearer abc"}}
    config = ToolUseAgentConfig.model_validate(WORDS | {"tools": {}, "mcp_servers": [secret]})
    assert "abc" not in repr(config)
    assert "abc" not in config.model_dump_json()


def test_mcp_servers_need_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastmcp", None)
    for module in ("heams.agents.tool_use.server_tools", "pydantic_ai.mcp", "fastmcp.client.transports"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "dummy")
    config = ToolUseAgentConfig.model_validate(WORDS | {"tools": {}, "mcp_servers": [SERVER]})
    with pytest.raises(ModelSetupError, match=r"heams\[mcp\]"):
        anyio.run(create_agent(config).start)
