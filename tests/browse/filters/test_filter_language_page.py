"""The page on the filter language names every field and choice, and its examples mean what it says."""

import re
from pathlib import Path

import pytest

from heams.browse.filters import FIELDS, parse
from heams.browse.filters.fields import NAMES
from heams.browse.filters.parsing import MAX_DEPTH, MAX_LENGTH

PAGE = (Path(__file__).parents[3] / "docs/reference/filter_language.md").read_text(encoding="utf-8")
FIELD_ROWS = re.findall(r"^\| `([^`]+)` \| (.*) \| (text|number|choice) \|$", PAGE, re.MULTILINE)
EXAMPLES = re.findall(r"^```text\n(.*)\n```$", PAGE, re.MULTILINE)
EXAMPLES += re.findall(r"^\| `([^`]+)` \| [^|]* \|$", PAGE, re.MULTILINE)


def test_every_field_is_described() -> None:
    assert [name for name, _, _ in FIELD_ROWS] == list(NAMES)
    for (_, description, kind), field in zip(FIELD_ROWS, FIELDS.values(), strict=True):
        assert kind == field.kind
        expected = (*field.choices, "none") if field.choices and field.may_miss else field.choices
        assert tuple(re.findall(r"`(\w+)`", description)) == expected


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_filters(example: str) -> None:
    parse(example)


def test_limits_are_those_that_hold() -> None:
    assert len(EXAMPLES) > 10
    assert f"{MAX_LENGTH:,} characters" in PAGE
    assert f"nested {MAX_DEPTH} deep" in PAGE
