"""Pydantic's errors, told as file, line, field, what was found, what is allowed and what may be meant."""

import pickle
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, Tag, TypeAdapter, field_validator, model_validator
from pydantic import Discriminator as PydanticDiscriminator
from pydantic_core import PydanticCustomError

from heta_framework.common.config import ConfigError, ConfigProblem, dump_yaml, parse_yaml, validate


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exact(Strict):
    type: Literal["exact"] = "exact"
    fold_case: bool = False


class Judge(Strict):
    type: Literal["judge"] = "judge"
    mode: Literal["strict", "lenient"] = "strict"
    votes: int = Field(default=1, ge=1, le=9)
    judges: list["Evaluator"] = []

    @field_validator("votes")
    @classmethod
    def odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise ValueError("an even number of votes can tie")
        return votes

    @model_validator(mode="after")
    def enough(self) -> "Judge":
        if self.mode == "strict" and self.votes > 5:
            raise ValueError("strict judges have at most 5 votes")
        return self


Evaluator = Annotated[Exact | Judge, Field(discriminator="type")]
Judge.model_rebuild()


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Run(Strict):
    name: str
    limit: int | None = Field(default=None, ge=1)
    data_file: Path = Path("data.json")
    evaluator: Evaluator = Exact()
    evaluators: list[Evaluator] = []
    either: int | list[str] = 0
    colour: Colour = Colour.RED
    weights: dict[str, float] = {}
    by_number: dict[int, str] = {}
    pair: tuple[int, str] = (0, "")
    aliased: int = Field(default=0, alias="other-name")
    flag: bool = True
    nothing: None = None
    short: str = Field(default="", max_length=3, pattern="^a*$")
    model: Exact | None = None
    mixed: Literal["all", 1, 2] = "all"


def problems_of(text: str, target: Any = Run) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        validate(parse_yaml(text, Path("a.yaml"), {}), target)
    return [str(problem) for problem in caught.value.problems]


def test_a_valid_document_becomes_the_model() -> None:
    run = validate(parse_yaml("name: x\nevaluators:\n  - {type: judge, votes: 3}\ndata_file: a/b.json\n"), Run)
    assert run == Run(name="x", evaluators=[Judge(votes=3)], data_file=Path("a/b.json"))


def test_an_adapter_for_a_union() -> None:
    adapter: TypeAdapter[Exact | Judge] = TypeAdapter(Evaluator)
    assert validate(parse_yaml("type: judge\nvotes: 3"), adapter) == Judge(votes=3)
    assert problems_of("type: juge", adapter) == [
        "a.yaml:1: type: found \"juge\"; allowed: exact, judge; did you mean 'judge'?"
    ]
    assert problems_of("typ: judge", adapter) == ["a.yaml:1: type: not given; allowed: exact, judge"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("limit: 0", "limit: found 0; must be greater than or equal to 1"),
        ("limit: x", 'limit: found "x"; must be a whole number'),
        ("limit: 1.5", "limit: found 1.5; must be a whole number"),
        ("limit: [1]", "limit: found a list [1]; must be a whole number"),
        ("data_file: 3", "data_file: found 3; must be a path"),
        ("evaluator: exact", 'evaluator: found "exact"; must be a mapping (key: value)'),
        ("mixed: alll", "mixed: found \"alll\"; must be 'all', 1 or 2"),
        ("model: exact", 'model: found "exact"; must be a mapping; allowed: type, fold_case'),
        ("evaluators: {a: 1}", 'evaluators: found a mapping {"a": 1}; must be a list'),
        ("either: 1.5", "either: found 1.5; must be a whole number or a list"),
        ("colour: bleu", "colour: found \"bleu\"; allowed: red, blue; did you mean 'blue'?"),
        ("weights: {a: heavy}", 'weights.a: found "heavy"; must be a number'),
        ("weights: 5", "weights: found 5; must be a mapping (key: value)"),
        ("by_number: {one: x}", "by_number.one: found the key 'one'; must be a whole number"),
        ("pair: [1, 2]", "pair.1: found 2; must be text; write it in quotes"),
        ("other-name: x", 'other-name: found "x"; must be a whole number'),
        ("flag: maybe", 'flag: found "maybe"; must be true or false'),
        ("nothing: 1", "nothing: found 1; must be null"),
        ("short: aaaa", 'short: found "aaaa"; must have at most 3 characters'),
        ("short: b", "short: found \"b\"; must match pattern '^a*$'"),
        (
            "model: {fold_cases: true}",
            "model.fold_cases: this field is not known; allowed: type, fold_case; did you mean 'fold_case'?",
        ),
        (
            "evaluator: {type: judge, mode: lenien}",
            "evaluator.mode: found \"lenien\"; allowed: strict, lenient; did you mean 'lenient'?",
        ),
        ("evaluator: {type: judge, votes: 2}", "evaluator.votes: found 2; an even number of votes can tie"),
        ("evaluator: {type: judge, votes: 7}", "evaluator: strict judges have at most 5 votes"),
    ],
)
def test_one_wrong_value(line: str, problem: str) -> None:
    assert problems_of(f"name: x\n{line}\n") == [f"a.yaml:2: {problem}"]


