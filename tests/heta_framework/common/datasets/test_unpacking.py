"""Archives of others: what would leave the folder, fill the disk or is damaged is refused and leaves nothing behind."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from heta_framework.common.datasets import ArchiveError, UnpackLimits, unpacked


def _zip(path: Path, members: dict[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    archive = _zip(tmp_path / "a.zip", {"toy/corpus.jsonl": "x", "__MACOSX/toy/._c": "noise", "toy/.DS_Store": "noise"})
    folder = unpacked(archive, tmp_path / "out")
    assert _names(folder) == [".unpacked_from", "toy/corpus.jsonl"]
    (folder / "toy" / "corpus.jsonl").write_text("changed by hand")
    assert (unpacked(archive, folder) / "toy" / "corpus.jsonl").read_text() == "changed by hand"
    _zip(archive, {"toy/queries.jsonl": "another archive"})
    assert _names(unpacked(archive, folder)) == [".unpacked_from", "toy/queries.jsonl"]


@pytest.mark.parametrize("name", ["../out.txt", "/etc/x", "a/../../x", "C:/x", "a\\..\\x"])
def test_a_member_that_leads_out_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    archive = _zip(tmp_path / "a.zip", {"good.txt": "x"})
    with zipfile.ZipFile(archive, "a") as opened:
        info = zipfile.ZipInfo()
        info.filename = name
        opened.writestr(info, b"evil")
    before = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(ArchiveError, match="unsafe zip member path: "):
        unpacked(archive, tmp_path / "out")
    assert {path.name for path in tmp_path.iterdir()} - before <= {".out.lock"}


def test_a_link_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        info = zipfile.ZipInfo("link")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        opened.writestr(info, "/etc/passwd")
    with pytest.raises(ArchiveError, match="is a link"):
        unpacked(archive, tmp_path / "out")


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    archive = _zip(tmp_path / "a.zip", {"a": bytes(2_000_000)})
    with pytest.raises(ArchiveError, match=r"becomes 2000000 bytes when it is unpacked; at most \d+ bytes are allowed"):
        unpacked(archive, tmp_path / "out", UnpackLimits(small=1000))
    with pytest.raises(ArchiveError, match="holds 1 files; at most 0"):
        unpacked(archive, tmp_path / "out", UnpackLimits(members=0))
    assert unpacked(archive, tmp_path / "out", UnpackLimits(small=2_000_000)).is_dir()


def test_a_bomb_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    archive = _zip(tmp_path / "a.zip", {"a": bytes(2_000_000)})
    honest, lie = (2_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    archive.write_bytes(archive.read_bytes().replace(honest, lie))
    with pytest.raises(ArchiveError):
        unpacked(archive, tmp_path / "out", UnpackLimits(small=1000))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04 cut"])
def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"a\.zip cannot be unpacked"):
        unpacked(archive, tmp_path / "out")


def test_a_damaged_member_leaves_the_older_content(tmp_path: Path) -> None:
    archive = _zip(tmp_path / "a.zip", {"a": "good"})
    folder = unpacked(archive, tmp_path / "out")
    _zip(archive, {"a": "some content that is longer"})
    data = bytearray(archive.read_bytes())
    data[35] ^= 0xFF
    archive.write_bytes(data)
    with pytest.raises(ArchiveError):
        unpacked(archive, folder)
    assert (folder / "a").read_text() == "good"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a", "a"), ("a", "./a"), ("a", "a/b"), ("a/b", "a")])
def test_two_members_for_one_place_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for name in names:
            opened.writestr(name, name)
    with pytest.raises(ArchiveError, match="holds 'a' twice; nothing was unpacked"):
        unpacked(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()
