"""Means that tell the truth: a failed case counts 0, a case without a label does not count, and both are told."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from heta_framework.evaluation.records.case_reading import score_metadata
from heta_framework.evaluation.records.saved_cases import SavedCases
from heta_framework.evaluation.records.tally import Tally
from heta_framework.evaluation.types.case_result import EvaluationCaseResult

EVALUATOR_ERRORS = "evaluator_errors"
"""In a result's metadata: the evaluators that failed, by name."""
UNLABELLED_EVALUATORS = "unlabelled_evaluators"
"""In the metadata of a result whose query failed: names of the evaluators for which its case has no label."""


class _Seen(NamedTuple):
    """One score: its name, its number (None: a text) and whether its case has no label for it."""

    name: str
    number: float | None
    is_unlabelled: bool


class ScoreBook:
    """Takes results one by one, in any order, each case and mode once, and makes the means.

    A number counts. A failed query counts 0 under every evaluator that has a label for its case, a failed evaluator 0
    under its own score; which name that score has is seen in the other cases of the mode, else it is the evaluator's.
    Texts are not averaged.

    Args:
        evaluator_names: in the order in which the evaluators' scores are in a result.
    """

    def __init__(self, evaluator_names: Sequence[str] = ()) -> None:
        self._evaluators = tuple(evaluator_names)
        self._units: dict[str, int] = {}
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._names: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._failed: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        self._without_label: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)

    @classmethod
    def of_cases(cls, cases: SavedCases, evaluator_names: Sequence[str] = ()) -> ScoreBook:
        """The book of saved cases. Reads every line, without the texts; blocks."""
        book = cls(evaluator_names)
        for unit, row in cases.rows():
            rows = row.get("scores", ())
            scores = [
                _Seen(one["name"], _number(one["value"]), score_metadata(rows, one).get("skipped") is True)
                for one in rows
            ]
            book._take(row["query_mode"], unit, scores, "error" in row, row.get("metadata", {}))
        return book

    def add(self, result: EvaluationCaseResult, unit: str) -> None:
        """Take a result of a run unit into account."""
        scores = [_Seen(one.name, one.number, one.is_unlabelled) for one in result.scores]
        self._take(result.query_mode, unit, scores, result.error is not None, result.metadata)

    def summary(self) -> dict[str, float]:
        """``{mode}.{score}`` -> mean, sorted; without those for which no case has a label."""
        means = {key: tally.mean for key, tally in sorted(self._complete().items())}
        return {key: mean for key, mean in means.items() if mean is not None}

    def details(self) -> dict[str, dict[str, Any]]:
        """``{mode}.{score}`` -> mean, n, failed, unlabelled, 95 % interval and the same figures by unit, sorted.

        ``n`` counts the failed; ``mean`` is None where it is 0. The interval is resampled by run unit where there are
        several (`heta_framework.common.statistics.summarise`), None where it cannot be said.
        """
        from heta_framework.common.statistics import Draws

        draws = Draws()
        tallies = self._complete()
        return {key: tallies[key].details(self._units, draws) for key in sorted(tallies)}

    def _take(
        self, mode: str, unit_id: str, scores: Sequence[_Seen], failed: bool, metadata: Mapping[str, Any]
    ) -> None:
        unit = self._units.setdefault(unit_id, len(self._units))
        if failed:
            unlabelled = set(metadata.get(UNLABELLED_EVALUATORS, ()))
            for evaluator in set(self._evaluators):
                (self._without_label if evaluator in unlabelled else self._failed)[mode, evaluator][unit] += 1
            return
        errors = metadata.get(EVALUATOR_ERRORS) or {}
        for evaluator in set(errors):
            self._failed[mode, evaluator][unit] += 1
        for evaluator, score in self._by_evaluator(scores, errors):
            self._count(mode, unit, evaluator, score)

    def _count(self, mode: str, unit: int, evaluator: str, score: _Seen) -> None:
        self._names[mode, evaluator][score.name] = None
        tally = self._tallies.setdefault((mode, score.name), Tally())
        if score.is_unlabelled:
            tally.leave_out({unit: 1})
        else:
            tally.count(score.number, unit)

    def _by_evaluator(self, scores: Sequence[_Seen], errors: Mapping[str, Any]) -> Iterable[tuple[str, _Seen]]:
        """Whose each score is: those that did not fail have one each, in their order."""
        present = [name for name in self._evaluators if name not in errors]
        if len(present) == len(scores):
            return zip(present, scores, strict=True)
        return ((score.name, score) for score in scores)

    def _complete(self) -> dict[str, Tally]:
        """The tallies by key, with the failures and with the failed cases that have no label."""
        tallies = {key: tally.copy() for key, tally in self._tallies.items()}
        for found, take in ((self._without_label, Tally.leave_out), (self._failed, Tally.fail)):
            for (mode, evaluator), units in found.items():
                for name in self._names.get((mode, evaluator), (evaluator,)):
                    take(tallies.setdefault((mode, name), Tally()), units)
        return {
            f"{mode}.{name}": tallies[mode, name] for mode, name in tallies if not tallies[mode, name].holds_texts_alone
        }


def _number(value: float | bool | str) -> float | None:
    return None if isinstance(value, str) else float(value)
