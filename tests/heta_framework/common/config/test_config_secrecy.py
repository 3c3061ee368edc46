"""Secrets never get into messages."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from heta_framework.common.config import ConfigError, parse_yaml, validate
from heta_framework.common.config.secrecy import is_secret_name

ENV = {"API_KEY": "sk-very'secret", "LIMIT": "many"}


@pytest.mark.parametrize(
    "name",
    ["api_key", "apikey", "API-KEY", "apiKey", "openai_api_key", "token", "hf_token", "authToken", "password",
     "db_password", "client_secret", "secrets", "Authorization", "private_key", "access_keys", "auth_tokens",
     "credentials", "APIKey"],
)  # fmt: skip
def test_names_that_hold_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "tokens",
        "max_tokens",
        "context_tokens",
        "token_f1",
        "tokenizer",
        "key",
        "keys",
        "monkey",
        "secretary",
        "",
        "type",
    ],
)
def test_names_that_hold_none(name: str) -> None:
    assert not is_secret_name(name)


class Endpoint(BaseModel):
    model_config = ConfigDict(extra="forbid")

    api_key: str = ""
    url: str = ""
    limit: int = 0
    headers: list[str] = []

    @field_validator("url")
    @classmethod
    def http(cls, url: str) -> str:
        if url and not url.startswith("http"):
            raise ValueError(f"must start with http, not {url!r}")
        return url

    @model_validator(mode="after")
    def whole(self) -> "Endpoint":
        if self.limit == 13:
            raise ValueError(f"cannot use {self.api_key} ({self.api_key!r}) here")
        return self


def message_of(text: str, target: Any = Endpoint) -> str:
    with pytest.raises(ConfigError) as caught:
        validate(parse_yaml(text, Path("a.yaml"), ENV), target)
    return str(caught.value)


@pytest.mark.parametrize("value", ["[abc-123]", "123123", "{a: abc-123}"])
def test_a_secret_field_is_never_shown(value: str) -> None:
    assert message_of(f"api_key: {value}").startswith(
        "a.yaml:1: api_key: found a value that is not shown; must be text"
    )


def test_a_secret_inside_a_shown_value_is_masked() -> None:
    assert message_of("url: {api_key: abc-123, x: 1}") == (
        'a.yaml:1: url: found a mapping {"api_key": "***", "x": 1}; must be text'
    )


def test_what_a_variable_held_is_shown_as_its_reference() -> None:
    assert message_of("limit: ${LIMIT}") == (
        'a.yaml:1: limit: found "${LIMIT}" (from the environment); must be a whole number'
    )
    assert message_of("headers: {Agent: '${API_KEY}'}") == (
        'a.yaml:1: headers: found a mapping {"Agent": "${API_KEY}"}; must be a list'
    )


def test_a_literal_brace_is_not_taken_for_a_variable() -> None:
    assert message_of("limit: $${LIMIT}") == 'a.yaml:1: limit: found "$${LIMIT}"; must be a whole number'


def test_the_words_of_validators_are_scrubbed() -> None:
    assert message_of("url: ftp ${API_KEY}").endswith('must start with http, not "ftp ${API_KEY}"')
    assert message_of("api_key: abc'123\nlimit: 13") == 'a.yaml:1: cannot use *** ("***") here'


def test_a_view_below_a_secret_hides_too() -> None:
    document = parse_yaml("credentials: {limit: abc}", env=ENV)
    with pytest.raises(ConfigError, match="limit: found a value that is not shown"):
        validate(document.sub(("credentials",)), Endpoint)
