"""A refused key: the message names the variable that it came from, and never the key."""

from collections.abc import Callable

import anyio
import pytest
from model_server import LocalServer

from heta_framework.common.models import LanguageModelConfig, ModelRequest, open_language_model
from heta_framework.common.models.errors import ModelError
from heta_framework.common.models.language.model import LanguageModel


def test_the_variable_is_named(openai_server: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch) -> None:
    openai_server(api_key="another-key")
    monkeypatch.setenv("OTHER_KEY", "mistaken-key")
    model = open_language_model(LanguageModelConfig(model="openai:any", api_key_env="OTHER_KEY"), role="agent")
    with pytest.raises(ModelError, match=r"HTTP 401: .*\[key from OTHER_KEY\]") as raised:
        anyio.run(model.invoke, ModelRequest("?"))
    assert "mistaken-key" not in str(raised.value)


def test_a_key_that_was_handed_over_came_from_no_variable(openai_server: Callable[..., LocalServer]) -> None:
    openai_server(api_key="another-key")
    model = LanguageModel(model_name="openai/any", api_key="mistaken-key")
    with pytest.raises(ModelError, match=r"HTTP 401: ") as raised:
        anyio.run(model.invoke, ModelRequest("?"))
    assert "key from" not in str(raised.value)
