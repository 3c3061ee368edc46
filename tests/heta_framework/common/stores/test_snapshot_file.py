"""The one-file snapshot: whole or refused, never half."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.stores.snapshot import SnapshotError, read_snapshot, write_snapshot


def test_what_was_written_is_read_and_no_temporary_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state.snapshot"
    write_snapshot(path, {"kind": "sample", "n": 2}, [b"one\n", b"two"])
    assert read_snapshot(path, "sample") == ({"kind": "sample", "n": 2}, b"one\ntwo")
    assert list(path.parent.iterdir()) == [path]


def test_a_failing_write_leaves_the_older_state(tmp_path: Path) -> None:
    path = tmp_path / "state.snapshot"
    write_snapshot(path, {"kind": "sample"}, [b"old"])

    def failing() -> Iterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_snapshot(path, {"kind": "sample"}, failing())
    assert read_snapshot(path, "sample")[1] == b"old"
    assert list(tmp_path.iterdir()) == [path]


@given(cut=st.integers(min_value=0))
def test_a_cut_file_is_refused(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "state.snapshot"
    write_snapshot(path, {"kind": "sample"}, [b"payload"])
    content = path.read_bytes()
    path.write_bytes(content[: cut % len(content)])
    with pytest.raises(SnapshotError, match="cut or altered"):
        read_snapshot(path, "sample")


def test_one_flipped_bit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "state.snapshot"
    write_snapshot(path, {"kind": "sample"}, [b"payload"])
    content = bytearray(path.read_bytes())
    content[20] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(SnapshotError, match="cut or altered"):
        read_snapshot(path, "sample")


def test_a_missing_file_and_another_kind_are_named(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="no saved state"):
        read_snapshot(tmp_path / "absent", "sample")
    write_snapshot(tmp_path / "other", {"kind": "other"}, [])
    with pytest.raises(SnapshotError, match="kind 'other', expected 'sample'"):
        read_snapshot(tmp_path / "other", "sample")
