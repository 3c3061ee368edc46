"""Answers that people have labelled: JSON Lines with ``question``, ``expected``, ``answer`` and ``label``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes
from heta_framework.common.judge import JudgePolicy, LabelPolicy, ScalePolicy

Text = Annotated[str, Field(min_length=1)]


class HumanLabel(BaseModel):
    """One answer and a person's verdict on it: a label of the policy, or a number on its scale."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    question: str
    expected: Text | tuple[Text, ...]
    answer: str
    label: Text

    @property
    def golds(self) -> tuple[str, ...]:
        """The expected answers."""
        return (self.expected,) if isinstance(self.expected, str) else self.expected


_LABEL: TypeAdapter[HumanLabel] = TypeAdapter(HumanLabel)


def read_human_labels(path: Path, policy: JudgePolicy) -> list[HumanLabel]:
    """The labels of a file, each spelt as the policy spells it.

    Raises:
        DatasetFormatError: a line is not in the format, or its label is none of the policy's; it names file and line.
    """
    known = _forms(policy)
    labels = []
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        label = checked(_LABEL, parse_json(line, path, place), path, place)
        labels.append(label.model_copy(update={"label": _spelt(label.label, known, path, place)}))
    if not labels:
        raise DatasetFormatError(path, "", "there is no label in it")
    return labels


def _forms(policy: JudgePolicy) -> Mapping[str, str]:
    from heta_framework.common.judge.words import folded

    if isinstance(policy, LabelPolicy):
        return {folded(form): label.name for label in policy.labels for form in label.forms}
    if isinstance(policy, ScalePolicy) and policy.allowed:
        return {f"{value:g}": f"{value:g}" for value in policy.allowed}
    return {}


def _spelt(label: str, known: Mapping[str, str], path: Path, place: str) -> str:
    from heta_framework.common.config import nearest
    from heta_framework.common.judge.words import folded

    form = folded(label)
    if form not in known:
        near = nearest(form, known)
        hint = f"; did you mean {known[near]!r}?" if near else ""
        allowed = ", ".join(dict.fromkeys(known.values()))
        raise DatasetFormatError(path, place, f"the label {label!r} is none of {allowed}{hint}")
    return known[form]
