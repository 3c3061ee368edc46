"""The test of whether two experiments differ, chosen by what is independent of what.

Where every pair stands alone, verdicts of yes and no are tested by McNemar's exact test and other values by a
permutation test. Where pairs share a history, whole histories are the units, and their signs are flipped together.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heams.reporting.compare.pairs import Floats

LEVEL = 0.05
"""A difference is claimed where p is below this."""
MCNEMAR = "McNemar's exact test"


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A two-sided test. ``units`` is how many independent things it rests on, ``differing`` how many of them differ.

    ``if_independent`` is McNemar's p, as it would be if verdicts that share a history were independent: not to be used,
    only to be seen. None where it does not apply.
    """

    p: float
    method: str
    units: int
    differing: int
    if_independent: float | None = None

    @property
    def smallest_p(self) -> float:
        """The p of the clearest outcome that so few units can have: all of them on one side."""
        return _least(self.units)

    @property
    def can_tell(self) -> bool:
        """Whether any outcome could have shown a difference."""
        return self.smallest_p < LEVEL

    @property
    def differ_enough(self) -> bool:
        """Whether those that differ could have shown a difference, had all gone the same way."""
        return _least(self.differing) < LEVEL


def _least(units: int) -> float:
    return min(1.0, 2.0 ** (1 - units))


def paired_test(
    changes: "Floats", clusters: "Sequence[str]", discordant: tuple[int, int] | None, *, clustered: bool
) -> PairedTest:
    """Test ``changes``. ``discordant``: how many pairs only A and only B passed; None where values are no yes or no."""
    from heta_framework.common.statistics import mcnemar_exact, paired_permutation

    mcnemar = None if discordant is None else mcnemar_exact(*discordant)
    if mcnemar is not None and not clustered:
        return PairedTest(mcnemar, MCNEMAR, len(changes), int((changes != 0).sum()))
    found = paired_permutation(changes.tolist(), clusters if clustered else None)
    method = f"{found.method} of whole clusters" if clustered else found.method
    return PairedTest(found.p, method, found.units, found.differing, mcnemar)
