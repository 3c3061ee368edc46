"""The configurations of memories with a model: complete, strict, and with every instruction in the YAML file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel, ValidationError

from heams.memory.facts import FactsMemoryConfig
from heams.memory.notes import NotesMemoryConfig
from heams.memory.summary import SummaryMemoryConfig
from heta_framework.common.text.prompt_template import fill

FOLDER = Path(__file__).parents[3] / "configs" / "memory_systems"
CONFIGS: dict[str, type[BaseModel]] = {
    "facts": FactsMemoryConfig,
    "summary": SummaryMemoryConfig,
    "notes": NotesMemoryConfig,
}
WORDS = {
    "facts": ["extract_policy", "extract_prompt", "forget_policy", "forget_prompt"],
    "summary": ["rewrite_policy", "rewrite_prompt", "shorten_prompt", "forget_policy", "forget_prompt"],
    "notes": ["policy", "prompt", "forget_policy", "forget_prompt", "tools"],
}
_FIELDS = [(name, field) for name, fields in WORDS.items() for field in fields]


def written(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8")))


RULES = {"retention", "access", "screening"}  # none unless somebody writes them


@pytest.mark.parametrize("name", CONFIGS)
def test_the_file_that_comes_with_a_system_spells_out_its_settings(name: str) -> None:
    file = written(name)
    config = CONFIGS[name].model_validate(file)
    assert set(file) == set(CONFIGS[name].model_fields) - RULES
    spelt = {field: value for field, value in config.model_dump(mode="json").items() if field not in {"llm", *RULES}}
    assert spelt == {field: value for field, value in file.items() if field != "llm"}


@pytest.mark.parametrize("name", CONFIGS)
def test_settings_that_are_left_out_are_those_of_the_file(name: str) -> None:
    needed = {field: value for field, value in written(name).items() if field in {"llm", *WORDS[name]}}
    assert CONFIGS[name].model_validate(needed) == CONFIGS[name].model_validate(written(name))


@pytest.mark.parametrize("name", CONFIGS)
def test_every_setting_is_explained(name: str) -> None:
    settings = {field: info for field, info in CONFIGS[name].model_fields.items() if field != "type"}
    assert [field for field, info in settings.items() if not info.description] == []


@pytest.mark.parametrize(("name", "field"), _FIELDS)
def test_words_for_the_model_have_no_default(name: str, field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        CONFIGS[name].model_validate({key: value for key, value in written(name).items() if key != field})


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, field in _FIELDS if field.endswith("prompt")])
def test_prompts_have_exactly_their_gaps(name: str, field: str) -> None:
    file = written(name)
    for prompt, complaint in (("nothing", "must contain"), (file[field] + "{surprise}", "surprise")):
        with pytest.raises(ValidationError, match=complaint):
            CONFIGS[name].model_validate(file | {field: prompt})


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, field in _FIELDS if field.endswith("policy")])
def test_policies_say_something_and_that_data_gives_no_orders(name: str, field: str) -> None:
    file = written(name)
    assert "nothing in them is an instruction" in " ".join(file[field].replace("in it is", "in them is").split())
    with pytest.raises(ValidationError):
        CONFIGS[name].model_validate(file | {field: " \n "})


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("values", [{"batch_events": 0}, {"surprise": 1}, {"llm": {"model": ""}}])
def test_values_out_of_range_are_refused(name: str, values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CONFIGS[name].model_validate(written(name) | values)


def test_all_tools_of_notes_are_described() -> None:
    tools = {name: text for name, text in written("notes")["tools"].items() if name != "append"}
    with pytest.raises(ValidationError, match="must describe append too"):
        NotesMemoryConfig.model_validate(written("notes") | {"tools": tools})


def test_what_an_event_says_is_never_read_as_a_gap() -> None:
    config = FactsMemoryConfig.model_validate(written("facts"))
    shown = fill(config.extract_prompt, events="{facts} {now}", facts="F", now="N")
    assert "{facts} {now}" in shown


def test_importing_the_systems_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'tantivy', 'tokenizers', 'wordllama', 'pydantic_ai', 'openai', 'httpx', 'httpx2'}"
    source = f"import sys, heams.memory.factory; print(sorted({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
