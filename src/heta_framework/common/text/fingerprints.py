"""A set of strings that keeps only their hashes: 16 to 32 bytes for each, where a set of numbers takes up to 140."""

from array import array

_FIRST_SIZE = 1_024


class FingerprintSet:
    """Open addressing over 64-bit hashes. Two strings are taken for the same with a chance of about n²/2⁶⁵."""

    def __init__(self) -> None:
        self._table = array("q", bytes(8 * _FIRST_SIZE))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, text: str) -> bool:
        """Take a string in; False when it was there already."""
        fingerprint = hash(text) or 1  # 0 marks a free slot
        table = self._table
        mask = len(table) - 1
        slot = fingerprint & mask
        while found := table[slot]:
            if found == fingerprint:
                return False
            slot = (slot + 1) & mask
        table[slot] = fingerprint
        self._count += 1
        if 2 * self._count > mask:
            self._grow()
        return True

    def _grow(self) -> None:
        old, self._table = self._table, array("q", bytes(16 * len(self._table)))
        mask = len(self._table) - 1
        for fingerprint in filter(None, old):
            slot = fingerprint & mask
            while self._table[slot]:
                slot = (slot + 1) & mask
            self._table[slot] = fingerprint
