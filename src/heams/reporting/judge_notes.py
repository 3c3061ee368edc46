"""What a reader must know of scores that language models gave: which judge, which policy, and how far to trust it.

The facts are those that the records themselves carry, in ``audit.judge``. A judge without a calibration is called
uncalibrated.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from heams.reporting.markdown import Markdown, escape
from heams.reporting.metrics import LLM_JUDGE

if TYPE_CHECKING:
    from heams.orchestration.results import RunResult
    from heams.reporting.digest import Digest

JUDGE = "judge"
UNCALIBRATED = "uncalibrated"
_LOOKED_AT = 200
"""Results that are looked at: every judged one names its judge, so more would only repeat it, but for metrics that no
record among these has."""
_HASH_LENGTH = 12
_RATES_OF_LEAKS = ("disclosure", "poisoning")
"""Policies whose value grows with what is wrong; of all others a higher one is better."""


def judge_notes(digests: Iterable["Digest"]) -> list[Markdown]:
    """A sentence for each judged metric and each judge that gave it, each once."""
    return [Markdown(f"*{escape(metric)}* {escape(said)}") for metric, said in _sentences(digests)]


def plain_judge_notes(digests: Iterable["Digest"]) -> list[str]:
    """The same for terminals."""
    return [f"{metric} {said}" for metric, said in _sentences(digests)]


def _sentences(digests: Iterable["Digest"]) -> list[tuple[str, str]]:
    """Each judged metric, and the rest of its sentence."""
    notes: dict[tuple[str, str], None] = {}
    for digest in digests:
        unscored = {summary.metric for summary in digest.metrics if summary.summary.n <= summary.zeroed}
        for metric, facts in _judges(digest):
            nothing = not facts and metric in unscored
            notes[metric, f"has no judged score in {digest.results.name}." if nothing else _said(facts)] = None
    return list(notes)


def _judges(digest: "Digest") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each judged metric, with what its records say about the judge: nothing where none got as far."""
    missing = {summary.metric for summary in digest.metrics if summary.evaluator == LLM_JUDGE}
    if not missing:
        return
    for number, result in enumerate(digest.results):
        if number >= _LOOKED_AT and not missing:
            return
        for metric, facts in _facts(result):
            missing.discard(metric)
            yield metric, facts
    yield from ((metric, {}) for metric in sorted(missing))


def _facts(result: "RunResult") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for record in result.records:
        facts = record.audit.get(JUDGE)
        if isinstance(facts, Mapping):
            yield record.metric, facts


def _said(facts: Mapping[str, Any]) -> str:
    models = ", ".join(_texts(facts.get("models"))) or "an unnamed model"
    votes = facts.get("votes_per_model")
    repeated = f", {votes} votes each" if isinstance(votes, int) and votes > 1 else ""
    policy, hashes = facts.get("policy", "unknown"), ", ".join(_hashes(facts.get("policy_hashes")))
    trust = facts.get("calibration") or UNCALIBRATED
    direction = " It is a rate of leaks: lower is better." if policy in _RATES_OF_LEAKS else ""
    return f"is judged by {models}{repeated} under the policy {policy} ({hashes}): {trust}.{direction}"


def _hashes(found: Any) -> list[str]:
    hashes = found.values() if isinstance(found, Mapping) else ()
    return [str(each)[:_HASH_LENGTH] for each in hashes] or ["no hash saved"]


def _texts(found: Any) -> list[str]:
    return [str(each) for each in found] if isinstance(found, list | tuple) else []