def test_an_unknown_field_names_the_fields_of_its_own_model() -> None:
    text = "name: x\nevaluators:\n- type: judge\n  judges:\n  - {type: exact}\n  - type: judge\n    vots: 3\n"
    (problem,) = problems_of(text)
    assert problem == (
        "a.yaml:7: evaluators.0.judges.1.vots: this field is not known; allowed: type, mode, votes, judges; "
        "did you mean 'votes'?"
    )


def test_fields_are_listed_by_the_names_that_a_file_uses() -> None:
    (problem,) = problems_of("name: x\naliased: 1\n")
    assert "other-name" in problem
    assert "allowed: name, limit," in problem


def test_a_missing_field_points_at_the_mapping_that_lacks_it() -> None:
    class Inner(Strict):
        a: int

    class Outer(Strict):
        inner: Inner
        b: int

    problems = problems_of("inner:\n  {}\n", Outer)
    assert problems == [
        "a.yaml:1: inner.a: not given; this field is required",
        "a.yaml:1: b: not given; this field is required",
    ]


def test_a_tag_that_is_also_a_key_does_not_mislead() -> None:
    class Nested(Strict):
        type: Literal["nested"] = "nested"
        nested: Exact
        fold_case: int

    class Holder(Strict):
        item: Annotated[Nested | Judge, Field(discriminator="type")]

    text = "item:\n  type: nested\n  fold_case: x\n  nested:\n    fold_case: true\n    other: 1\n"
    assert problems_of(text, Holder) == [
        'a.yaml:3: item.fold_case: found "x"; must be a whole number',
        "a.yaml:6: item.nested.other: this field is not known; allowed: type, fold_case",
    ]


def test_a_union_told_apart_by_a_function() -> None:
    class Holder(Strict):
        item: Annotated[
            Annotated[Exact, Tag("flat")] | Annotated[Judge, Tag("deep")],
            PydanticDiscriminator(lambda value: value.get("kind")),
        ]

    assert problems_of("item: {kind: deeep}", Holder) == [
        'a.yaml:1: item: found a mapping {"kind": "deeep"}; allowed: flat, deep; did you mean \'deep\'?'
    ]
    assert problems_of("item: {}", Holder) == ["a.yaml:1: item: not given; allowed: flat, deep"]


def test_errors_that_a_validator_made_itself() -> None:
    class Holder(Strict):
        item: str

        @field_validator("item")
        @classmethod
        def refused(cls, item: str) -> str:
            raise PydanticCustomError("value_error", "must be a {kind}", {"kind": "colour"})

    assert problems_of("item: x", Holder) == ['a.yaml:1: item: found "x"; must be a colour']


def test_problems_are_in_the_order_of_the_file() -> None:
    text = "evaluators:\n  - {type: nothing}\nweights: {a: x}\nlimit: 0\n"
    lines = [problem.split(": ")[0] for problem in problems_of(text)]
    assert lines == ["a.yaml:1", "a.yaml:2", "a.yaml:3", "a.yaml:4"]


