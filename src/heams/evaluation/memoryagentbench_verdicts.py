"""What MemoryAgentBench's metrics say of one reply: the fields of a record, with the reason for the value."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from heams.evaluation.memoryagentbench_sources import (
    ANSWER_PROXY,
    EXACT,
    F1,
    KEYPOINTS_PROXY,
    NEEDLES,
    NEWEST,
    RECOMMENDED,
    ROUGE,
    SUBSTRING,
)

OUTDATED: Final = "outdated_answers"
"""The marker with what earlier facts said that a later one has overruled."""
ABSTENTION: Final = "abstention"
"""The marker of a question that the context does not answer."""

Verdict = dict[str, Any]


def _exact(reply: str, golds: Sequence[str], _: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_rules import exact_match

    return _decided(exact_match(reply, golds), "is the answer", "is not the answer")


def _substring(reply: str, golds: Sequence[str], _: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_rules import any_given

    return _decided(any_given(reply, golds), "gives the answer", "does not give the answer")


def _newest(reply: str, golds: Sequence[str], markers: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_rules import any_given, is_newest

    outdated = [str(old) for old in markers.get(OUTDATED) or ()]
    wrong = "gives what a later fact has overruled" if any_given(reply, outdated) else "does not give the answer"
    return _decided(is_newest(reply, golds, outdated), "gives the newest fact alone", wrong)


def _f1(reply: str, golds: Sequence[str], _: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_rules import best_f1

    return measured(best_f1(reply, golds), "token F1")


def _rouge(reply: str, golds: Sequence[str], _: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_rules import best_rouge

    return measured(best_rouge(reply, golds), "ROUGE-L F1")


def _needles(reply: str, golds: Sequence[str], _: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_rules import share_given

    return measured(share_given(reply, golds), "share of the needles")


def _answer_proxy(reply: str, golds: Sequence[str], markers: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.nugget_rules import item_score
    from heta_framework.common.text.refusal import refuses

    if markers.get(ABSTENTION):
        return _decided(refuses(reply), "declined to answer", "answered a question that has no answer")
    return measured(max(item_score(reply, gold) for gold in golds), "said of the answer")


def _keypoints(reply: str, _: Sequence[str], markers: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.nugget import rubric_of
    from heams.evaluation.nugget_rules import item_score, rubric_mean

    scores = [item_score(reply, point) for point in rubric_of(markers)]
    if not scores:
        return unscored("the question has no key points")
    return measured(rubric_mean(scores), f"said of {len(scores)} key points")


def _recommended(k: int, reply: str, golds: Sequence[str], _: Mapping[str, Any]) -> Verdict:
    from heams.evaluation.memoryagentbench_recommendations import recall_of_liked

    return measured(recall_of_liked(reply, golds, k), f"of the liked films, among the first {k}")


def _decided(right: bool, yes: str, no: str) -> Verdict:
    return {"value": float(right), "passed": right, "reason": yes if right else no}


def measured(value: float, what: str) -> Verdict:
    """A value from 0 to 1."""
    return {"value": value, "reason": f"{what}: {value:.3f}"}


def unscored(reason: str) -> Verdict:
    """No verdict, and why."""
    return {"outcome": "unscored", "reason": reason}


def no_gold() -> Verdict:
    """No verdict, for want of a label."""
    return unscored("the step has no expected answer")


Measure = Callable[[str, Sequence[str], Mapping[str, Any]], Verdict]
"""From a reply, its golds (at least one) and the markers of its step to a verdict."""

MEASURES: Mapping[str, Measure] = {
    EXACT: _exact,
    SUBSTRING: _substring,
    NEWEST: _newest,
    F1: _f1,
    ROUGE: _rouge,
    NEEDLES: _needles,
    ANSWER_PROXY: _answer_proxy,
    KEYPOINTS_PROXY: _keypoints,
    **{metric: partial(_recommended, k) for k, metric in RECOMMENDED.items()},
}
