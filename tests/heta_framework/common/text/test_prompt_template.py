"""Prompt templates: which gaps they must have, and that values are never read as templates."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from heta_framework.common.text.prompt_template import fill, gaps

_TEMPLATE: TypeAdapter[str] = TypeAdapter(Annotated[str, gaps("question", "a")])


@pytest.mark.parametrize("template", ["{question} {a}", '{"json": 1} {a}{question} {} { a }', "{a}{question}{a}"])
def test_templates_with_their_gaps_are_accepted(template: str) -> None:
    assert _TEMPLATE.validate_python(template) == template


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{question}", r"must contain \{a\}"),
        ("", r"must contain \{question\}, \{a\}"),
        ("{question} {a} {answer}", r"gap \{answer\}; allowed: \{question\}, \{a\}"),
        ("{qestion} {a}", r"did you mean \{question\}\?"),
    ],
)
def test_templates_with_other_gaps_are_refused(template: str, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        _TEMPLATE.validate_python(template)


@given(st.text(), st.text())
def test_values_are_put_in_as_they_are(question: str, a: str) -> None:
    assert fill("<{question}|{a}>", question=question, a=a) == f"<{question}|{a}>"
