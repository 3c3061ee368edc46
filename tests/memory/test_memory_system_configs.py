"""The configurations of the in-process memory systems and the YAML files that come with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, ValidationError

from heams.memory.full_context import FullContextConfig
from heams.memory.hybrid import HybridMemoryConfig
from heams.memory.lexical import LexicalMemoryConfig
from heams.memory.no_memory import NoMemoryConfig
from heams.memory.oracle import OracleConfig
from heams.memory.vector import VectorMemoryConfig

FOLDER = Path(__file__).parents[2] / "configs" / "memory_systems"
CONFIGS: list[type[BaseModel]] = [
    NoMemoryConfig,
    FullContextConfig,
    OracleConfig,
    LexicalMemoryConfig,
    VectorMemoryConfig,
    HybridMemoryConfig,
]


def _type(config: type[BaseModel]) -> str:
    return str(config.model_fields["type"].default)


@pytest.mark.parametrize("config", CONFIGS, ids=_type)
def test_the_file_that_comes_with_a_system_spells_out_its_defaults(config: type[BaseModel]) -> None:
    written = yaml.safe_load((FOLDER / f"{_type(config)}.yaml").read_text("utf-8"))
    assert written == config().model_dump(mode="json", exclude_none=True)


def test_the_testing_folder_has_no_memory() -> None:
    written = yaml.safe_load((FOLDER / "testing" / "no_memory.yaml").read_text("utf-8"))
    assert NoMemoryConfig.model_validate(written) == NoMemoryConfig()


@pytest.mark.parametrize("config", CONFIGS, ids=_type)
def test_configurations_are_strict_and_frozen(config: type[BaseModel]) -> None:
    with pytest.raises(ValidationError, match="extra_forbidden"):
        config.model_validate({"type": _type(config), "surprise": 1})
    with pytest.raises(ValidationError, match="frozen"):
        setattr(config(), "type", "other")  # noqa: B010 - a plain assignment would not pass a type checker


@pytest.mark.parametrize("config", CONFIGS, ids=_type)
def test_every_setting_is_explained(config: type[BaseModel]) -> None:
    settings = {name: field for name, field in config.model_fields.items() if name != "type"}
    assert [name for name, field in settings.items() if not field.description] == []


@pytest.mark.parametrize(
    ("config", "values"),
    [
        (LexicalMemoryConfig, {"stemmer": "german"}),
        (VectorMemoryConfig, {"model": "unknown"}),
        (HybridMemoryConfig, {"rrf_k": -1}),
        (HybridMemoryConfig, {"rrf_k": float("inf")}),
        (HybridMemoryConfig, {"candidates": 0}),
        (HybridMemoryConfig, {"weights": {"lexical": -1}}),
        (HybridMemoryConfig, {"weights": {"lexical": float("nan")}}),
        (HybridMemoryConfig, {"weights": {"lexical": 0, "vector": 0}}),
        (HybridMemoryConfig, {"weights": {"graph": 1}}),
    ],
)
def test_values_out_of_range_are_refused(config: type[BaseModel], values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        config.model_validate(values)


def test_importing_the_systems_loads_nothing_heavy() -> None:
    modules = ", ".join(f"heams.memory.{_type(config)}" for config in CONFIGS)
    heavy = "{'numpy', 'tantivy', 'tokenizers', 'safetensors', 'wordllama'}"
    source = f"import sys, {modules}; print(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
