"""The identity of files and folders is their content."""

import hashlib
from pathlib import Path

import pytest

from heta_framework.common.config import file_fingerprint


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("content", [b"", b"abc\r\n\xff", b"x" * 3_000_000])
def test_a_file_is_its_bytes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert file_fingerprint(tmp_path / "file") == sha256(content)


def test_a_folder_is_its_sorted_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "z.txt").write_bytes(b"1")
    (tmp_path / "sub" / "empty").mkdir(parents=True)
    (tmp_path / "sub" / "ä.txt").write_bytes(b"2")
    lines = f"sub/ä.txt\0{sha256(b'2')}\nz.txt\0{sha256(b'1')}\n"
    assert file_fingerprint(tmp_path) == sha256(lines.encode())


def test_moving_a_folder_changes_nothing_but_renaming_a_file_does(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a").write_bytes(b"1")
    before = file_fingerprint(tmp_path / "one")
    moved = (tmp_path / "one").rename(tmp_path / "two")
    assert file_fingerprint(moved) == before
    (moved / "a").rename(moved / "b")
    assert file_fingerprint(moved) != before


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        file_fingerprint(tmp_path / "none")
