"""A function as a language model."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from heta_framework.common.models import FunctionLanguageModel, LanguageModelProtocol, ModelRequest, ModelResult


class Sum(BaseModel):
    """A number."""

    total: int


def test_a_text_is_an_answer() -> None:
    model = FunctionLanguageModel(lambda request: (request.prompt or "").upper(), model_name="upper")
    assert isinstance(model, LanguageModelProtocol)
    result = asyncio.run(model.invoke(ModelRequest("hello", trace_context={"a": 1})))
    assert (result.text, result.model_name, result.trace_context) == ("HELLO", "upper", {"a": 1})
    assert [r.text for r in asyncio.run(model.invoke_many([ModelRequest("a"), ModelRequest("b")]))] == ["A", "B"]


@pytest.mark.parametrize(("text", "parsed"), [('{"total": 3}', Sum(total=3)), ("three", None)])
def test_schemas_are_read_as_those_of_other_models(text: str, parsed: Any) -> None:
    result = asyncio.run(FunctionLanguageModel(lambda _: text).invoke(ModelRequest("?", response_schema=Sum)))
    assert (result.text, result.parsed) == (text, parsed)


def test_a_whole_result_is_kept() -> None:
    given = ModelResult("text", parsed=7, model_name="other", finish_reason="length")
    result = asyncio.run(FunctionLanguageModel(lambda _: given).invoke(ModelRequest("?", response_schema=int)))
    assert (result.parsed, result.model_name, result.finish_reason) == (7, "other", "length")


def test_it_streams_in_one_piece() -> None:
    async def chunks() -> list[Any]:
        return [chunk async for chunk in FunctionLanguageModel(lambda _: "whole").stream(ModelRequest("?"))]

    assert [(chunk.text, chunk.finish_reason) for chunk in asyncio.run(chunks())] == [("whole", "stop")]
