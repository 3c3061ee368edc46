"""What can go wrong below a vector store, told without the engine's own words first."""

from __future__ import annotations


class VectorStoreError(RuntimeError):
    """A store cannot be read or written: its files are damaged, another process writes, or a server is out of reach."""


class DamagedCollectionError(VectorStoreError):
    """The files of a collection are damaged; it can be dropped and filled again."""
