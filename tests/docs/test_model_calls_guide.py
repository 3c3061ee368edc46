"""The guide "Model calls": its configuration is valid, and its Python runs against a server."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from heta_framework.common.models.settings import PROVIDERS, LanguageModelConfig
from heta_framework.common.models.usage import Usage

PAGE = (Path(__file__).parents[2] / "docs/guides/model_calls.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(language: str) -> list[str]:
    return [body for found, body in BLOCK.findall(PAGE) if found == language]


def test_the_configuration_is_valid_and_no_field_is_left_out() -> None:
    (block,) = _blocks("yaml")
    config = LanguageModelConfig(**yaml.safe_load(block))
    assert config.model_id == "openai:gpt-4o-mini"
    assert LanguageModelConfig(model="openai:llama3:8b").model_id == "openai:llama3:8b"
    assert [name for name in LanguageModelConfig.model_fields if f"`{name}`" not in PAGE] == []
    for name in ("timeout_s", "max_attempts", "max_concurrency"):
        assert f"`{name}` ({LanguageModelConfig.model_fields[name].default:g})" in PAGE


def test_every_provider_is_named_with_its_variable_and_every_count_explained() -> None:
    for provider, variable in PROVIDERS.items():
        assert f"| `{provider}` | `{variable}` |" in PAGE
    assert [name for name in Usage.model_fields if f"`{name}`" not in PAGE] == []


def test_the_python_runs(
    openai_server: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = openai_server(brain={"fixed": "The Elbe"})
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    for block in _blocks("python"):
        exec(compile(block, "model_calls.md", "exec"), scope)  # noqa: S102 - the page is ours
    assert scope["first"] == "The Elbe"
    assert capsys.readouterr().out.split("\n")[:3] == ["1 0 0", "0 1 0", "0 0 1"]
    assert len(server.log.entries) == 1
