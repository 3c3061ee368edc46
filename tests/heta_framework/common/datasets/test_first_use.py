"""Files without a published sha256: the md5 decides at first, then the sha256 of what was downloaded first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from heta_framework.common.datasets import (
    DatasetEntry,
    DatasetFile,
    DownloadError,
    Licence,
    LicenceNotAccepted,
    fetch_entry,
    verify_entry,
)

_OPEN = Licence(name="CC0", url="https://example.invalid", terms="All.", commercial_use=True, needs_acceptance=False)
_FIRST, _SECOND = b"first content" * 1000, b"other content" * 1000

Serve = Callable[[bytes], str]


def _entry(url: str, md5: str | None = None) -> DatasetEntry:
    return DatasetEntry(
        name="sample",
        title="A sample",
        files=(DatasetFile(url=url, filename="data.zip", md5=md5),),
        licence=_OPEN,
        homepage="https://example.invalid",
        citation="None needed",
    )


def test_the_first_download_is_recorded_and_enforced(served: Serve, tmp_path: Path) -> None:
    entry = _entry(served(_FIRST))
    assert [state.state for state in verify_entry(entry, tmp_path)] == ["missing"]
    (path,) = fetch_entry(entry, cache_dir=tmp_path)
    record = path.with_name("data.zip.sha256")
    assert record.read_text() == f"{hashlib.sha256(_FIRST).hexdigest()}  data.zip\n"
    assert [state.state for state in verify_entry(entry, tmp_path)] == ["ok"]
    path.unlink()
    served(_SECOND)
    with pytest.raises(DownloadError, match=r"is not the file that was downloaded first .*data\.zip\.sha256; remove"):
        fetch_entry(entry, cache_dir=tmp_path)
    assert not path.exists()
    record.unlink()
    assert fetch_entry(entry, cache_dir=tmp_path)[0].read_bytes() == _SECOND


def test_a_changed_file_is_corrupt_and_fetched_again(served: Serve, tmp_path: Path) -> None:
    entry = _entry(served(_FIRST))
    (path,) = fetch_entry(entry, cache_dir=tmp_path)
    path.write_bytes(_SECOND)
    (state,) = verify_entry(entry, tmp_path)
    assert (state.state, state.expected) == ("corrupt", hashlib.sha256(_FIRST).hexdigest())
    assert fetch_entry(entry, cache_dir=tmp_path)[0].read_bytes() == _FIRST


def test_the_published_md5_decides_on_the_first_download(served: Serve, tmp_path: Path) -> None:
    published = hashlib.md5(_FIRST, usedforsecurity=False).hexdigest()
    entry = _entry(served(_SECOND), published)
    with pytest.raises(DownloadError, match=f"is not the registered file: .*md5:{published}"):
        fetch_entry(entry, cache_dir=tmp_path)
    served(_FIRST)
    (path,) = fetch_entry(entry, cache_dir=tmp_path)
    assert path.with_name("data.zip.sha256").exists()
    path.write_bytes(_SECOND)
    path.with_name("data.zip.sha256").unlink()
    (state,) = verify_entry(entry, tmp_path)
    assert (state.state, state.algorithm, state.expected) == ("corrupt", "md5", published)


def test_a_file_put_there_by_hand_is_taken_and_recorded(tmp_path: Path) -> None:
    entry = _entry("http://127.0.0.1:9/data.zip")
    path = tmp_path / "sample" / "data.zip"
    path.parent.mkdir()
    path.write_bytes(_FIRST)
    assert [state.state for state in verify_entry(entry, tmp_path)] == ["unchecked"]
    assert not path.with_name("data.zip.sha256").exists()
    assert fetch_entry(entry, cache_dir=tmp_path) == [path]
    assert [state.state for state in verify_entry(entry, tmp_path)] == ["ok"]


def test_without_a_network_it_says_where_to_put_the_file(tmp_path: Path) -> None:
    entry = _entry("http://127.0.0.1:9/data.zip")
    with pytest.raises(DownloadError, match=r"put http://127\.0\.0\.1:9/data\.zip there by hand as .*sample/data\.zip"):
        fetch_entry(entry, cache_dir=tmp_path, timeout=2)


def test_only_licences_that_ask_for_it_must_be_accepted(served: Serve, tmp_path: Path) -> None:
    asking = _OPEN.model_copy(update={"needs_acceptance": True, "commercial_use": None})
    entry = _entry(served(_FIRST)).model_copy(update={"licence": asking})
    with pytest.raises(LicenceNotAccepted, match="commercial use: not stated"):
        fetch_entry(entry, cache_dir=tmp_path)
    assert fetch_entry(entry, cache_dir=tmp_path, accept_licence=True)
