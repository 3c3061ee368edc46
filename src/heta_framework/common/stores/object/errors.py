"""What can go wrong below an object store, in one sentence."""

from __future__ import annotations


class ObjectStoreError(OSError):
    """The store cannot do what was asked: no such bucket, no access, nobody answers, no room on the disk."""
