"""The guide to parsing and splitting works as shown, and its tables name what there is."""

import re
from pathlib import Path

import pytest

from heta_framework.kb.parsing import DocumentParserRegistry

PAGE = Path(__file__).parents[2] / "docs/guides/parsing_and_splitting.md"


def test_its_block_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    [block] = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    [printed] = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(block, PAGE.name, "exec"), {})  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == printed


def test_its_table_names_every_type_that_is_taken() -> None:
    rows = re.findall(r"^\| ([a-z, ]+) \| `\w+Parser`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name for row in rows for name in row.split(", ")} == DocumentParserRegistry.defaults().supported_file_types
