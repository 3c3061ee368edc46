"""The datasets that can be downloaded, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.datasets.entries import ENTRIES
from heta_framework.common.datasets.entry import DatasetEntry
from heta_framework.common.datasets.errors import UnknownDatasetError

_REGISTRY = MappingProxyType({entry.name: entry for entry in ENTRIES})


def registry() -> Mapping[str, DatasetEntry]:
    """All downloadable datasets by name."""
    return _REGISTRY


def find_entry(name: str) -> DatasetEntry:
    """Return the dataset called `name`.

    Raises:
        UnknownDatasetError: there is none; the message lists the known names.
    """
    if name in _REGISTRY:
        return _REGISTRY[name]
    hint = did_you_mean(name, _REGISTRY)
    known = ", ".join(sorted(_REGISTRY))
    raise UnknownDatasetError(f"dataset {name!r} is not registered; known: {known}" + (f"; {hint}" if hint else ""))
