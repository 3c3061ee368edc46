"""What engines have in common that stand on one other mode and on nothing else."""

from __future__ import annotations

from heta_framework.kb.search.assets import SearchAssetRef


class OneBaseMode:
    """An engine that is available where its base mode is."""

    base_mode: str

    @property
    def required_assets(self) -> frozenset[SearchAssetRef]:
        """None of its own: the base mode knows what it needs."""
        return frozenset()

    @property
    def base_modes(self) -> tuple[str, ...]:
        """The base mode."""
        return (self.base_mode,)

    @property
    def fewest_base_modes(self) -> int:
        """It must be there."""
        return 1
