"""What was seen of one score in one mode: numbers, failures and missing labels, each with its run unit."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.common.statistics import Draws, Interval


class Tally:
    """Numbers as they come, 12 bytes each."""

    def __init__(self) -> None:
        self._values = array("d")
        self._units = array("i")
        self._numbers = 0
        self._texts = 0
        self._failed: Counter[int] = Counter()
        self._unlabelled: Counter[int] = Counter()

    def copy(self) -> Tally:
        """An independent copy."""
        copy = Tally()
        copy._values, copy._units = self._values[:], self._units[:]
        copy._numbers, copy._texts = self._numbers, self._texts
        copy._failed, copy._unlabelled = self._failed.copy(), self._unlabelled.copy()
        return copy

    def count(self, value: float | None, unit: int) -> None:
        """A number; None: a text, which has no part in a mean."""
        if value is None:
            self._texts += 1
            return
        self._numbers += 1
        self._values.append(value)
        self._units.append(unit)

    def fail(self, units: Mapping[int, int]) -> None:
        """So many cases of each unit have failed, which counts 0."""
        self._failed.update(units)
        for unit, times in units.items():
            self._values.extend([0.0] * times)
            self._units.extend([unit] * times)

    def leave_out(self, units: Mapping[int, int]) -> None:
        """So many cases of each unit have no label."""
        self._unlabelled.update(units)

    @property
    def holds_texts_alone(self) -> bool:
        """Whether this score is no number, so that it has no mean."""
        return self._texts > 0 and self._numbers == 0

    @property
    def mean(self) -> float | None:
        """Of all that counts; None where nothing does."""
        return fsum(self._values) / len(self._values) if self._values else None

    def details(self, units: Iterable[str], draws: Draws) -> dict[str, Any]:
        """mean, n, failed, unlabelled, interval and, where there are several units, the same of each."""
        from heta_framework.common.statistics import summarise

        names = list(units)
        clusters = [names[unit] for unit in self._units] if len(names) > 1 else None
        summary = summarise(self._values.tolist(), clusters, draws)
        found: dict[str, Any] = {
            "mean": summary.mean,
            "n": summary.n,
            "failed": self._failed.total(),
            "unlabelled": self._unlabelled.total(),
            "interval": _interval(summary.interval),
        }
        return found | {"units": self._by_unit(names)} if len(names) > 1 else found

    def _by_unit(self, names: list[str]) -> dict[str, dict[str, Any]]:
        import numpy as np

        places = np.frombuffer(self._units, dtype=np.intc) if self._units else np.zeros(0, dtype=np.intc)
        values = np.frombuffer(self._values) if self._values else np.zeros(0)
        counts = np.bincount(places, minlength=len(names)).tolist()
        sums = np.bincount(places, weights=values, minlength=len(names)).tolist()
        return {
            name: {
                "mean": sums[unit] / counts[unit] if counts[unit] else None,
                "n": counts[unit],
                "failed": self._failed[unit],
                "unlabelled": self._unlabelled[unit],
            }
            for unit, name in enumerate(names)
            if counts[unit] or self._unlabelled[unit]
        }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else {"low": interval.low, "high": interval.high, "method": interval.method}
