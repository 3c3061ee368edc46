"""Numbers in configurations: flags are none, text of digits is one."""

import pytest
from pydantic import BaseModel, Field

from heta_framework.common.config import ConfigError, Number, WholeNumber, parse_yaml, validate


class Counts(BaseModel):
    whole: WholeNumber = Field(default=1, ge=1)
    number: Number | None = Field(default=None, gt=0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("whole: true", "whole: found true; must be a whole number"),
        ("whole: 1.5", "whole: found 1.5; must be a whole number"),
        ("whole: 0", "must be greater than or equal to 1"),
        ("whole: x", "must be a whole number"),
        ("number: false", "number: found false; must be a number"),
        ("number: 'inf'", "must be a finite number"),
        ("number: 0", "must be greater than 0"),
    ],
)
def test_what_is_no_number_is_refused(text: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        validate(parse_yaml(text), Counts)
    assert told in str(caught.value)


def test_text_from_the_environment_is_read_as_a_number() -> None:
    counts = validate(parse_yaml("whole: ${N}\nnumber: ${X}", env={"N": "3", "X": "0.5"}), Counts)
    assert counts == Counts(whole=3, number=0.5)


def test_the_schema_keeps_type_and_bounds() -> None:
    whole = Counts.model_json_schema()["properties"]["whole"]
    assert (whole["type"], whole["minimum"]) == ("integer", 1)
