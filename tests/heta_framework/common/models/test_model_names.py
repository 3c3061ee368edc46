"""How models are named: by provider, in two spellings, or by an endpoint's own name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from heta_framework.common.models.settings import PROVIDERS, EndpointConfig, split_model

NAMES = st.text("abcXYZ019-._/:", min_size=1, max_size=12)


@given(st.sampled_from([*PROVIDERS]), NAMES)
def test_both_spellings_mean_the_same(provider: str, name: str) -> None:
    assert split_model(f"{provider}:{name}") == (provider, name)
    if ":" not in name:
        assert split_model(f"{provider}/{name}") == (provider, name)


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("gpt-4o-mini", ("openai", "gpt-4o-mini")),
        ("openai/gpt-4o-mini", ("openai", "gpt-4o-mini")),
        ("meta-llama/Llama-3", ("openai", "meta-llama/Llama-3")),
        ("openai:meta-llama/Llama-3:free", ("openai", "meta-llama/Llama-3:free")),
        ("openai:openai/gpt-oss-20b", ("openai", "openai/gpt-oss-20b")),
        ("bedrock/us.anthropic.claude-v1:0", ("bedrock", "us.anthropic.claude-v1:0")),
        ("bedrock:us.anthropic.claude-v1:0", ("bedrock", "us.anthropic.claude-v1:0")),
    ],
)
def test_names_as_they_are_met(name: str, split: tuple[str, str]) -> None:
    assert split_model(name) == split
    assert EndpointConfig(model=name).model_id == ":".join(split)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("opnai:gpt-4o-mini", "did you mean openai:gpt-4o-mini"),
        ("meta-llama/Llama-3:free", "is written 'openai:meta-llama/Llama-3:free'"),
        ("openai:", "no model is named"),
        ("  ", "a model is named 'provider:model'"),
    ],
)
def test_names_that_cannot_be_meant(name: str, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        EndpointConfig(model=name)
