"""The registry: what is pinned, what is said about it, where files go."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from heta_framework.common.datasets import (
    DatasetFile,
    LicenceNotAccepted,
    UnknownDatasetError,
    default_cache_dir,
    fetch,
    find_entry,
    registry,
    verify,
)
from heta_framework.common.datasets.entries import beir_entry


def test_every_entry_is_filed_under_its_name_and_says_what_is_not_allowed() -> None:
    assert {"locomo", "locomo_audit"} <= registry().keys()
    for name, entry in registry().items():
        assert entry.name == name
        assert entry.size is None or entry.size == sum(file.size or 0 for file in entry.files)
    assert not registry()["locomo"].licence.commercial_use


def test_the_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        registry()["x"] = registry()["locomo"]  # type: ignore[index]


def test_an_unknown_name_gets_the_known_ones_and_the_nearest() -> None:
    with pytest.raises(
        UnknownDatasetError, match=r"'locomoo' is not registered; known: .*, locomo, .*did you mean 'locomo'"
    ):
        find_entry("locomoo")


def test_verify_downloads_nothing(tmp_path: Path) -> None:
    (state,) = verify("locomo", tmp_path)
    assert (state.path, state.state, state.found) == (tmp_path / "locomo" / "locomo10.json", "missing", None)
    (tmp_path / "locomo").mkdir()
    state.path.write_text("[]")
    assert verify("locomo", tmp_path)[0].state == "corrupt"


def test_a_registered_dataset_asks_for_its_licence_first(tmp_path: Path) -> None:
    with pytest.raises(LicenceNotAccepted, match=r"CC BY-NC 4\.0.*\n.*\n  commercial use: not allowed"):
        fetch("locomo", cache_dir=tmp_path)


def test_the_cache_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEAMS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HEAMS_DATA_DIR", str(tmp_path / "data"))
    assert default_cache_dir() == tmp_path / "cache"
    monkeypatch.delenv("HEAMS_CACHE_DIR")
    assert default_cache_dir() == tmp_path / "data"
    monkeypatch.delenv("HEAMS_DATA_DIR")
    assert "heams" in default_cache_dir().parts


@pytest.mark.parametrize(
    "change",
    [
        {"filename": "../escape"},
        {"filename": "a\\b"},
        {"filename": ".."},
        {"sha256": "ABC"},
        {"md5": "0" * 64},
        {"size": 0},
        {"url": "ftp://example.invalid/x"},
        {"extra": 1},
    ],
)
def test_a_file_must_be_pinned_and_stay_in_its_folder(change: dict[str, object]) -> None:
    good: dict[str, object] = {"url": "https://example.invalid/x", "filename": "x", "sha256": "0" * 64, "size": 1}
    DatasetFile.model_validate(good)
    with pytest.raises(ValidationError):
        DatasetFile.model_validate(good | change)


def test_a_file_says_by_what_it_is_known() -> None:
    file = DatasetFile(url="https://example.invalid/x", filename="x")
    assert (file.pin, file.checksum) == ("first use", None)
    published = file.model_copy(update={"md5": "1" * 32})
    assert (published.pin, published.checksum) == ("md5", "md5:" + "1" * 32)
    known = published.model_copy(update={"sha256": "2" * 64})
    assert (known.pin, known.checksum) == ("sha256", "sha256:" + "2" * 64)


def test_open_licences_need_no_acceptance_and_unknown_ones_do() -> None:
    for entry in registry().values():
        licence = entry.licence
        assert licence.needs_acceptance or licence.commercial_use, entry.name
        if licence.name == "unknown":
            assert licence.needs_acceptance
            assert licence.commercial_words == "not stated"


def test_the_archives_of_beir_carry_the_md5_that_it_publishes() -> None:
    archives = [entry.files[0] for name, entry in registry().items() if name.startswith("beir_")]
    assert len(archives) == 15
    assert all(file.md5 and file.url.endswith(f"/{file.filename}") for file in archives)


def test_another_place_keeps_what_is_registered() -> None:
    mirrored = beir_entry("trec-covid", "http://127.0.0.1:1/mirror.zip")
    assert mirrored.name == "beir_trec_covid"
    assert mirrored.files[0].md5 == registry()["beir_trec_covid"].files[0].md5
    assert beir_entry("my-own", "http://127.0.0.1:1/own.zip").files[0].pin == "first use"
