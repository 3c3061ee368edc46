"""Query modes as they are written on the command line: with commas, or in several options."""

from collections.abc import Sequence


def mode_names(written: Sequence[str] | None) -> list[str]:
    """The names, in their order."""
    return [name.strip() for part in written or () for name in part.split(",")]
