"""The names that the two published presets give to artifacts, query modes and assets."""

from __future__ import annotations

from typing import Literal, TypeVar

Preset = Literal["default", "wiki"]

_T = TypeVar("_T")


def check_preset(preset: str) -> None:
    """Raise ValueError where it is none of the presets."""
    if preset not in ("default", "wiki"):
        raise ValueError("preset must be one of: default, wiki")


def by_preset(preset: str, given: _T | None, default: _T, wiki: _T) -> _T:
    """What was given, else what the preset says."""
    if given is not None:
        return given
    return wiki if preset == "wiki" else default
