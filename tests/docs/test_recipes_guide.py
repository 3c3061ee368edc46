"""The pages about recipes and about knowledge bases as memories: what they show works as shown."""

import re
import shutil
from pathlib import Path

import pytest

from heams.orchestration.configured import configured
from heta_framework.common.config import parse_yaml
from heta_framework.kb.recipe_file import read_recipe
from heta_framework.kb.recipe_file.step_catalogue import STEP_TYPES
from heta_framework.kb.recipe_file.store_settings import StoresSettings

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs/guides/recipes.md"
MEMORY = ROOT / "docs/guides/knowledge_base_memory.md"


def _blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "blocks", "said"), [(RECIPES, 2, "hybrid_search"), (MEMORY, 1, "e1 The heron nests")])
def test_the_python_of_a_page_runs(
    page: Path,
    blocks: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    shutil.copytree(ROOT / "docs/guides", tmp_path / "docs/guides")
    monkeypatch.chdir(tmp_path)
    found = _blocks(page, "python")
    assert len(found) == blocks
    scope: dict[str, object] = {}
    for block in found:
        exec(compile(block, page.name, "exec"), scope)  # noqa: S102 - the page is ours
    assert said in capsys.readouterr().out


def test_the_recipe_that_is_shown_is_valid() -> None:
    (recipe,) = _blocks(RECIPES, "yaml")
    assert read_recipe(parse_yaml(recipe)).name == "manuals"


def test_the_memory_that_is_shown_is_the_one_that_comes_with_it() -> None:
    (shown,) = _blocks(MEMORY, "yaml")
    file = (ROOT / "configs/memory_systems/knowledge_base.yaml").read_text("utf-8")
    components = [
        configured(parse_yaml(text), "memory_system", label="shown", source="inline", root=ROOT)
        for text in (shown, file)
    ]
    assert components[0].config == components[1].config


def test_every_step_and_every_kind_of_store_is_in_the_reference() -> None:
    page = RECIPES.read_text("utf-8")
    schema = StoresSettings.model_json_schema()
    kinds = re.findall(r"'(?:const|enum)': (\[[^]]*\]|'[^']*')", str(schema))
    types = {kind for text in kinds for kind in re.findall(r"'(\w+)'", text)}
    assert {"memory", "pgvector", "opensearch"} <= types
    assert [name for name in (*STEP_TYPES, *types) if f"`{name}`" not in page] == []
