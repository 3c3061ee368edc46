"""Keeps the secrets of a configuration out of everything that a run writes or says.

Only texts that components delivered are searched: answers, notes, recalled texts, error messages, what evaluators
observed. Identifiers, labels, numbers and times are never touched, whatever a secret looks like.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_core import from_json, to_json

from heams.orchestration.experiment import Experiment
from heams.orchestration.results import ErrorInfo

HIDDEN = "***"
SHORTEST = 6
"""Shorter secrets, and shorter lines of longer ones, are left alone: they are part of ordinary words."""
_DELIVERED = frozenset({"reply", "note", "message", "observed", "reason", "text", "content", "query", "unsupported"})
_DELIVERED_TREES = frozenset({"reply_metadata", "tool_calls", "audit", "metadata"})
_NOT_DELIVERED = frozenset({"action", "tags", "usage", "timings"})


class Redactor:
    """Replaces secrets, wherever a component put them: into an answer, an exception, a note."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets for form in _forms(secret) if len(form) >= SHORTEST}
        self._forms = sorted(forms, key=len, reverse=True)

    @classmethod
    def of(cls, experiment: Experiment) -> "Redactor":
        """For the secrets of an experiment's components."""
        return cls(secret for component in experiment.components for secret in component.secrets)

    def text(self, text: str) -> str:
        """``text`` without secrets."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def line(self, line: bytes) -> bytes:
        """A line of JSON without secrets in what components delivered."""
        return to_json(self._row(from_json(line))) if self._forms else line

    def error(self, error: ErrorInfo) -> ErrorInfo:
        """An error whose message holds no secrets."""
        return error.model_copy(update={"message": self.text(error.message)}) if self._forms else error

    def _row(self, value: Any, *, delivered: bool = False) -> Any:
        if isinstance(value, dict):
            return {key: self._field(key, item, delivered) for key, item in value.items()}
        if isinstance(value, list):
            return [self._row(item, delivered=delivered) for item in value]
        return self.text(value) if delivered and isinstance(value, str) else value

    def _field(self, key: str, value: Any, delivered: bool) -> Any:
        if key in _NOT_DELIVERED:
            return value
        return self._row(value, delivered=delivered or key in _DELIVERED or key in _DELIVERED_TREES)


def _forms(secret: str) -> Iterator[str]:
    """A secret as it may turn up: whole, escaped by JSON, and line by line (programs print keys on many lines)."""
    yield secret
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield from (line.strip() for line in secret.splitlines())
