"""The page about query modes: its Python runs, and its tables name every mode and every option of the combined ones."""

import re
import shutil
from pathlib import Path

import pytest

from heta_framework.kb.search import QueryEngineRegistry
from heta_framework.kb.search.options import BUILT_IN_OPTIONS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/guides/query_modes.md"


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "configs/recipes", tmp_path / "configs/recipes")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), scope)  # noqa: S102 - the page is ours
    said = capsys.readouterr().out
    assert "'heta_multihop_search'" in said
    assert "captain.txt" in said
    assert "hybrid_search Fused the results of" in said
    assert "['lamp-1974', 'lamp-1925']\n{'lamp-1890'}" in said
    assert re.search(r"^hybrid_search +first [0-3]/3  MRR [01]\.\d\d$", said, re.MULTILINE)


def test_the_page_lists_every_mode() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \| .+ \| .+ \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert QueryEngineRegistry.defaults().modes <= set(rows)


def test_the_page_lists_every_option_that_engines_read() -> None:
    folder = ROOT / "src/heta_framework/kb/search"
    ppr_options = ROOT / "src/heta_framework/kb/graphing/searching/ppr_options.py"
    files = (folder / "options.py", ppr_options, *sorted((folder / "engines").glob("*.py")))
    sources = [path.read_text("utf-8") for path in files]
    read = {name for text in sources for name in re.findall(r'options, "(\w+)"', text)}
    assert len(read) > 5
    assert read <= BUILT_IN_OPTIONS
    listed = PAGE.read_text("utf-8")
    assert {name for name in BUILT_IN_OPTIONS if f"`{name}`" not in listed} == set()
