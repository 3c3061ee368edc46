"""How many results evaluators look at, and so how many a query has to ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol


@dataclass(frozen=True)
class Needs:
    """What a run asks for.

    Attributes:
        asked: the caller's ``top_k``.
        results: how many results some evaluator looks at; 0 where none says so.
        documents: how many different documents some evaluator looks at.
        because: the names of the evaluators that look at more than was asked for, those that look at most.
    """

    asked: int
    results: int = 0
    documents: int = 0
    because: tuple[str, ...] = ()

    @property
    def used(self) -> int:
        """The ``top_k`` of the run."""
        return max(self.asked, self.results, self.documents)

    @classmethod
    def of(cls, top_k: int, evaluators: Sequence[BenchmarkEvaluatorProtocol]) -> Needs:
        """What these evaluators need.

        Raises:
            TypeError: the ``required_top_k`` of one is no whole number.
        """
        results = [(_required(one), one.name) for one in evaluators if not counts_documents(one)]
        documents = [(_required(one), one.name) for one in evaluators if counts_documents(one)]
        most = max((count for count, _ in (*results, *documents)), default=0)
        return cls(
            asked=top_k,
            results=max((count for count, _ in results), default=0),
            documents=max((count for count, _ in documents), default=0),
            because=tuple(name for count, name in (*results, *documents) if count == most > top_k),
        )

    def to_dict(self) -> dict[str, Any]:
        """What the report says of it."""
        return {
            "asked": self.asked,
            "used": self.used,
            "because": list(self.because),
            "counts": "documents" if self.documents else "results",
        }


def counts_documents(evaluator: BenchmarkEvaluatorProtocol) -> bool:
    """Whether an evaluator counts documents where a response holds chunks."""
    return bool(getattr(evaluator, "counts_documents", False))


def _required(evaluator: BenchmarkEvaluatorProtocol) -> int:
    required = getattr(evaluator, "required_top_k", None)
    if required is None:
        return 0
    try:
        return max(0, index(required))
    except TypeError:
        raise TypeError(
            f"required_top_k of the evaluator {evaluator.name!r} must be a whole number, "
            f"found {type(required).__name__}"
        ) from None
