"""Unused memory is given back where the C library can be asked, and nothing happens elsewhere."""

from __future__ import annotations

import ctypes

import pytest

from heta_framework.common.stores import returned_memory


def test_it_can_be_asked_for_at_any_time() -> None:
    blocks = [bytes(100_000) for _ in range(100)]
    del blocks
    assert returned_memory.return_unused_memory() in {True, False}


def test_a_c_library_without_it_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    returned_memory._trim.cache_clear()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert returned_memory.return_unused_memory() is False
    monkeypatch.undo()
    returned_memory._trim.cache_clear()
