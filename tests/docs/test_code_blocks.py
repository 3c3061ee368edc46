"""What the documentation shows works as shown: Python is executed, run files resolve, commands exist."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from heams.orchestration.resolve import resolve_run_file

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _blocks(page: Path, language: str) -> list[str]:
    return [body for found, body in BLOCK.findall(page.read_text(encoding="utf-8")) if found == language]


def test_the_python_guide_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("configs", "datasets"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    blocks = _blocks(ROOT / "docs/guides/python.md", "python")
    assert len(blocks) >= 2
    for block in blocks:
        exec(compile(block, "python.md", "exec"), scope)  # noqa: S102 - the page is ours
    assert "mini-1#0 completed" in capsys.readouterr().out


def test_the_run_files_of_the_guide_resolve(tmp_path: Path) -> None:
    for folder in ("configs", "datasets"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    blocks = _blocks(ROOT / "docs/guides/run_files.md", "yaml")
    assert len(blocks) >= 2
    for number, block in enumerate(blocks):
        run_file = tmp_path / f"configs/runs/block_{number}.yaml"
        run_file.write_text(block, encoding="utf-8")
        assert resolve_run_file(run_file).experiments


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_name_existing_subcommands_and_files(page: Path) -> None:
    known = {"run", "validate", "generate-report", "list", "init", "datasets", "cache", "calibrate-judge"}
    known |= {"browse", "compare", "evaluate", "export", "score-run", "--version", "--help"}
    for block in _blocks(page, "console"):
        for words in (shlex.split(line.removeprefix("$ "), comments=True) for line in block.splitlines()):
            starts = [at for at, word in enumerate(words[:-1]) if word == "heams" and words[at - 1] != "install"]
            assert all(words[at + 1] in known for at in starts), words
            for file in (word for word in words if word.startswith("configs/") and "first" not in word):
                assert (ROOT / file).is_file() or "example_smoke" in file, words


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", text):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "zensical.yml").read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs").rglob("*.md")):
        assert str(page.relative_to(ROOT / "docs")) in navigation, page
