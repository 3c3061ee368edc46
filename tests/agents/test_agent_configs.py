"""The shipped agent configurations are valid, say what they are for, and build their agent."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from heams.agents.base import Agent
from heams.agents.extractive import ExtractiveAgentConfig
from heams.agents.factory import AgentConfig, create_agent
from heta_framework.common.config import load_yaml

FILES = (
    "extractive.yaml",
    "testing/extractive.yaml",
    "testing/scripted.yaml",
    "gpt4o_mini_tool_use.yaml",
    "gpt4o_mini_context.yaml",
    "testing/gpt4o_mini_tool_use.yaml",
)


@pytest.mark.parametrize("name", FILES)
def test_a_shipped_configuration_builds_its_agent(repository: Path, name: str) -> None:
    path = repository / "configs" / "agents" / name
    assert path.read_text(encoding="utf-8").startswith("# ")
    config = TypeAdapter(AgentConfig).validate_python(load_yaml(path).data)
    assert isinstance(create_agent(config), Agent)


def test_the_extractive_configuration_spells_out_the_defaults(repository: Path) -> None:
    data = load_yaml(repository / "configs" / "agents" / "extractive.yaml").data
    assert ExtractiveAgentConfig.model_validate(data) == ExtractiveAgentConfig()
    assert set(data) == set(ExtractiveAgentConfig.model_fields)
