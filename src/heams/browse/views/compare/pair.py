"""One pair: what A and B answered to the same question, and what each recalled for it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heams.browse.comparing import Condensed
from heams.browse.index import Experiment
from heams.browse.pages.errors import Link, Problem
from heams.browse.queries.pair_texts import positions_of
from heams.browse.rendering import links
from heams.browse.rendering.word_diff import WordDiff, word_diff
from heams.browse.views.compare.asked import Asked
from heams.browse.views.compare.pair_list import Change, change_of, chosen_pairs, numbers_of, pair_address
from heams.browse.views.sample.recalled import RecalledView, recalled
from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import RunResult
from heams.reporting.compare import MetricKey, Pair, Pairs
from heams.reporting.verdicts import VERDICTS

_ALL = "SELECT count(*) FROM scenarios WHERE sample_id = $sample_id"
_VERDICT = """
    SELECT verdict FROM records
    WHERE position = $position AND coalesce(step_index, -1) = $step AND ordinal = $ordinal AND evaluator = $evaluator
      AND metric = $metric
"""


@dataclass(frozen=True, slots=True)
class PairSide:
    """One side. ``value`` is the mean of ``repeats``, of which the first is shown; ``recalled`` that of the step."""

    experiment: Experiment
    value: float
    verdict: str
    repeats: int
    record: EvaluationRecord
    answer: str | None
    recalled: RecalledView
    href: str


@dataclass(frozen=True, slots=True)
class PairView:
    """``diff`` has the words that only A (``first``) and only B (``second``) answered; None where one said nothing.

    ``place`` (from 1) is that in the list of ``total``, None where the list does not have the pair.
    """

    sample_id: str
    name: str
    step: int | None
    question: str | None
    a: PairSide
    b: PairSide
    delta: float
    change: Change
    diff: WordDiff | None
    place: int | None
    total: int
    previous: str | None
    next: str | None


def pair_view(a: Experiment, b: Experiment, found: Condensed, wanted: Asked) -> PairView:
    """The pair that an address asks for.

    Raises:
        Problem: there is no such pair.
    """
    with a.tables() as tables:
        positions = positions_of(tables, wanted.sample or "")
    pair = _pair(found, positions, wanted)
    sides = _side(a, found, pair, "a"), _side(b, found, pair, "b")
    left, right = (result for _, result in sides)
    answers = [side.answer for side, _ in sides]
    listed = chosen_pairs(found, wanted)
    place = _place(listed, pair)
    beside = _beside(a, listed, wanted)
    return PairView(
        sample_id=left.sample_id,
        name=left.sample_name or right.sample_name,
        step=pair.step_index,
        question=_question(left, pair.step_index),
        a=sides[0][0],
        b=sides[1][0],
        delta=pair.change,
        change=change_of(found, pair),
        diff=word_diff(answers[0], answers[1]) if answers[0] is not None and answers[1] is not None else None,
        place=None if place is None else place + 1,
        total=len(listed),
        previous=beside(place - 1) if place else None,
        next=beside(place + 1) if place is not None and place + 1 < len(listed) else None,
    )


def _pair(found: Condensed, positions: list[int], wanted: Asked) -> Pair:
    columns = found.pairs.columns
    step = -1 if wanted.step is None else wanted.step
    chosen = np.isin(columns["position_a"], positions) & (columns["ordinal"] == wanted.ordinal)
    exactly = chosen & (columns["step_index"] == step)
    places = np.flatnonzero(exactly if exactly.any() or wanted.step is not None else chosen)
    if not len(places):
        words = f"No pair of this comparison is sample “{(wanted.sample or '')[:200]}”"
        onward = [Link("All pairs", links.compare(wanted.a, wanted.b, metric=wanted.metric, allow=wanted.allow))]
        raise Problem(f"{words}{'' if wanted.step is None else f', step {wanted.step}'}.", onward)
    return numbers_of(found.pairs, int(places[0]))


def _side(experiment: Experiment, found: Condensed, pair: Pair, letter: str) -> tuple[PairSide, RunResult]:
    value, position = (pair.value_a, pair.position_a) if letter == "a" else (pair.value_b, pair.position_b)
    result, key = experiment.result(position), found.comparison.metric
    step = -1 if pair.step_index is None else pair.step_index
    asked = {"position": position, "step": step, "ordinal": pair.ordinal, **key._asdict()}
    with experiment.tables() as tables:
        repeats = tables.row(_ALL, {"sample_id": result.sample_id})[0]
        verdict = tables.row(_VERDICT, asked)[0]
    record = _record(result, key, pair)
    at = next((one for one in result.transcript if one.index == pair.step_index), None)
    reply = at.reply if at is not None else None
    side = PairSide(
        experiment=experiment,
        value=value,
        verdict=verdict if verdict in VERDICTS else "unscored",
        repeats=repeats,
        record=record,
        answer=reply if reply is not None else record.observed,
        recalled=recalled(experiment, result, pair.step_index, 1),
        href=links.sample(experiment.key, result.sample_id, result.repeat, pair.step_index, metric=str(key)),
    )
    return side, result


def _record(result: RunResult, key: MetricKey, pair: Pair) -> EvaluationRecord:
    alike = [one for one in result.records if (one.evaluator, one.metric) == key and one.step_index == pair.step_index]
    return alike[pair.ordinal - 1]


def _question(result: RunResult, step: int | None) -> str | None:
    at = next((one for one in result.transcript if one.index == step), None)
    content = at.action.get("content") if at is not None else None
    return content if isinstance(content, str) else None


def _place(listed: Pairs, pair: Pair) -> int | None:
    columns = listed.columns
    step = -1 if pair.step_index is None else pair.step_index
    same = (columns["position_a"] == pair.position_a) & (columns["step_index"] == step)
    places = np.flatnonzero(same & (columns["ordinal"] == pair.ordinal))
    return int(places[0]) if len(places) else None


def _beside(a: Experiment, listed: Pairs, wanted: Asked) -> Callable[[int], str]:
    def address(place: int) -> str:
        pair = numbers_of(listed, place)
        with a.tables() as tables:
            (sample_id,) = tables.row(
                "SELECT sample_id FROM scenarios WHERE position = $position", {"position": pair.position_a}
            )
        return pair_address(wanted, sample_id, pair.step_index, pair.ordinal)

    return address
