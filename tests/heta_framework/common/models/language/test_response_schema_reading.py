"""Reading a model's text as a schema: what follows it is read, what does not is None, and nothing is guessed."""

import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from heta_framework.common.models.language.json_schema import follows
from heta_framework.common.models.language.schema import json_schema_of, read_as, schema_name


class Mood(Enum):
    """A choice."""

    GLAD = "glad"
    SAD = "sad"


class Inner(BaseModel):
    """A part."""

    count: int = Field(ge=0, le=9)
    note: str | None = None


class Outer(BaseModel):
    """All kinds of fields."""

    name: str = Field(min_length=1, max_length=20)
    mood: Mood
    share: float
    flags: list[bool] = Field(max_length=3)
    inner: Inner
    more: dict[str, int]


VALUES = st.fixed_dictionaries(
    {
        "name": st.text(min_size=1, max_size=20),
        "mood": st.sampled_from(["glad", "sad"]),
        "share": st.floats(allow_nan=False, allow_infinity=False),
        "flags": st.lists(st.booleans(), max_size=3),
        "inner": st.fixed_dictionaries({"count": st.integers(0, 9)}, optional={"note": st.none() | st.text()}),
        "more": st.dictionaries(st.text(), st.integers(-100, 100)),
    }
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "count", "x"]), inner),
    max_leaves=6,
)


@given(VALUES)
def test_what_follows_a_class_follows_its_json_schema(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    assert read_as(Outer, text) == Outer.model_validate(value)
    assert read_as(json_schema_of(Outer), text) == value


@given(VALUES, st.sampled_from(["name", "mood", "share", "flags", "inner", "more"]), ANYTHING)
def test_a_spoilt_value_is_accepted_only_where_the_class_accepts_it(
    value: dict[str, Any], field: str, spoilt: Any
) -> None:
    changed = value | {field: spoilt}
    if read_as(json_schema_of(Outer), json.dumps(changed)) is not None:
        assert read_as(Outer, json.dumps(changed)) is not None


@given(ANYTHING)
def test_any_json_value_is_read_or_refused_without_a_failure(value: Any) -> None:
    text = json.dumps(value)
    for schema in (Outer, Inner, json_schema_of(Outer), {"type": "object"}, {}):
        read_as(schema, text)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [3, 3.0], [True, "3", 3.5, None]),
        ({"type": "number"}, [3, 0.5], [True, "3"]),
        ({"type": ["string", "null"]}, ["a", None], [1]),
        ({"enum": [1, "a", None]}, [1, "a", None], [True, "b"]),
        ({"const": False}, [False], [0, None]),
        ({"anyOf": [{"type": "string"}, {"minimum": 3, "type": "integer"}]}, ["a", 3], [2, None]),
        ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, [0.5], [1]),
        ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [1, 2], [0, 3]),
        ({"exclusiveMinimum": 1, "exclusiveMaximum": 3}, [2], [1, 3]),
        ({"minLength": 2, "maxLength": 3, "pattern": "^a"}, ["ab", "abc"], ["a", "abcd", "bb"]),
        ({"minItems": 1, "maxItems": 2, "items": {"type": "string"}}, [["a"], ["a", "b"]], [[], ["a"] * 3, [1]]),
        ({"prefixItems": [{"type": "string"}], "items": False}, [["a"], []], [["a", 1], [1]]),
        ({"required": ["a"], "type": "object"}, [{"a": 1}], [{}, []]),
        ({"properties": {"a": {"type": "string"}}, "additionalProperties": False}, [{"a": "b"}, {}], [{"b": 1}]),
        ({"additionalProperties": {"type": "string"}}, [{"x": "y"}], [{"x": 1}]),
        (
            {
                "$ref": "#/$defs/node",
                "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}, "type": "object"}},
            },
            [{"next": {"next": {}}}],
            [{"next": {"next": 1}}],
        ),
        (True, [1], []),
        (False, [], [1]),
    ],
)
def test_keywords(schema: Any, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not follows(schema, value)] == []
    assert [value for value in bad if follows(schema, value)] == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"count": 3}', Inner(count=3)),
        ('  {"count": 3}\n', Inner(count=3)),
        ('```json\n{"count": 3}\n```', Inner(count=3)),
        ('```\n{"count": 3}```', Inner(count=3)),
        ('Here: {"count": 3}', None),
        ('{"count": 3} and more', None),
        ('{"count": 10}', None),
        ("", None),
        ("null", None),
        ("[" * 100_000, None),
    ],
)
def test_a_fence_is_taken_off_and_nothing_else(text: str, read: Any) -> None:
    assert read_as(Inner, text) == read
    assert (read_as(json_schema_of(Inner), text) is None) == (read is None)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", '{"a": NaN}'])
def test_what_is_no_json_number_is_refused(text: str) -> None:
    assert read_as({}, text) is None


def test_names_are_such_as_providers_accept() -> None:
    assert schema_name(Inner) == "Inner"
    assert schema_name({"title": "My answer, please!"}) == "My_answer_please"
    assert schema_name({}) == "answer"
    assert schema_name(list[int]) == "list"
    assert len(schema_name({"title": "x" * 200})) == 64


def test_a_schema_that_is_none_says_so() -> None:
    with pytest.raises(TypeError, match="no type that pydantic knows"):
        json_schema_of(object())
