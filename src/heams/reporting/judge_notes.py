"""What a reader must know of scores that language models gave: which judge, which policy, and how far to trust it.

The facts are those that the records themselves carry, in ``audit.judge``. A judge without a calibration is called
uncalibrated.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from heams.reporting.markdown import Markdown, escape, joined
from heams.reporting.saved import entries

if TYPE_CHECKING:
    from heams.orchestration.results import RunResult
    from heams.reporting.digest import Digest

JUDGE = "judge"
LLM_JUDGE = "llm_judge"
UNCALIBRATED = "uncalibrated"
_LOOKED_AT = 200
"""Results that are looked at: every judged one names its judge, so more would say nothing new."""
_HASH_LENGTH = 12


def judge_notes(digests: Iterable["Digest"]) -> list[Markdown]:
    """A sentence for each judged metric and each judge that gave it, each once."""
    notes: dict[Markdown, None] = {}
    for digest in digests:
        judged = entries(digest.results.config, "benchmark_config", "evaluators")
        if not any(evaluator.get("type") == LLM_JUDGE for evaluator in judged):
            continue
        for metric, facts in _judges(islice(digest.results, _LOOKED_AT)):
            notes[_note(metric, facts)] = None
    return list(notes)


def _judges(results: Iterable["RunResult"]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for result in results:
        for record in result.records:
            facts = record.audit.get(JUDGE)
            if isinstance(facts, Mapping):
                yield record.metric, facts


def _note(metric: str, facts: Mapping[str, Any]) -> Markdown:
    models = joined(_texts(facts.get("models"))) or Markdown("an unnamed model")
    votes = facts.get("votes_per_model")
    repeated = f", {votes} votes each" if isinstance(votes, int) and votes > 1 else ""
    policy, hashes = escape(str(facts.get("policy", "unknown"))), joined(_hashes(facts.get("policy_hashes")))
    trust = escape(str(facts.get("calibration") or UNCALIBRATED))
    return Markdown(
        f"*{escape(metric)}* is judged by {models}{repeated} under the policy {policy} ({hashes}): {trust}."
    )


def _hashes(found: Any) -> list[str]:
    hashes = found.values() if isinstance(found, Mapping) else ()
    return [str(each)[:_HASH_LENGTH] for each in hashes] or ["no hash saved"]


def _texts(found: Any) -> list[str]:
    return [str(each) for each in found] if isinstance(found, list | tuple) else []
