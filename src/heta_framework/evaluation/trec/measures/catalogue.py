"""The measures by name: ``ndcg@10`` is a metric and the number of documents that it looks at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import NamedTuple

from heta_framework.evaluation.trec.judging import JudgedRanking
from heta_framework.evaluation.trec.measures.average_precision import average_precision
from heta_framework.evaluation.trec.measures.ndcg import ndcg, ndcg_exponential
from heta_framework.evaluation.trec.measures.precision import precision
from heta_framework.evaluation.trec.measures.recall import recall
from heta_framework.evaluation.trec.measures.reciprocal_rank import reciprocal_rank

DEFAULT_CUTOFFS = (1, 3, 5, 10, 100)

METRICS: Mapping[str, Callable[[JudgedRanking, int], float]] = MappingProxyType(
    {
        "ndcg": ndcg,
        "map": average_precision,
        "recall": recall,
        "precision": precision,
        "mrr": reciprocal_rank,
        "ndcg_exponential": ndcg_exponential,
    }
)
"""Each takes a judged ranking and a cut-off. What trec_eval calls them is in their modules."""

_NAME = re.compile(r"(?P<metric>[a-z_]+)@(?P<k>[1-9][0-9]{0,8})")
_LIKE_A_NAME = re.compile(r"(?P<metric>[A-Za-z_]+?)[@_.]?(?P<k>[1-9][0-9]{0,8})?(@.*)?")
_TREC_EVAL = {"p": "precision", "recip_rank": "mrr", "ndcg_cut": "ndcg", "map_cut": "map"}


class Measure(NamedTuple):
    """A metric at a cut-off, at least 1."""

    metric: str
    k: int

    @property
    def name(self) -> str:
        """``metric@k``."""
        return f"{self.metric}@{self.k}"

    @classmethod
    def parse(cls, name: str) -> Measure:
        """From ``metric@k``.

        Raises:
            ValueError: the name is no such one; the message has those that are, and the nearest.
        """
        match = _NAME.fullmatch(name)
        if match is not None and match["metric"] in METRICS:
            return cls(match["metric"], int(match["k"]))
        near = _nearest(name)
        hint = f"; did you mean {near}?" if near else ""
        raise ValueError(
            f"{name!r} is no measure: expected metric@k, such as ndcg@10, with one of the metrics "
            f"{', '.join(METRICS)} and k at least 1{hint}"
        )


def _nearest(name: str) -> str | None:
    match = _LIKE_A_NAME.fullmatch(name)
    if match is None:
        return None
    said = match["metric"].lower()
    near = [_TREC_EVAL[said]] if said in _TREC_EVAL else get_close_matches(said, METRICS, n=1)
    return f"{near[0]}@{match['k'] or 10}" if near else None


def default_measures(cutoffs: Iterable[int] = DEFAULT_CUTOFFS) -> tuple[Measure, ...]:
    """nDCG, MAP, recall, precision and MRR, each at every cut-off, in this order."""
    chosen = tuple(cutoffs)
    return tuple(Measure(metric, k) for metric in METRICS if metric != "ndcg_exponential" for k in chosen)
