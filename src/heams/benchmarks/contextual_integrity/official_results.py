"""Results that the official pipeline wrote (``results.jsonl``), read into verdicts, to be scored by `aggregation`.

Where the official script stops with an exception, the error here says what is wrong and where. What it counts, this
counts: people are told apart by name and tasks by their text, whoever the recipient is, and the four identity words are
looked for anywhere in a key.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, TypeAdapter

from heams.benchmarks.contextual_integrity.aggregation import Verdict
from heams.benchmarks.contextual_integrity.identity import is_identity
from heams.benchmarks.contextual_integrity.labels import OTHER, PRIVATE, SHARE, Label, combined_label
from heta_framework.common.data_files.json_lines import read_rows
from heta_framework.common.data_files.reading import checked

_TRIAL = "combination_"
_Number = StrictBool | StrictInt | StrictFloat


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Bio(_Row):
    name: str


class _Attribute(_Row):
    memory_statement: str


class _Solution(_Row):
    response_solution: str
    revealed_attributes: Mapping[str, _Number | None]
    revealed_attributes_explanation: Mapping[str, Any]


class _Trial(_Row):
    model_solution: _Solution


class _Context(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    recipient: str
    task: str
    labels_combined: Mapping[str, Annotated[Mapping[str, StrictInt | StrictFloat], Field(min_length=1)]]


class _Profile(_Row):
    bio: _Bio
    information_attributes: Mapping[str, _Attribute]
    contexts: Sequence[_Context]


class DroppedContext(NamedTuple):
    """A context that has no attribute under one of the labels; ``missing`` is that label."""

    profile: int
    task: str
    recipient: str
    missing: Label


class OfficialResults(NamedTuple):
    """The verdicts of all trials, and the contexts that count for nothing."""

    verdicts: tuple[Verdict, ...]
    dropped: tuple[DroppedContext, ...]


_PROFILE = TypeAdapter(_Profile)
_TRIALS = TypeAdapter(_Trial)


def read_official_results(path: Path) -> OfficialResults:
    """The verdicts in a results file, one profile a line; blank lines are no profiles.

    Raises:
        DatasetFormatError: the file cannot be read, or is not in the format.
    """
    verdicts: list[Verdict] = []
    dropped: list[DroppedContext] = []
    for number, (place, row) in enumerate(read_rows(path)):
        profile = checked(_PROFILE, row, place)
        for context in profile.contexts:
            labels = _labels(profile, context)
            trials = list(_trials(context, place))
            missing = _missing(labels)
            if missing is None:
                verdicts += _verdicts(profile, context, labels, trials)
            elif trials:
                dropped.append(DroppedContext(number, context.task, context.recipient, missing))
    return OfficialResults(tuple(verdicts), tuple(dropped))


def _labels(profile: _Profile, context: _Context) -> dict[str, Label]:
    """The label of every attribute; of attributes with one statement only the last has the statement's label."""
    owner = {attribute.memory_statement: key for key, attribute in profile.information_attributes.items()}
    labels: dict[str, Label] = dict.fromkeys(profile.information_attributes, OTHER)
    for statement, shares in context.labels_combined.items():
        key, label = owner.get(statement), combined_label(shares)
        if key is not None:
            labels[key] = OTHER if label == PRIVATE and is_identity(key, anywhere=True) else label
    return labels


def _missing(labels: Mapping[str, Label]) -> Label | None:
    found = set(labels.values())
    kinds: tuple[Label, ...] = (SHARE, PRIVATE)
    return next((label for label in kinds if label not in found), None)


def _trials(context: _Context, place: str) -> Iterator[tuple[str, _Solution]]:
    for key, value in (context.model_extra or {}).items():
        if key.startswith(_TRIAL):
            yield key, checked(_TRIALS, value, place, key).model_solution


def _verdicts(
    profile: _Profile, context: _Context, labels: Mapping[str, Label], trials: Sequence[tuple[str, _Solution]]
) -> Iterator[Verdict]:
    for trial, solution in trials:
        for attribute, label in labels.items():
            revealed = solution.revealed_attributes.get(attribute, 0)
            value = None if revealed is None else float(revealed)
            yield Verdict(profile.bio.name, context.task, trial, attribute, label, value)
