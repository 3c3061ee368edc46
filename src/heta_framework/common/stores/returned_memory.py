"""Gives back to the system what the allocator of C keeps after a large piece of work in threads of its own.

glibc has an arena for each thread and keeps what was freed in it: after some ten large writes of a text index that is
more than the index itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache


def return_unused_memory() -> bool:
    """Whether anything was given back; False as well where the C library keeps nothing or cannot be asked."""
    trim = _trim()
    return trim is not None and bool(trim(0))


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # not glibc: musl, macOS, Windows
        return None
    return found
