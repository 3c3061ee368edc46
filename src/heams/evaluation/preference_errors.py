"""Four yes-or-no checks of a reply to somebody with a preference, and what they add up to (PrefEval).

Source: arXiv 2502.09597, section 3, and amazon-science/PrefEval at 50795054,
``generation_task/get_preference_following_accuracy_generation_task.py``. The combination is official. The official
reading of a judge's words is here too: it looks for "yes" and "no" inside of words ("eyes", "I know"), counts what is
neither as no violation and as helpful, and is only for numbers that are to be compared with published ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ACKNOWLEDGE, VIOLATE, HALLUCINATE, HELPFUL = CHECKS = ("acknowledge", "violate", "hallucinate", "helpful")


@dataclass(frozen=True, slots=True)
class Findings:
    """What the checks found: does the reply refer to a preference, act against it, restate another one; is it helpful.

    The other properties are the kinds of errors; a reply has at most one of them.
    """

    acknowledged: bool
    violates: bool
    restates_another: bool
    helpful: bool

    @property
    def hallucinated(self) -> bool:
        """A preference that is not the user's is restated; only who refers to one can restate it."""
        return self.acknowledged and self.restates_another

    @property
    def inconsistent(self) -> bool:
        """The right preference is restated, and acted against."""
        return self.helpful and self.violates and self.acknowledged and not self.hallucinated

    @property
    def hallucinated_violation(self) -> bool:
        """Another preference is restated, and the user's acted against."""
        return self.helpful and self.violates and self.hallucinated

    @property
    def unaware_violation(self) -> bool:
        """The preference is acted against, and none is spoken of."""
        return self.helpful and self.violates and not self.acknowledged

    @property
    def followed(self) -> bool:
        """None of the errors, and helpful."""
        return self.helpful and not self.violates


def official_findings(answers: Mapping[str, str]) -> Findings:
    """The findings as the official code reads a judge's answers, by the names of ``CHECKS``; a missing one is empty."""
    said = {check: answers.get(check, "").lower() for check in CHECKS}
    return Findings(
        acknowledged="yes" in said[ACKNOWLEDGE],
        violates="yes" in said[VIOLATE],
        restates_another="yes" in said[HALLUCINATE],
        helpful="no" not in said[HELPFUL],
    )
