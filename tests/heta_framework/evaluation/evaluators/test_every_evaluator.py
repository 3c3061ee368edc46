"""What all built-in evaluators have in common: the optional attributes, frozen values, and cases without a label."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring import answered, case, is_unlabelled, result, score

import heta_framework.evaluation as evaluation
from heta_framework.common.models.language.function import FunctionLanguageModel
from heta_framework.evaluation import BenchmarkEvidence, EvaluationScore, evaluators
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.kb import QueryCitation, QueryResponse

JUDGE = FunctionLanguageModel(lambda _: '{"reason": "so", "verdict": "correct"}')
WITHOUT_MODEL: tuple[Any, ...] = (
    evaluation.EvidenceRecallAtK(),
    evaluation.EvidenceRecallAtK(3, "all", 0.5),
    evaluation.AnswerContains(),
    evaluation.AnswerExactMatch(),
    evaluation.TokenF1(),
    evaluation.RougeL(),
    evaluation.NumericMatch(),
    evaluation.CitationPrecision(),
    evaluation.CitationRecall(),
    evaluation.Abstention(),
)
LABELLED: tuple[Any, ...] = (*WITHOUT_MODEL, evaluation.AnswerCorrectness(JUDGE))
ALL: tuple[Any, ...] = (*LABELLED, evaluation.Faithfulness(JUDGE))
RESPONSE = QueryResponse("m", (result(),), "An answer.", (QueryCitation("c", "chunk_1"),))
named = pytest.mark.parametrize("evaluator", ALL, ids=lambda one: type(one).__name__)


@named
def test_it_is_an_evaluator_with_all_optional_attributes(evaluator: Any) -> None:
    assert evaluator.required_top_k == getattr(evaluator, "k", 0)
    assert evaluator.counts_documents is False
    assert isinstance(evaluator.is_labelled(case()), bool)
    assert isinstance(evaluator, BenchmarkEvaluatorProtocol)


@named
def test_it_is_frozen_and_equal_to_a_copy(evaluator: Any) -> None:
    with pytest.raises((FrozenInstanceError, AttributeError)):
        evaluator.name = "other"
    assert replace(evaluator) == evaluator
    assert " at 0x" not in repr(evaluator)


@pytest.mark.parametrize("evaluator", LABELLED, ids=lambda one: type(one).__name__)
def test_a_case_without_labels_is_unlabelled(evaluator: Any) -> None:
    assert not evaluator.is_labelled(case())
    verdict = score(evaluator, case(), RESPONSE)
    assert verdict.name == evaluator.name
    assert verdict.passed is None
    assert not verdict.value
    is_unlabelled(verdict)


def test_what_a_labelled_case_gives_is_never_unlabelled() -> None:
    labels = case("42", evidence=[BenchmarkEvidence(reference_id="chunk_1")], labels={"answerable": False})
    for evaluator in LABELLED:
        assert evaluator.is_labelled(labels), evaluator
        assert not score(evaluator, labels, RESPONSE).is_unlabelled


ANY_TEXT = st.text(min_size=1).filter(str.strip)


@settings(max_examples=40)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_any_texts_get_a_finite_score_that_json_can_hold(answer: str, gold: str, found: str) -> None:
    labels = case(gold, evidence=[BenchmarkEvidence(text=gold), BenchmarkEvidence(reference_id=found)])
    response = QueryResponse("m", (result(found, found),), answer, (QueryCitation(found, found, text=found),))
    for evaluator in WITHOUT_MODEL:
        verdict = score(evaluator, labels, response)
        assert 0.0 <= float(verdict.value) <= 1.0
        json.dumps(verdict.to_dict(), allow_nan=False)


class MyEvaluator:
    name = "my_score"

    async def evaluate(self, *, case, response):  # type: ignore[no-untyped-def]
        return EvaluationScore(
            name=self.name,
            value=1.0,
        )


def test_an_evaluator_may_be_a_name_and_evaluate_alone() -> None:
    assert isinstance(MyEvaluator(), BenchmarkEvaluatorProtocol)
    assert answered(MyEvaluator(), None) == EvaluationScore("my_score", 1.0)


def test_every_name_is_there_and_imported_at_first_use() -> None:
    for name in evaluators.__all__:
        assert getattr(evaluators, name) is getattr(evaluation, name)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        evaluators.Nothing  # noqa: B018
    light = (
        "import sys, heta_framework.evaluation.evaluators as e; e.AnswerContains(), e.EvidenceRecallAtK(), e.TokenF1()"
    )
    heavy = "print([name for name in ('numpy', 'scipy', 'nltk', 'pydantic', 'httpx') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", f"{light}; {heavy}"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
