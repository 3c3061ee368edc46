"""What a label says: an attribute belongs into a message (share), must stay out of it (private), or neither is agreed.

Three sources, one meaning: label files of ours, the rows of the published data set, and the ``labels_combined`` that
the official script writes into the profiles.
"""

from collections.abc import Mapping
from typing import Final, Literal

Label = Literal["share", "private", "other"]
SHARE: Final = "share"
PRIVATE: Final = "private"
OTHER: Final = "other"

_AGREED = 1.0
_SHARES: Mapping[str, Label] = {"necessary": SHARE, "private": PRIVATE}


def combined_label(shares: Mapping[str, float]) -> Label:
    """The label of ``{"necessary": .., "private": .., "unlabeled": ..}``: only where all personas agree.

    The largest share counts, the first of equals.

    Raises:
        ValueError: there are no shares.
    """
    kind = max(shares, key=lambda name: shares[name])
    return _SHARES.get(kind, OTHER) if shares[kind] >= _AGREED else OTHER


def row_label(value: float | None) -> Label:
    """The label of a published row: 1 share, 0 private, anything else not agreed."""
    if value == _AGREED:
        return SHARE
    return PRIVATE if value == 0 else OTHER
