"""The guide to evaluators: its blocks run and print what it says, and it names every evaluator and setting."""

import asyncio
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from heta_framework.evaluation import BenchmarkCase, EvaluationScore, evaluators
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol
from heta_framework.kb import QueryResponse, QueryResult

GUIDE = (Path(__file__).parents[2] / "docs/guides/evaluators.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def scope(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What the blocks define, after they printed what the page says."""
    defined: dict[str, Any] = {"__name__": "guide"}
    for block in blocks("python"):
        exec(compile(block, "evaluators.md", "exec"), defined)  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == "".join(blocks("text"))
    return defined


def test_the_evaluators_of_ones_own_work(scope: dict[str, Any]) -> None:
    short, mentions = scope["ShortAnswer"](), scope["Mentions"]("harbour")
    assert isinstance(short, BenchmarkEvaluatorProtocol)
    assert isinstance(mentions, BenchmarkEvaluatorProtocol)
    response = QueryResponse("m", (QueryResult("r", "Oslo has one."),), "In Oslo.")

    def score(evaluator: Any, case: BenchmarkCase) -> EvaluationScore:
        return asyncio.run(evaluator.evaluate(case=case, response=response))  # type: ignore[no-any-return]

    assert score(short, BenchmarkCase("c", "q")) == EvaluationScore("short_answer", True, metadata={"words": 2})
    assert score(mentions, BenchmarkCase("c", "q")).is_unlabelled
    assert score(mentions, BenchmarkCase("c", "q", labels={"harbour": "Oslo"})).value is True


def test_a_benchmark_takes_them(scope: dict[str, Any]) -> None:
    given = scope["benchmark"]
    names = [one.name for one in given.evaluators()]
    assert names == ["evidence_recall@5", "answer_contains"]
    own = scope["WithShortAnswers"](given.manifest, given.documents_jsonl, given.cases_jsonl)
    assert [one.name for one in own.evaluators()] == [*names, "short_answer"]


def test_every_evaluator_and_its_own_settings_are_named() -> None:
    named = set(re.findall(r"\w+", GUIDE))
    common = {"k", "metric", "name", "score_name", "policy", "tie", "reminders", "gain", "judged_by", "policy_hash"}
    for name in set(evaluators.__all__) - {"BeirMetricName", "beir_default_metrics"}:
        assert name in named
        settings = {field.name for field in fields(getattr(evaluators, name)) if not field.name.startswith("_")}
        assert settings - common <= named, name
