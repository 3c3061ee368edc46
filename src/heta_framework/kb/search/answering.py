"""The answer of a query in words, where it is asked for and a language model is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heta_framework.kb.components import model_ref
from heta_framework.kb.search.citations import distinct
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.issues import QueryIssue, issue
from heta_framework.kb.search.model_calls import ask_for_text
from heta_framework.kb.search.options import GENERATE_ANSWER, flag
from heta_framework.kb.search.prompts import render
from heta_framework.kb.search.types import QueryRequest, QueryResult


@dataclass(frozen=True)
class Answer:
    """What came of the wish for an answer.

    Attributes:
        metadata: ``answer_generation``: ``disabled``, ``missing_language_model``, ``generated`` or ``empty``; and
            ``answer_model``.
    """

    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    issues: tuple[QueryIssue, ...] = ()


async def answer_from(
    results: Sequence[QueryResult],
    request: QueryRequest,
    context: QueryContext,
    *,
    mode: str,
    language_model: str | None = None,
    default: bool = False,
    stage: str = "answer_generation",
) -> Answer:
    """Answer the request's question from results; nothing that a model does or fails to do is an error.

    Args:
        language_model: the name of the model; None for the recipe's own.
        default: whether to answer where the option ``generate_answer`` is missing.
    """
    if not flag(request.options, GENERATE_ANSWER, default):
        return Answer(metadata={"answer_generation": "disabled"})
    model = context.find_component(model_ref("language", language_model))
    if model is None:
        return Answer(metadata={"answer_generation": "missing_language_model"})
    prompt = render("answer", {"question": request.text, "sources": [one.text for one in distinct(results)]})
    reply = await ask_for_text(model, prompt, {"query_mode": mode, "stage": stage})
    name = {"answer_model": model.model_name}
    if reply.problem:
        problem = issue("answer_not_generated", f"No answer: {reply.problem}.", "returned_results")
        return Answer(metadata={"answer_generation": "empty", **name}, issues=(problem,))
    return Answer(reply.text, {"answer_generation": "generated", **name})
