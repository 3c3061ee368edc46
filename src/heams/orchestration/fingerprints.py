"""A set of strings that keeps only their hashes: 16 to 32 bytes for a string, where a set of numbers takes 80."""

from array import array

_FIRST_SIZE = 1024


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
        slot = self._slot(fingerprint)
        if self._table[slot]:
            return False
        self._table[slot] = fingerprint
        self._count += 1
        if 2 * self._count > len(self._table):
            self._grow()
        return True

    def _slot(self, fingerprint: int) -> int:
        table, mask = self._table, len(self._table) - 1
        slot = fingerprint & mask
        while table[slot] and table[slot] != fingerprint:
            slot = (slot + 1) & mask
        return slot

    def _grow(self) -> None:
        old, self._table = self._table, array("q", bytes(16 * len(self._table)))
        for fingerprint in old:
            if fingerprint:
                self._table[self._slot(fingerprint)] = fingerprint
