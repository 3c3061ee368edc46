"""Copies of played experiments whose lines a test may rewrite, and pages as trees that can be asked for elements."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from selectolax.lexbor import LexborHTMLParser

if TYPE_CHECKING:
    from heams.browse.index import Library

Line = dict[str, Any]
Rewritten = Callable[..., Any]


@pytest.fixture
def page(browser: Any) -> Callable[[str], LexborHTMLParser]:
    """The tree of a page over the shared results, which has to be there."""
    return lambda path: tree(browser, path)


def tree(asker: Any, path: str, **options: Any) -> LexborHTMLParser:
    """The tree of a page that has to be there."""
    answer = asker.get(path, **options)
    assert answer.status_code == 200, answer.text[:2000]
    return LexborHTMLParser(answer.text)


@pytest.fixture
def rewritten(browse_results: Path, tmp_path: Path, browser_of: Callable[["Library"], Any]) -> Iterator[Rewritten]:
    """A client over a copy of one experiment, whose lines, by sample, ``edit`` changes; ``texts`` are recalled ones."""
    from heams.browse.index import Library

    with ExitStack() as libraries:

        def build(name: str, edit: Callable[[list[Line]], None], texts: dict[str, str] | None = None) -> Any:
            folder = tmp_path / name
            shutil.copytree(browse_results / name, folder)
            runs = folder / "runs.jsonl"
            lines = sorted(map(json.loads, runs.read_bytes().splitlines()), key=lambda line: str(line["sample_id"]))
            edit(lines)
            runs.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
            with (folder / "texts.jsonl").open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps({'id': key, 'text': text})}\n" for key, text in (texts or {}).items())
            return browser_of(libraries.enter_context(Library([tmp_path])))

        yield build
