"""A document knows the line of everything in it, also through views, aliases and merges."""

from pathlib import Path

import pytest

from heta_framework.common.config import ConfigProblem, YamlDocument, parse_yaml

TEXT = """\
# a comment
base: &base
  type: task_qa
  mode: exact
experiments:
  - name: one
    evaluator: *base
  -
    name: two
    evaluator:
      <<: *base
      mode: contains
prompt: |
  first

  second
"after": [1,
  2]
"""


@pytest.fixture
def document() -> YamlDocument:
    return parse_yaml(TEXT, Path("run.yaml"))


@pytest.mark.parametrize(
    ("loc", "line"),
    [
        ((), 2),
        (("base",), 2),
        (("base", "mode"), 4),
        (("experiments",), 5),
        (("experiments", 0), 6),
        (("experiments", 0, "evaluator"), 7),
        (("experiments", 0, "evaluator", "mode"), 4),
        (("experiments", 1), 9),
        (("experiments", 1, "evaluator", "type"), 3),
        (("experiments", 1, "evaluator", "mode"), 12),
        (("prompt",), 13),
        (("after", 0), 17),
        (("after", 1), 18),
    ],
)
def test_lines(document: YamlDocument, loc: tuple[str | int, ...], line: int) -> None:
    assert document.line_of(loc) == line


def test_what_is_not_there_has_the_line_of_what_would_hold_it(document: YamlDocument) -> None:
    assert document.line_of(("experiments", 1, "evaluator", "k", 3)) == 10
    assert document.line_of(("experiments", 7)) == 5
    assert document.line_of(("nothing",)) == 2


def test_an_overridden_merge_leaves_no_lines_behind() -> None:
    document = parse_yaml("a: &a {x: {deep: 1}}\nb:\n  <<: *a\n  x: {}\n")
    assert document.line_of(("b", "x", "deep")) == 4


def test_a_view_keeps_path_lines_and_field_names(document: YamlDocument) -> None:
    view = document.sub(("experiments", 1)).sub(("evaluator",))
    assert view.data == {"type": "task_qa", "mode": "contains"}
    assert view.path == Path("run.yaml")
    assert view.line_of(("mode",)) == 12
    assert view.line_of(()) == 10
    problem = view.problem(("mode",), "found 1; must be text")
    assert problem == ConfigProblem(Path("run.yaml"), 12, "experiments.1.evaluator.mode", "found 1; must be text")


@pytest.mark.parametrize("loc", [("nothing",), ("experiments", 5), ("prompt", "x"), ("prompt", 0)])
def test_a_view_of_nothing_is_a_lookup_error(document: YamlDocument, loc: tuple[str | int, ...]) -> None:
    with pytest.raises(LookupError):
        document.sub(loc)


def test_lines_are_counted_as_editors_do() -> None:
    text = 'a: "x\x85y\u2028z"\r\nb: 1\rc: 2\nd: 3'
    document = parse_yaml(text)
    assert [document.line_of((key,)) for key in "abcd"] == [1, 2, 3, 4]


def test_a_document_made_in_memory_has_no_lines() -> None:
    document = YamlDocument(None, {"a": 1}, {"a": 1})
    assert document.line_of(("a",)) is None
    assert str(document.problem(("a",), "found 1")) == "a: found 1"
