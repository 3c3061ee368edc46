"""The page about retrieval metrics: its Python runs and prints what it says, and its table names every metric."""

import re
from pathlib import Path

import pytest

from heta_framework.evaluation.trec.measures import METRICS

PAGE = Path(__file__).parents[2] / "docs/guides/retrieval_metrics.md"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_python_of_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    assert [language for language, _ in blocks] == ["python", "text", "python", "text", "python"]
    scope: dict[str, object] = {}
    for language, body in blocks:
        if language == "python":
            exec(compile(body, PAGE.name, "exec"), scope)  # noqa: S102 - the page is ours
        else:
            assert capsys.readouterr().out == body


def test_the_table_of_the_page_names_every_metric() -> None:
    assert set(re.findall(r"^\| `(\w+)@k` \|", PAGE.read_text("utf-8"), re.MULTILINE)) == set(METRICS)
