"""Evaluators: how responses are scored. Each is one file, imported at its first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.evaluation.evaluators.abstention import Abstention
    from heta_framework.evaluation.evaluators.answer_contains import AnswerContains
    from heta_framework.evaluation.evaluators.answer_correctness import AnswerCorrectness
    from heta_framework.evaluation.evaluators.answer_exact_match import AnswerExactMatch
    from heta_framework.evaluation.evaluators.beir_retrieval import (
        BeirMetricName,
        BeirRetrievalMetric,
        beir_default_metrics,
    )
    from heta_framework.evaluation.evaluators.citation_precision import CitationPrecision
    from heta_framework.evaluation.evaluators.citation_recall import CitationRecall
    from heta_framework.evaluation.evaluators.evidence_recall import EvidenceRecallAtK
    from heta_framework.evaluation.evaluators.faithfulness import Faithfulness
    from heta_framework.evaluation.evaluators.numeric_match import NumericMatch
    from heta_framework.evaluation.evaluators.rouge_l import RougeL
    from heta_framework.evaluation.evaluators.token_f1 import TokenF1

__all__ = [
    "Abstention",
    "AnswerContains",
    "AnswerCorrectness",
    "AnswerExactMatch",
    "BeirMetricName",
    "BeirRetrievalMetric",
    "CitationPrecision",
    "CitationRecall",
    "EvidenceRecallAtK",
    "Faithfulness",
    "NumericMatch",
    "RougeL",
    "TokenF1",
    "beir_default_metrics",
]

_HOMES = {
    "abstention": ("Abstention",),
    "answer_contains": ("AnswerContains",),
    "answer_correctness": ("AnswerCorrectness",),
    "answer_exact_match": ("AnswerExactMatch",),
    "beir_retrieval": ("BeirMetricName", "BeirRetrievalMetric", "beir_default_metrics"),
    "citation_precision": ("CitationPrecision",),
    "citation_recall": ("CitationRecall",),
    "evidence_recall": ("EvidenceRecallAtK",),
    "faithfulness": ("Faithfulness",),
    "numeric_match": ("NumericMatch",),
    "rouge_l": ("RougeL",),
    "token_f1": ("TokenF1",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
