"""Requests that nobody meant: refused with what is allowed, or answered in every mode alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heta_framework.kb.search import QueryRequest
from heta_framework.kb.search.option_check import OPTION_READERS, option_problems
from heta_framework.kb.search.options import BUILT_IN_OPTIONS, mode_weights, whole
from heta_framework.kb.search.record_filters import record_filters

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("top_k", ["5", 2.0, True, None])
def test_a_number_of_results_that_is_no_whole_number_is_refused_by_name(top_k: Any) -> None:
    with pytest.raises(TypeError, match="top_k must be a whole number, found"):
        QueryRequest("lamp", top_k=top_k)


async def test_more_results_than_a_database_can_count_to_are_all_that_there_are(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    for mode, found in {"full_text_search": 2, "vector_search": 3, "hybrid_search": 3}.items():
        response = await world.ask(mode, "harbour lamp", top_k=10**30)
        assert len(response.results) == found


@pytest.mark.parametrize("field", ["filters", "options"])
@pytest.mark.parametrize("given", ["abc", ["rrf_k"], {1: 2}])
def test_filters_and_options_are_values_by_name(field: str, given: Any) -> None:
    with pytest.raises(TypeError, match=field):
        QueryRequest("lamp", **{field: given})


@pytest.mark.parametrize("value", [{1}, object(), b"1900"])
def test_a_filter_that_no_record_can_have_is_refused_in_every_store(value: object) -> None:
    with pytest.raises(TypeError, match="filter 'document_id' must be a value that JSON has"):
        record_filters({"document_id": value})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, [float("nan")]])
def test_a_filter_by_a_number_that_is_not_finite_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="filter 'page_index' must be a value that JSON has"):
        record_filters({"page_index": value})


@pytest.mark.parametrize("weight", [10**400, float("nan"), -1, 0, True, "1"])
def test_a_weight_that_cannot_be_computed_with_is_refused(weight: Any) -> None:
    with pytest.raises(ValueError, match="the weight of a must be a number above 0"):
        mode_weights({"w": {"a": weight}}, "w", ["a"], ["a"])


@pytest.mark.parametrize("weights", [0, False, "", []])
def test_weights_that_are_no_mapping_are_refused_also_when_they_are_nothing(weights: Any) -> None:
    with pytest.raises(ValueError, match="must map modes to weights"):
        mode_weights({"w": weights}, "w", ["a"], ["a"])


def test_a_whole_number_beyond_what_a_float_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="option rrf_k must be a whole number"):
        whole({"rrf_k": 10**400}, "rrf_k", 60, least=0)


@pytest.mark.parametrize("mode", ["heta_rewrite_search", "heta_multihop_search"])
async def test_half_a_character_in_a_reply_does_not_keep_a_response_from_being_saved(kit: Any, mode: str) -> None:
    reply = r'{"queries": ["lamp \ud800"], "judge": false, "next_query": "oil \udfff", "information": "\ud800"}'
    model, _ = kit.scripted(lambda request: reply)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask(mode, "harbour lamp", trace=True)
    said = [response.metadata, *(event.metadata for event in response.trace)]
    assert "\ufffd" in json.dumps(said, ensure_ascii=False).encode().decode()


@pytest.mark.parametrize("name", sorted(BUILT_IN_OPTIONS))
def test_every_option_is_checked_before_it_is_used(name: str) -> None:
    assert [refused for refused, _ in option_problems({name: -1, "an option of others": -1})] == [name]


def test_every_option_that_is_read_is_known() -> None:
    assert OPTION_READERS.keys() == BUILT_IN_OPTIONS