def test_a_validation_inside_a_validator_is_told_in_full() -> None:
    class Holder(Strict):
        item: Any

        @field_validator("item")
        @classmethod
        def checked(cls, item: Any) -> Any:
            return Judge.model_validate(item)

    assert problems_of("item:\n  votes: 0\n  mode: strict\n", Holder) == [
        "a.yaml:2: item.votes: found 0; must be greater than or equal to 1"
    ]


def test_a_validator_that_replaces_the_input_still_has_a_line() -> None:
    class Holder(Strict):
        item: Judge

        @field_validator("item", mode="before")
        @classmethod
        def shorthand(cls, item: Any) -> Any:
            return {"votes": item}

    assert problems_of("a: 1\nitem: 0\n".replace("a: 1", "# a"), Holder) == [
        "a.yaml:2: item: found 0; must be greater than or equal to 1"
    ]


def test_members_of_a_plain_union_of_models() -> None:
    class Holder(Strict):
        item: Exact | Judge

    problems = problems_of("item: {vots: 3}", Holder)
    assert problems == [
        "a.yaml:1: item.vots: this field is not known; allowed: type, fold_case, mode, votes, judges; "
        "did you mean 'votes'?"
    ]


def test_long_values_are_shortened() -> None:
    (problem,) = problems_of(f"name: x\nlimit: {'y' * 500}\n")
    assert problem == f'a.yaml:2: limit: found "{"y" * 78}…; must be a whole number'


def test_nothing_of_pydantic_is_left() -> None:
    text = "limit: x\nevaluator: {type: no}\nunknown: 1\npair: 3\ncolour: 1\nshort: b\n"
    words = "\n".join(problems_of(text)).lower()
    assert not any(word in words for word in ("pydantic", "http", "input", "type=", "validationerror"))


def test_the_error_has_no_cause_that_would_print_values() -> None:
    with pytest.raises(ConfigError) as caught:
        validate(parse_yaml("limit: 0"), Run)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_view_is_validated_with_the_lines_of_its_file() -> None:
    document = parse_yaml(
        "experiments:\n  - name: one\n    config:\n      type: exact\n      fold: 1\n", Path("run.yaml")
    )
    with pytest.raises(ConfigError) as caught:
        validate(document.sub(("experiments", 0, "config")), Exact)
    assert caught.value.problems == (
        ConfigProblem(
            Path("run.yaml"),
            5,
            "experiments.0.config.fold",
            "this field is not known; allowed: type, fold_case",
            "did you mean 'fold_case'?",
        ),
    )


def test_errors_survive_pickling() -> None:
    error = ConfigError([ConfigProblem(Path("a.yaml"), 1, "b", "found 1", "did you mean 'c'?")])
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert copy.problems == error.problems
    assert str(copy) == "a.yaml:1: b: found 1; did you mean 'c'?"


_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("ab", max_size=3)
)
_fields = st.sampled_from([*Run.model_fields, "other-name", "type", "mode", "votes", "judges", "exact", "judge", "x"])
_values = st.recursive(
    _scalars | st.sampled_from(["exact", "judge", "strict"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_fields, inner, max_size=5),
    max_leaves=15,
)


@given(st.dictionaries(_fields, _values, max_size=6))
def test_any_data_gives_the_model_or_problems_on_existing_lines(data: dict[str, object]) -> None:
    text = dump_yaml(data)
    problems: tuple[ConfigProblem, ...] = ()
    try:
        validate(parse_yaml(text), Run)
    except ConfigError as error:
        problems = error.problems
    assert all(1 <= (problem.line or 0) <= max(1, text.count("\n")) for problem in problems)
    assert all(problem.message and "Input" not in problem.message for problem in problems)


def test_items_with_errors_do_not_make_a_list_too_short() -> None:
    class Group(Strict):
        members: tuple[Exact, ...] = Field(min_length=1)

    with pytest.raises(ConfigError) as caught:
        validate(parse_yaml("members: [{fold_case: maybe}]"), Group)
    assert [problem.field for problem in caught.value.problems] == ["members.0.fold_case"]
    with pytest.raises(ConfigError, match=r"members: .*at least 1 item"):
        validate(parse_yaml("members: []"), Group)
