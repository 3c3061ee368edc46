"""Rewrite search: other wordings by a model or without one, and replies that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heta_framework.kb.search.lexical_variants import lexical_variants

pytestmark = pytest.mark.anyio
_QUESTION = "Who fills the harbour lamp?"


def _queries(*queries: Any) -> str:
    return json.dumps({"queries": queries})


async def test_every_wording_is_searched_for_and_the_results_are_fused(kit: Any) -> None:
    model, asked = kit.scripted(lambda request: _queries("lamp oil", "rye bread"))
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_rewrite_search", _QUESTION, top_k=2, trace=True)
    assert [result.id for result in response.results] == ["chunk_bread", "chunk_lamp"]
    assert [result.score for result in response.results] == pytest.approx([1 / 61 + 1 / 62, 1 / 61])
    assert response.metadata == {
        "base_mode": "heta_rerank_search",
        "variations": ("lamp oil", "rye bread"),
        "issues": (),
        "answer_generation": "disabled",
    }
    assert [event.stage for event in response.trace].count("heta_rerank_search") == 2
    assert [request.trace_context for request in asked] == [{"query_mode": "heta_rewrite_search"}]
    assert "lamp" in asked[0].prompt


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (_queries("a", "a", " ", "b", "c", "d"), ("a", "b", "c")),
        (_queries(1, None, " lamp ", ["b"]), ("lamp",)),
        ('Here you are:\n```json\n{"queries": ["lamp"]}\n```', ("lamp",)),
        ("{'queries': ['lamp',]}", ("lamp",)),
        ('For example {"queries": ["x"]}. My reply: {"queries": ["lamp"]}', ("lamp",)),
    ],
)
async def test_replies_are_read_however_they_are_spelled(kit: Any, reply: str, expected: tuple[str, ...]) -> None:
    model, _ = kit.scripted(lambda request: reply)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_rewrite_search", _QUESTION)
    assert response.metadata["variations"] == expected
    assert "fallback" not in response.metadata


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("", "rewrite_invalid_output"),
        ("   ", "rewrite_invalid_output"),
        ("I would rather not.", "rewrite_invalid_output"),
        ('{"queries": ["lam', "rewrite_invalid_output"),
        ('{"queries": "lamp"}', "rewrite_invalid_output"),
        ('{"queries": {"a": "lamp"}}', "rewrite_invalid_output"),
        ('["lamp"]', "rewrite_invalid_output"),
        ("null", "rewrite_invalid_output"),
        ('{"questions": ["lamp"]}', "rewrite_invalid_output"),
        (_queries(), "rewrite_empty_output"),
        (_queries(" ", 3), "rewrite_empty_output"),
        (RuntimeError("down"), "rewrite_failed"),
    ],
    ids=repr,
)
async def test_a_reply_without_wordings_leaves_the_question_as_it_is(kit: Any, reply: Any, code: str) -> None:
    model, _ = kit.scripted(lambda request: reply)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_rewrite_search", _QUESTION)
    base = await world.ask("heta_rerank_search", _QUESTION)
    assert [result.id for result in response.results] == [result.id for result in base.results]
    assert response.metadata["fallback"] is True
    assert response.metadata["variations"] == ()
    issues = [(issue["code"], issue["action"]) for issue in response.metadata["issues"]]
    assert issues == [(code, "used_base_search")]


async def test_it_answers_the_question_that_was_asked(kit: Any) -> None:
    def reply(request: Any) -> str:
        return "A keeper." if request.trace_context.get("stage") == "answer_generation" else _queries("lamp")

    model, asked = kit.scripted(reply)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_rewrite_search", _QUESTION, options={"generate_answer": True})
    assert response.answer == "A keeper."
    assert [request.trace_context.get("stage") for request in asked] == [None, "answer_generation"]
    assert _QUESTION in asked[1].prompt


async def test_without_a_model_the_questions_own_words_are_the_wordings(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    response = await world.ask("heta_rewrite_search", _QUESTION)
    assert response.metadata["variations"] == (_QUESTION, "fills harbour lamp")
    assert response.metadata["reasoning"] == "lexical"
    assert response.results[0].id == "chunk_lamp"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Ada Lovelace write?", ("What did Ada Lovelace write?", "Ada Lovelace write", "Ada Lovelace")),
        ("lamp", ("lamp",)),
        ("is it?", ("is it?",)),
        ("灯台", ("灯台",)),
    ],
)
def test_lexical_wordings_keep_the_question_and_differ(question: str, expected: tuple[str, ...]) -> None:
    assert lexical_variants(question) == expected
