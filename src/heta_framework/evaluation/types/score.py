"""What an evaluator says of a response, and why a case has none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from heta_framework.common.stores.fields import required_text
from heta_framework.evaluation.types.fields import mapping, put
from heta_framework.evaluation.types.json_safe import json_safe

_LARGEST = 1e100


@dataclass(frozen=True)
class EvaluationScore:
    """One verdict.

    Attributes:
        name: of the measure, e.g. ``evidence_recall@5``.
        value: a number, at most 1e100 either way so that means are finite too; a yes or no; or a text (kept, never
            averaged).
        passed: whether it is good enough; None where there is no such line.
        metadata: how it came about. ``skipped: True`` with a ``reason`` says that the case has no label for it.

    Raises:
        ValueError: the value is not finite, or too large, or a blank text.
        TypeError: it is none of the three.
    """

    name: str
    value: float | bool | str
    passed: bool | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(
            self,
            name=required_text("name", self.name),
            value=_checked(self.name, self.value),
            metadata=mapping("metadata", self.metadata),
        )

    @property
    def is_unlabelled(self) -> bool:
        """Whether the case has no label for this measure, so that its value says nothing."""
        return self.metadata.get("skipped") is True

    @property
    def number(self) -> float | None:
        """The value as a mean counts it: 1 or 0 for a yes or no; None for a text."""
        return None if isinstance(self.value, str) else float(self.value)

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "name": self.name,
            "value": json_safe(self.value),
            "passed": self.passed,
            "metadata": json_safe(self.metadata),
        }


def _checked(name: str, value: object) -> float | bool | str:
    if type(value) is float and -_LARGEST <= value <= _LARGEST:  # what most scores are; a run makes 25 a case
        return value
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return required_text(f"the value of {name}", value)
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        return _checked(name, value.item())  # type: ignore[attr-defined]
    if not isinstance(value, Real):
        raise TypeError(f"the value of {name} must be a number, a bool or a text, found {type(value).__name__}")
    if not math.isfinite(value):
        raise ValueError(f"the value of {name} must be finite, found {value}")
    if abs(float(value)) > _LARGEST:
        raise ValueError(f"the value of {name} must be at most {_LARGEST:g} either way, found {float(value):g}")
    return value if isinstance(value, int) else float(value)


@dataclass(frozen=True)
class EvaluationError:
    """Why a case has no response.

    Attributes:
        message: what happened.
        error_type: the class of the exception.
        retryable: whether asking again may help.
    """

    message: str
    error_type: str
    retryable: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(self, message=required_text("message", self.message))
        put(self, error_type=required_text("error_type", self.error_type))
        put(self, metadata=mapping("metadata", self.metadata))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "message": self.message,
            "error_type": self.error_type,
            "retryable": self.retryable,
            "metadata": json_safe(self.metadata),
        }
