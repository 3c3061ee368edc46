"""What plain scalars, keys, merges and tags mean."""

import json
import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.config import ConfigError, dump_yaml, parse_yaml


def value_of(scalar: str) -> object:
    return parse_yaml(f"key: {scalar}", env={}).data["key"]


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "Yes", "NO", "y", "n", "tRUE"])
def test_only_true_and_false_are_booleans(word: str) -> None:
    assert value_of(word) == word


@pytest.mark.parametrize(
    ("word", "value"), [("true", True), ("True", True), ("FALSE", False), ("null", None), ("~", None)]
)
def test_booleans_and_null(word: str, value: object) -> None:
    assert value_of(word) is value


@pytest.mark.parametrize(
    "text",
    ["2024-01-31", "2024-01-31T10:00:00Z", "12:30", "12:30:45", "1_000", "007", "-08", "0b11", "=", "<<", "1.2.3"],
)
def test_dates_times_and_ambiguous_numbers_stay_text(text: str) -> None:
    assert value_of(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("+5", 5),
        ("0", 0),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
    ],
)
def test_numbers(text: str, value: float) -> None:
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("text", "value"), [("!!str 5", "5"), ("!!float 5", 5.0), ('!!int "7"', 7)])
def test_core_tags_convert(text: str, value: object) -> None:
    found = value_of(text)
    assert (found, type(found)) == (value, type(value))


def test_keys_are_text_as_written() -> None:
    assert parse_yaml("on: 1\n1: 2\ntrue: 3\n2024-01-01: 4\n.nan: 5\n").data == {
        "on": 1,
        "1": 2,
        "true": 3,
        "2024-01-01": 4,
        ".nan": 5,
    }


def test_an_alias_is_an_independent_copy() -> None:
    data = parse_yaml("a: &a {x: [1]}\nb: *a\n").data
    data["a"]["x"].append(2)
    assert data["b"] == {"x": [1]}


def test_own_keys_win_over_merged_ones_and_the_first_merged_wins() -> None:
    text = "one: &one {x: 1, y: 1}\ntwo: &two {x: 2, z: 2}\nall:\n  y: 0\n  <<: [*one, *two]\n"
    assert parse_yaml(text).data["all"] == {"x": 1, "y": 0, "z": 2}


def test_merges_nest() -> None:
    text = "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n"
    assert parse_yaml(text).data["c"] == {"x": 1, "y": 2, "z": 3}


def test_a_quoted_merge_key_is_an_ordinary_key() -> None:
    assert parse_yaml('a: {"<<": {x: 1}}').data == {"a": {"<<": {"x": 1}}}


def test_json_escapes_of_an_emoji_are_joined() -> None:
    assert value_of(json.dumps("\N{GRINNING FACE}")) == "\N{GRINNING FACE}"


_AWKWARD = " \n\t#:-|>'\"a${}&*!%@`0.e1+_~<=\r\x85\u2028\ufeff"
_text = st.text(st.characters(exclude_categories=["Cs"])) | st.text(_AWKWARD)
_keys = st.text(st.characters(exclude_categories=["Cs"]), max_size=80) | st.text(_AWKWARD, max_size=80)
_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _text
_json = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4), max_leaves=12
)
_mappings = st.dictionaries(_keys, _json, max_size=5)


@given(_mappings)
def test_what_is_dumped_loads_equal(data: dict[str, object]) -> None:
    document = parse_yaml(dump_yaml(data), substitute_env=False)
    assert json.dumps(document.raw) == json.dumps(data)


@given(_mappings)
def test_json_is_yaml(data: dict[str, object]) -> None:
    document = parse_yaml(json.dumps(data), substitute_env=False)
    assert json.dumps(document.raw) == json.dumps(data)


@given(
    st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.booleans() | st.integers() | st.floats(-1e9, 1e9))
)
def test_what_pyyaml_dumps_loads_equal(data: dict[str, object]) -> None:
    assert parse_yaml(yaml.safe_dump(data)).data == data


def test_keys_of_any_length_are_dumped_so_that_they_load() -> None:
    data = {"k" * 5000: {"ü\n" * 2000: 1}}
    assert parse_yaml(dump_yaml(data)).data == data


def test_long_texts_are_dumped_as_blocks() -> None:
    assert dump_yaml({"prompt": "one\ntwo\n", "b": [1, "yes"]}) == "prompt: |\n  one\n  two\nb:\n- 1\n- yes\n"


def test_dumping_shared_values_writes_no_aliases() -> None:
    shared = {"x": 1}
    assert "*" not in dump_yaml({"a": shared, "b": shared})


@pytest.mark.parametrize("value", [math.nan, math.inf, "\ud800"])
def test_dumping_refuses_what_could_not_be_read_back(value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON|surrogates"):
        dump_yaml({"key": value})


def test_dumping_refuses_objects() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        dump_yaml({"key": object()})


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system [x]", "!!timestamp 2024-01-01", "!!set {a}", "!own x"]
)
def test_other_tags_are_refused(tag: str) -> None:
    with pytest.raises(ConfigError, match=r"line 1: key: found the tag !.*; only plain YAML values are allowed"):
        value_of(tag)
