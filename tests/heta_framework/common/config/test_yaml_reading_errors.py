"""Every way a file can be broken ends in a ConfigError that names the line."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.config import ConfigError, ConfigProblem, load_yaml, parse_yaml


def problems_of(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, env={})
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "found an empty file"),
        ("# only\n# words\n", 1, "found nothing but comments"),
        ("\n- a\n", 2, "found a list at the top of the file; a mapping (key: value) is needed"),
        ("word", 1, "found a single value at the top of the file; a mapping (key: value) is needed"),
        ("a:\n\tb: 1\n", 2, "found a tab where YAML allows only spaces; indent with spaces"),
        ("a: 1\nb: c: d\n", 2, "found a ':' inside a value, or a line that is indented too far; quote or align it"),
        ("a: 1\nb: @x\n", 2, "found '@' at the start of a value; put the value in quotes"),
        ("a:\n  - 1\n b: 2\n", 3, "found a line that does not align with those before it; check the indentation"),
        ("a: *x\n", 1, "found '*x', but nothing is marked '&x'; put text that starts with '*' in quotes"),
        ("a: &x 1\nb: &x 2\n", 2, "found a second anchor '&…' of the same name; give it another name"),
        ("---\na: 1\n---\nb: 1\n", 3, "found a second document ('---'); a file holds one"),
        ("a: 1\nb: [${X}]\n", 2, 'found ${…} between brackets; put it in quotes there: ["${NAME}"]'),
        ("a: 1\nb: 'x\n", 2, "found the end of the file before the closing quote"),
        ("a: 1\nb: \x01\n", 2, "found the character U+0001, which YAML allows only as an escape in double quotes"),
        ('a: "\\U99999999"\n', 1, "found an escape or directive that is out of range"),
        ("a: 1\nb: &b [*b]\n", 2, "found an alias to the value that holds it"),
        ("a: 1\nb: &b\n  <<: *b\n", 2, "found an alias to the value that holds it"),
        ("a:\n  " + "[" * 5000, 2, "found values nested deeper than 100 levels"),
    ],
)
def test_one_problem_with_its_line(text: str, line: int, words: str) -> None:
    (problem,) = problems_of(text)
    assert problem.startswith(f"line {line}: {words}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: .nan\n", "line 2: b: found the number .nan; numbers must be finite"),
        ("a: -.Inf\n", "line 1: a: found the number -.Inf; numbers must be finite"),
        ("a: [1, 1e999]\n", "line 1: a.1: found the number 1e999; numbers must be finite"),
        (f"a: !!float {'1' * 400}\n", f"line 1: a: found the number {'1' * 80}; numbers must be finite"),
        ("a: !!int x\n", "line 1: a: found 'x' under the tag !!int; the two do not fit together"),
        ('a: "\\ud800"\n', "line 1: a: found half of a surrogate pair; text must be valid Unicode"),
        ("a: 1\n? [x]\n: 1\n", "line 2: found a mapping or list as a key; keys must be text"),
        ("a:\n  ? \n  : 1\n", "line 2: a: found ':' without a key before it"),
        ("<<: 3\na: 1\n", "line 1: found '<<' without a mapping; a mapping, or a list of them, can be merged"),
        (
            "!!python/name:os.system x: 1\n",
            "line 1: found the tag !!python/name:os.system; only plain YAML values are allowed",
        ),
    ],
)
def test_values_that_no_data_can_stand_for(text: str, problem: str) -> None:
    assert problems_of(text) == [problem]


def test_an_integer_that_python_would_not_read() -> None:
    assert problems_of(f"a: {'9' * 5000}") == ["line 1: a: found an integer of 5000 digits; up to 4300 are allowed"]


def test_a_duplicate_key_names_both_lines() -> None:
    text = "a: 1\nb:\n  c: 2\n  d: 3\n  c: 4\n"
    assert problems_of(text) == ["line 5: b.c: found this key twice, on lines 3 and 5; keep one of them"]


def test_all_problems_are_collected_once() -> None:
    text = "a: .nan\nb: &b\n  x: 1\n  x: 2\nc:\n  <<: *b\nd: 2\nd: 3\n"
    places = [problem.split(": found")[0] for problem in problems_of(text)]
    assert places == ["line 1: a", "line 4: b.x", "line 4: c.x", "line 8: d"]


def test_an_unclosed_bracket_names_where_it_was_opened() -> None:
    (problem,) = problems_of("a: 1\nb: [1,\n  2\n")
    ended = "expected ',' or ']', but the file ends"
    assert problem == f"line 3: {ended} (while parsing a flow sequence, which starts on line 2)"


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)),
        "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n}\n  <<: [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)),
        f"long: &long {'x' * 100_000}\nlist: [{', '.join(['*long'] * 1000)}]\n",
    ],
    ids=["lists", "merges", "texts"],
)
def test_aliases_that_explode_are_refused(text: str) -> None:
    (problem,) = problems_of(text)
    assert "found aliases that expand to more than 100,000 values" in problem


def test_a_long_chain_of_aliases_is_refused() -> None:
    (problem,) = problems_of("a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 500)))
    assert "found aliases nested deeper than 100 levels" in problem


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "no_memory.yaml").write_text("a: 1")
    with pytest.raises(ConfigError) as caught:
        load_yaml(tmp_path / "no_memroy.yaml")
    assert str(caught.value) == f"{tmp_path}/no_memroy.yaml: there is no such file; did you mean 'no_memory.yaml'?"


def test_a_missing_folder_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    with pytest.raises(ConfigError) as caught:
        load_yaml(tmp_path / "agnets" / "deep" / "a.yaml")
    (problem,) = caught.value.problems
    assert problem.message == f"there is no such file (there is no folder '{tmp_path}/agnets')"
    assert problem.hint == "did you mean 'agents'?"


def test_a_dangling_link_does_not_suggest_itself(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "gone")
    with pytest.raises(ConfigError) as caught:
        load_yaml(tmp_path / "a.yaml")
    assert caught.value.problems == (ConfigProblem(tmp_path / "a.yaml", None, "", "there is no such file"),)


@pytest.mark.parametrize("name", ["", "x\0y", "x" * 5000])
def test_unreadable_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="this file cannot be read"):
        load_yaml(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1")
    path.chmod(0)
    with pytest.raises(ConfigError, match="this file cannot be read"):
        load_yaml(path)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf8(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(start + "a: ü\nb: ".encode() + b"\xff\n")
    with pytest.raises(ConfigError) as caught:
        load_yaml(path)
    message = "found the byte 0xff, which is not UTF-8; save the file as UTF-8"
    assert caught.value.problems == (ConfigProblem(path, 2, "", message),)


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb:\r\n  c: 2\r\n")
    document = load_yaml(path)
    assert document.data == {"a": 1, "b": {"c": 2}}
    assert document.line_of(("b", "c")) == 3


_yaml_like = st.text(alphabet="ab:-?,[]{}#&*!|>'\"%@` \n\t\r<~$.0123\\uUx\x85\u2028\x00\ud800")


@given(st.text() | _yaml_like)
def test_junk_raises_nothing_but_config_errors_on_existing_lines(text: str) -> None:
    lines = max(1, len(text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")))
    found: set[int | None] = set()
    try:
        found |= set(parse_yaml(text, env={}).lines.values())
    except ConfigError as error:
        found |= {problem.line for problem in error.problems}
    assert found
    assert all(line is not None and 1 <= line <= lines for line in found)


@given(st.binary())
def test_junk_bytes_raise_nothing_but_config_errors(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "junk.yaml"
    path.write_bytes(content)
    files = {path}
    try:
        files.add(load_yaml(path, env={}).path or Path())
    except ConfigError as error:
        files |= {problem.file or Path() for problem in error.problems}
    assert files == {path}
