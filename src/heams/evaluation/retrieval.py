"""How well a ranking finds the gold events: recall, reciprocal rank and nDCG at a cut-off.

A ranking is a sequence of recalled items, best first; each item carries the ids of the events it came from (none, one
or several: a chunk may span turns). `gold` holds the ids of the events that answer the question. Where every item
carries exactly one id of its own, the three measures equal trec_eval's ``recall_k``, ``recip_rank`` and ``ndcg_cut_k``
with binary labels, without re-sorting ties: the order given is the order judged. The nDCG is the one that documents
are judged by, `heta_framework.evaluation.trec`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from heta_framework.evaluation.trec.judging import JudgedRanking
from heta_framework.evaluation.trec.measures.ndcg import ndcg

Ranking = Sequence[Collection[str]]


def recall_at_k(ranked_event_ids: Ranking, gold: Collection[str], k: int) -> float:
    """Share of the distinct gold ids carried by the first `k` items, in [0, 1].

    Raises:
        ValueError: `gold` is empty (recall is undefined, the case has to be left out), or `k` is below 1.
    """
    wanted = _gold_set(gold)
    found = {event_id for item in _top(ranked_event_ids, k) for event_id in item if event_id in wanted}
    return len(found) / len(wanted)


def reciprocal_rank(ranked_event_ids: Ranking, gold: Collection[str], k: int | None = None) -> float:
    """1 / rank (from 1) of the first item that carries a gold id; 0 when none of the first `k` (default: of all) does.

    Its mean over questions is the MRR.

    Raises:
        ValueError: `gold` is empty, or `k` is below 1.
    """
    wanted = _gold_set(gold)
    items = ranked_event_ids if k is None else _top(ranked_event_ids, k)
    for rank, item in enumerate(items, start=1):
        if not wanted.isdisjoint(item):
            return 1 / rank
    return 0.0


def ndcg_at_k(ranked_event_ids: Ranking, gold: Collection[str], k: int) -> float:
    """Binary nDCG (Järvelin & Kekäläinen 2002; gain 1, discount log2(rank + 1)) of the first `k` items, in [0, 1].

    An item gains 1 when it carries a gold id that no earlier item carried, so repeating a find earns nothing. The ideal
    ranking opens with all such items, plus one item for every gold id that the whole ranking misses: a single item that
    holds all gold ids at rank 1 is ideal.

    Raises:
        ValueError: `gold` is empty, or `k` is below 1.
    """
    _check_cutoff(k)
    gaining_ranks, missing = _finds(ranked_event_ids, _gold_set(gold))
    found = [1] * len(gaining_ranks)
    return ndcg(JudgedRanking(gaining_ranks, found, found + [1] * len(missing)), k)


def _gold_set(gold: Collection[str]) -> frozenset[str]:
    if not gold:
        raise ValueError("gold is empty: a retrieval measure needs at least one relevant event id")
    return frozenset(gold)


def _top(ranking: Ranking, k: int) -> Ranking:
    _check_cutoff(k)
    return ranking[:k]


def _check_cutoff(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}; it must be at least 1")


def _finds(ranking: Ranking, gold: frozenset[str]) -> tuple[list[int], frozenset[str]]:
    """The ranks of the items that bring a gold id not seen before, and the gold ids that no item brings."""
    missing = gold
    ranks = []
    for rank, item in enumerate(ranking, start=1):
        if not missing.isdisjoint(item):
            ranks.append(rank)
            missing = missing.difference(item)
    return ranks, missing
