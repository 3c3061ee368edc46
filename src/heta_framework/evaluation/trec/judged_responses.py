"""Responses that were judged a moment ago: all evaluators of a response share one ranking pass.

A response is known by its identity. What is kept refers to it weakly and is compared with the response that is asked
for, so that no later object at the address of a dead one is mistaken for it, and no response is kept alive. Two threads
that judge the same response at once do the same work twice, with the same outcome.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any
from weakref import ref

from heta_framework.evaluation.trec.documents import document_scores
from heta_framework.evaluation.trec.judging import judge
from heta_framework.evaluation.trec.labels import ignored_documents, labels_of
from heta_framework.evaluation.types.case import BenchmarkCase
from heta_framework.kb.search.types import QueryResponse

__all__ = ["JudgedResponse", "judged_response"]

_MOST = 256
"""More responses than that are not scored at the same time: queries in flight are fewer."""
_KNOWN: OrderedDict[int, tuple[Callable[[], QueryResponse | None], JudgedResponse]] = OrderedDict()
_ADDING = Lock()


class JudgedResponse:
    """A response, ranked, and judged by the labels of a case.

    Attributes:
        case: whose labels they are.
        ranking: where it holds relevant documents.
        retrieved: how many documents it found.
    """

    __slots__ = ("_details", "case", "ranking", "retrieved")

    def __init__(self, case: BenchmarkCase, response: QueryResponse) -> None:
        scores = document_scores(response.results)
        for document in ignored_documents(case):
            scores.pop(document, None)
        self.case = case
        self.ranking = judge(scores, labels_of(case))
        self.retrieved = len(scores)
        self._details: dict[int, Mapping[str, Any]] = {}

    def details(self, k: int) -> Mapping[str, Any]:
        """What is behind a score at `k`: how many documents are relevant, how many of the first `k` places are filled,
        and the relevant documents there, best first.
        """
        made = self._details.get(k)
        if made is None:
            made = self._details[k] = {
                "relevant_documents": len(self.ranking.ideal),
                "retrieved_documents": min(self.retrieved, k),
                "matched_documents": list(self.ranking.documents[: self.ranking.found(k)]),
            }
        return made


def judged_response(case: BenchmarkCase, response: QueryResponse) -> JudgedResponse:
    """The response, ranked and judged: once for all who ask while it is scored."""
    known = _KNOWN.get(id(response))
    if known is not None and known[0]() is response and known[1].case is case:
        return known[1]
    judged = JudgedResponse(case, response)
    with _ADDING:
        _KNOWN[id(response)] = (_reference(response), judged)
        while len(_KNOWN) > _MOST:
            _KNOWN.popitem(last=False)
    return judged


def _reference(response: QueryResponse) -> Callable[[], QueryResponse | None]:
    try:
        return ref(response)
    except TypeError:  # an engine's own class may have slots: it is then kept until others took its place
        return lambda: response
