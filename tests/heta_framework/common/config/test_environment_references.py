"""`${NAME}` in text values."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.config import ConfigError, ConfigProblem, load_yaml, parse_yaml, references

ENV = {"KEY": "sk-123", "EMPTY": "", "MODEL": "tiny", "TRICK": "a: [b]\n${KEY}"}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("${KEY}", "sk-123"),
        ("Bearer ${KEY}/${MODEL}", "Bearer sk-123/tiny"),
        ("${EMPTY}", ""),
        ("${NONE:-fallback}", "fallback"),
        ("${NONE:-}", ""),
        ("${EMPTY:-used}", "used"),
        ("${KEY:-unused}", "sk-123"),
        ("$${KEY}", "${KEY}"),
        ("$$${KEY}", "$${KEY}"),
        ("$KEY and $", "$KEY and $"),
        ("${TRICK}", "a: [b]\n${KEY}"),
    ],
)
def test_references(written: str, value: str) -> None:
    document = parse_yaml(f"a: ['{written}']", env=ENV)
    assert document.data == {"a": [value]}
    assert document.raw == {"a": [written]}


def test_keys_are_left_alone() -> None:
    assert parse_yaml("'${KEY}': 1", env=ENV).data == {"${KEY}": 1}


def test_a_value_stays_text() -> None:
    assert parse_yaml("a: ${N}", env={"N": "5"}).data == {"a": "5"}


def test_every_missing_variable_is_named_with_its_line() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_yaml("a: ${MODLE}\nb:\n  - x\n  - '${GONE} ${LOST:-ok} ${AWAY}'\n", Path("a.yaml"), ENV)
    message = "found ${%s}, but the environment variable %s is not set; set it or write ${%s:-default}"
    path = Path("a.yaml")
    assert caught.value.problems == (
        ConfigProblem(path, 1, "a", message % (("MODLE",) * 3), "did you mean 'MODEL'?"),
        ConfigProblem(path, 4, "b.1", message % (("GONE",) * 3)),
        ConfigProblem(path, 4, "b.1", message % (("AWAY",) * 3)),
    )


@pytest.mark.parametrize("written", ["${", "${}", "${1A}", "${A", "${A-x}", "${A B}", "x ${:-y}"])
def test_what_only_looks_like_a_reference_is_refused(written: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(f"a: '{written}'", env=ENV)
    assert str(caught.value) == (
        "line 1: a: found '${' that is no reference; ${NAME} and ${NAME:-default} are allowed, $${ is a literal ${"
    )


def test_a_variable_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(ConfigError, match="the environment variable X does not hold valid UTF-8"):
        parse_yaml("a: ${X}", env={"X": b"\xff".decode("utf-8", "surrogateescape")})


def test_the_process_environment_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIG_TEST_VALUE", "here")
    path = tmp_path / "a.yaml"
    path.write_text("a: ${CONFIG_TEST_VALUE}\n")
    assert load_yaml(path).data == {"a": "here"}


def test_artifacts_are_read_without_their_variables() -> None:
    document = parse_yaml("a: ${NOT_SET_ANY_MORE}", env={}, substitute_env=False)
    assert document.data == document.raw == {"a": "${NOT_SET_ANY_MORE}"}


def test_secrets_do_not_appear_in_the_representation() -> None:
    assert "sk-123" not in repr(parse_yaml("a: ${KEY}", env=ENV))


@given(st.text(alphabet="ab ${}:-\n", max_size=30))
def test_escaping_every_brace_gives_the_text_back(text: str) -> None:
    escaped = text.replace("${", "$${")
    document = parse_yaml("a: " + repr_as_yaml(escaped), env={})
    assert document.data == {"a": text}


def repr_as_yaml(text: str) -> str:
    return '"' + text.replace("\n", "\\n") + '"'


def test_references_are_listed_with_place_name_and_text() -> None:
    raw = {"a": "${KEY}/${NONE:-x}", "b": ["$${KEY}", "${EMPTY}"]}
    assert [(found.loc, found.name, found.text, found.default) for found in references(raw, ENV)] == [
        (("a",), "KEY", "sk-123", False),
        (("a",), "NONE", "x", True),
        (("b", 1), "EMPTY", "", False),
    ]
    assert "sk-123" not in repr(references(raw, ENV))
