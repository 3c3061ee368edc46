"""What a build leaves behind to be searched, and how an engine asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.stores.fields import required_text


@dataclass(frozen=True)
class SearchAsset:
    """Something searchable.

    Attributes:
        kind: what it is, e.g. ``chunk_vector_index``.
        name: its logical name, e.g. ``chunks``; a knowledge base keeps it under a name of its own.
        store: key of the store that holds it, e.g. ``stores.vector``; a bare name is that of a named store of the
            kind, None the recipe's own.
    """

    kind: str
    name: str
    store: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", required_text("kind", self.kind))
        object.__setattr__(self, "name", required_text("name", self.name))
        object.__setattr__(self, "metadata", dict(self.metadata))

    @property
    def key(self) -> str:
        """``kind:name``."""
        return f"{self.kind}:{self.name}"

    def to_dict(self) -> dict[str, Any]:
        """The fields."""
        return {"kind": self.kind, "name": self.name, "store": self.store, "metadata": dict(self.metadata)}


@dataclass(frozen=True)
class SearchAssetRef:
    """A wish for an asset of a kind, of any name unless one is given."""

    kind: str
    name: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", required_text("kind", self.kind))

    @property
    def key(self) -> str:
        """``kind`` or ``kind:name``."""
        return self.kind if self.name is None else f"{self.kind}:{self.name}"

    def matches(self, asset: SearchAsset) -> bool:
        """Whether the asset is what is wished for."""
        return asset.kind == self.kind and self.name in (None, asset.name)


class SearchAssetCollection:
    """The assets of a knowledge base."""

    def __init__(self, assets: Iterable[SearchAsset] = ()) -> None:
        """Hold the assets.

        Raises:
            ValueError: two of them have the same kind and name.
        """
        self._assets = tuple(assets)
        seen: set[str] = set()
        for asset in self._assets:
            if asset.key in seen:
                raise ValueError(f"search asset {asset.key} is given twice")
            seen.add(asset.key)

    @property
    def assets(self) -> tuple[SearchAsset, ...]:
        """All of them, in the order of the steps that made them."""
        return self._assets

    def find(self, ref: SearchAssetRef) -> tuple[SearchAsset, ...]:
        """All that match."""
        return tuple(asset for asset in self._assets if ref.matches(asset))

    def contains(self, ref: SearchAssetRef) -> bool:
        """Whether one matches."""
        return bool(self.find(ref))

    def require(self, ref: SearchAssetRef) -> SearchAsset:
        """The one that matches.

        Raises:
            LookupError: none does, or several do.
        """
        found = self.find(ref)
        if len(found) != 1:
            have = ", ".join(asset.key for asset in found or self._assets) or "none"
            raise LookupError(f"search asset {ref.key} is {'ambiguous' if found else 'missing'}; there are: {have}")
        return found[0]

    def missing(self, refs: Iterable[SearchAssetRef]) -> tuple[SearchAssetRef, ...]:
        """The wishes that nothing matches."""
        return tuple(ref for ref in refs if not self.contains(ref))

    def to_list(self) -> list[dict[str, Any]]:
        """All of them as dicts."""
        return [asset.to_dict() for asset in self._assets]
