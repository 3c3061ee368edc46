"""What a killed process leaves behind is cut off, and texts are stored once, over several processes."""

from pathlib import Path

import pytest
from pydantic_core import from_json

from heta_framework.common.durable_lines import TextBook, cut_torn_line, known_ids, text_book, torn_bytes


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b"", b""),
        (b"a\nb\n", b"a\nb\n"),
        (b"a\nb", b"a\n"),
        (b"torn", b""),
        (b"a\n" + b"x" * 200_000, b"a\n"),
        (b"x" * 70_000 + b"\n" + b"y" * 65_536, b"x" * 70_000 + b"\n"),
    ],
)
def test_a_last_line_without_its_end_is_cut_off(tmp_path: Path, content: bytes, kept: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(content)
    torn = torn_bytes(path)
    assert cut_torn_line(path) == torn == len(content) - len(kept)
    assert path.read_bytes() == kept


def test_a_file_that_is_not_there_is_not_torn(tmp_path: Path) -> None:
    assert cut_torn_line(tmp_path / "none") == 0


def test_a_text_is_put_once_over_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_book, "_CACHE_CHARACTERS", 5)  # forgets all the time
    path = tmp_path / "texts"
    lines: list[bytes] = []
    book = TextBook(lines.append)
    ids = [book.id_of(text) for text in ("one", "two", "one", "three", "two")]
    path.write_bytes(b"\n".join([*lines, b"no json", b'{"id": "zz"}', b""]))
    assert [from_json(line) for line in lines] == [
        {"id": ids[0], "text": "one"},
        {"id": ids[1], "text": "two"},
        {"id": ids[3], "text": "three"},
    ]
    later: list[bytes] = []
    again = TextBook(later.append, known_ids(path))
    assert [again.id_of(text) for text in ("one", "two", "four")][:2] == ids[:2]
    assert [from_json(line)["text"] for line in later] == ["four"]
    assert known_ids(tmp_path / "none") == set()
