"""The fields of the filter language: their names, what they hold, and how they may be compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from heams.browse.filters.syntax import Operator
from heams.evaluation.records import Outcome
from heams.orchestration.results import ResultStatus
from heams.reporting.verdicts import VERDICTS

Kind = Literal["text", "number", "choice"]
TAG = "tag"
"""The field of tags; it is written ``tag.<name>``."""
TEXT = "text"
"""What bare words search."""
_ALL_TEXT = (Operator.EQUALS, Operator.DIFFERS, Operator.CONTAINS)
_CHOICE = (Operator.EQUALS, Operator.DIFFERS)
_NUMBER = (
    Operator.EQUALS, Operator.DIFFERS, Operator.LESS, Operator.AT_MOST, Operator.MORE, Operator.AT_LEAST,
)  # fmt: skip
_OPERATORS: Mapping[Kind, tuple[Operator, ...]] = {"text": _ALL_TEXT, "choice": _CHOICE, "number": _NUMBER}


@dataclass(frozen=True, slots=True)
class Field:
    """A field. ``choices`` are all values of a ``choice``; ``may_miss`` where ``none`` means that there is no value."""

    name: str
    kind: Kind
    description: str
    choices: tuple[str, ...] = ()
    may_miss: bool = True

    @property
    def operators(self) -> tuple[Operator, ...]:
        """How the field may be compared."""
        return _OPERATORS[self.kind]


def _choice(name: str, description: str, *choices: str, may_miss: bool = False) -> Field:
    return Field(name, "choice", description, choices, may_miss)


_ALL = (
    _choice("verdict", "what the record says in one word", *VERDICTS),
    _choice("outcome", "whether there is a score, and why not", *get_args(Outcome)),
    _choice("passed", "the yes or no of a metric that has one", "true", "false", may_miss=True),
    Field("value", "number", "the score; only scored records have one"),
    Field("metric", "text", "name of the metric"),
    Field("evaluator", "text", "who gave the verdict"),
    Field("sample", "text", "id of the sample"),
    Field("name", "text", "name of the sample, often its question"),
    Field("history", "text", "the history that it shares with others"),
    Field("repeat", "number", "number of the repeat, from 0"),
    Field("step", "number", "number of the step, from 0; none for verdicts on the whole scenario"),
    Field("criterion", "text", "criterion that the benchmark counts it to"),
    Field(TAG, "text", "value of a tag: tag.<name>"),
    _choice("status", "whether the scenario was played to its end", *get_args(ResultStatus)),
    Field("reason", "text", "why the evaluator decided so"),
    Field("expected", "text", "what was expected"),
    Field("observed", "text", "what was observed"),
    Field(TEXT, "text", "any of name, expected, observed and reason", may_miss=False),
    Field("seconds", "number", "seconds that the scenario took"),
    Field("tokens", "number", "tokens that models read and wrote in the scenario"),
    Field("cost", "number", "US dollars of the scenario; none where a price is unknown"),
    Field("error", "text", "phase, type and message of the scenario's error"),
    _choice("label", "what a person decided instead", "pass", "fail", may_miss=True),
)
FIELDS: Mapping[str, Field] = {field.name: field for field in _ALL}
"""All fields by name, in the order in which they are offered."""
NAMES = tuple(f"{TAG}.<name>" if name == TAG else name for name in FIELDS)
"""The names of the fields as they are written."""
