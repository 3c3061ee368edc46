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


def test_every_entry_is_filed_under_its_name_and_says_what_is_not_allowed() -> None:
    assert {"locomo", "locomo_audit"} <= registry().keys()
    for name, entry in registry().items():
        assert entry.name == name
        assert entry.size == sum(file.size for file in entry.files)
    assert not registry()["locomo"].licence.commercial_use


def test_the_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        registry()["x"] = registry()["locomo"]  # type: ignore[index]


def test_an_unknown_name_gets_the_known_ones_and_the_nearest() -> None:
    with pytest.raises(
        UnknownDatasetError, match=r"'locomoo' is not registered; known: locomo, .*did you mean 'locomo'"
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
