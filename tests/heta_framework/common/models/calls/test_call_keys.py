"""Any change of a request changes the key of the call; nothing else does."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig

REQUEST: dict[str, Any] = {
    "messages": [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "When?"}]}],
    "function_tools": [{"name": "search", "description": "Searches.", "parameters_json_schema": {"type": "object"}}],
    "output_object": {"json_schema": {"type": "object", "properties": {"label": {"enum": ["yes", "no"]}}}},
    "settings": {"temperature": 0.0, "seed": 1, "max_tokens": 100},
}
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, width=16) | st.text(max_size=3)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
)


async def _never() -> ModelReply:
    raise AssertionError


def _call(request: dict[str, Any], epoch: str = "0", **endpoint: Any) -> ModelCall:
    config = LanguageModelConfig(**{"model": "openai:m", "base_url": "http://a/v1", **endpoint})
    return ModelCall(kind="chat", endpoint=config, request=request, send=_never, epoch=epoch)


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON, where 1, 1.0 and true are three things."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and repr(one) == repr(other)


@given(st.dictionaries(st.text(max_size=2), JSON, max_size=3), st.dictionaries(st.text(max_size=2), JSON, max_size=3))
def test_keys_are_equal_where_requests_are(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert (_call(one).key == _call(other).key) == _same(one, other)
    assert _call(one).key == _call(dict(reversed(one.items()))).key


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for name in value for leaf in _leaves(value[name], (*path, name))]
    if isinstance(value, list):
        return [leaf for number, item in enumerate(value) for leaf in _leaves(item, (*path, number))]
    return [path]


@given(st.sampled_from(_leaves(REQUEST)), SCALARS)
def test_a_change_anywhere_in_a_chat_request_changes_both_keys(path: tuple[Any, ...], value: Any) -> None:
    changed = copy.deepcopy(REQUEST)
    place = changed
    for step in path[:-1]:
        place = place[step]
    differs = not _same(place[path[-1]], value)
    place[path[-1]] = value
    assert (_call(changed).key != _call(REQUEST).key) == differs
    assert (_call(changed).portable_key != _call(REQUEST).portable_key) == differs


@pytest.mark.parametrize("other", [{"model": "openai:n"}, {"model": "mistral:m"}, {"epoch": "1"}])
def test_model_and_epoch_are_part_of_both_keys(other: dict[str, Any]) -> None:
    one, changed = _call(REQUEST), _call(REQUEST, **other)
    assert one.key != changed.key
    assert one.portable_key != changed.portable_key


def test_the_endpoint_is_part_of_the_key_of_the_cache_alone() -> None:
    one, other = _call(REQUEST), _call(REQUEST, base_url="http://b/v1")
    assert one.key != other.key
    assert one.portable_key == other.portable_key


def test_limits_prices_and_the_name_of_the_key_are_not() -> None:
    other = _call(REQUEST, api_key_env="OTHER_KEY", timeout_s=3, max_attempts=2, prices={"input": 1})
    assert other.key == _call(REQUEST).key
