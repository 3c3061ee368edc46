"""The longest common subsequence of two lists of tokens, all columns of its table at once in the bits of one number.

Source: Hyyrö, "Bit-parallel LCS-length computation revisited", 2004.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


def longest_common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens of `one` occur in `other` in the same order, gaps allowed; symmetric."""
    places: dict[str, int] = defaultdict(int)
    for place, token in enumerate(one):
        places[token] |= 1 << place
    everything = (1 << len(one)) - 1
    missing = everything
    for token in other:
        matched = missing & places.get(token, 0)
        missing = (missing + matched | missing - matched) & everything
    return (everything ^ missing).bit_count()
