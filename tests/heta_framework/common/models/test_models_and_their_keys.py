"""Models as objects: pickled, copied and shown, none of them tells a key; a key that no header can carry is refused."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from heta_framework.common.models import (
    EmbeddingModel,
    EmbeddingRequest,
    LanguageModel,
    ModelRequest,
    ModelSetupError,
    RerankModel,
    RerankRequest,
    ToolCallingLanguageModel,
)

KEY = "sk-of-the-argument-0123456789"
KINDS: list[Callable[..., Any]] = [LanguageModel, ToolCallingLanguageModel, EmbeddingModel, RerankModel]


@pytest.mark.parametrize("kind", KINDS)
def test_a_pickle_holds_no_key(kind: Callable[..., Any], openai_server: Callable[..., Any]) -> None:
    import os

    server = openai_server(brain="echo")
    model = kind(model_name="openai/m", api_base=server.base_url, max_retries=1)
    assert os.environ["OPENAI_API_KEY"].encode() not in pickle.dumps(model)
    again = reloaded(model)
    assert type(again) is type(model)
    assert again.model_name == model.model_name


def reloaded(model: Any) -> Any:
    return pickle.loads(pickle.dumps(model))  # noqa: S301 - our own


def test_a_model_that_comes_from_a_pickle_works(openai_server: Callable[..., Any]) -> None:
    server = openai_server(brain="echo")
    language = reloaded(LanguageModel(model_name="openai/m", api_base=server.base_url, seed=3))
    embedding = reloaded(EmbeddingModel(model_name="openai/e", api_base=server.base_url))
    reranker = reloaded(RerankModel(model_name="r", api_base=server.base_url))
    assert anyio.run(language.invoke, ModelRequest("hello")).text == "hello"
    assert server.log.entries[-1].body["seed"] == 3
    assert len(anyio.run(embedding.embed, EmbeddingRequest(["a", "b"])).vectors) == 2
    assert len(anyio.run(reranker.rerank, RerankRequest("a", ["a", "b"])).rankings) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_was_given_its_key_is_not_pickled(kind: Callable[..., Any]) -> None:
    model = kind(model_name="openai/m", api_base="http://127.0.0.1:1/v1", api_key=KEY)
    with pytest.raises(TypeError, match="cannot be pickled") as refused:
        pickle.dumps(model)
    assert "set OPENAI_API_KEY instead" in str(refused.value)
    assert KEY not in f"{refused.value} {model!r} {vars(model)!r}"


@pytest.mark.parametrize("kind", KINDS)
def test_copies_are_the_model_itself(kind: Callable[..., Any]) -> None:
    model = kind(model_name="openai/m", api_base="http://127.0.0.1:1/v1", api_key=KEY)
    assert copy.copy(model) is model
    assert copy.deepcopy([model]) == [model]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", ["sk-one two", "sk-é", "sk-line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused(kind: Callable[..., Any], key: str) -> None:
    with pytest.raises(ModelSetupError, match="'api_key' holds spaces") as refused:
        kind(model_name="openai/m", api_base="http://127.0.0.1:1/v1", api_key=key)
    assert key not in str(refused.value)


def test_white_space_around_a_key_is_not_part_of_it(openai_server: Callable[..., Any]) -> None:
    server = openai_server(brain="echo", api_key=KEY)
    model = LanguageModel(model_name="openai/m", api_base=server.base_url, api_key=f" {KEY}\n", max_retries=0)
    assert anyio.run(model.invoke, ModelRequest("hello")).text == "hello"
