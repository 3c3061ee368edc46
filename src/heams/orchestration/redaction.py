"""Keeps the secrets of a configuration out of everything that a run writes or says."""

import json
from collections.abc import Iterable

from heams.orchestration.experiment import Experiment
from heams.orchestration.results import ErrorInfo

HIDDEN = "***"
SHORTEST = 6
"""Shorter secrets are left alone: they are part of ordinary words, and hiding those would damage results."""


class Redactor:
    """Replaces secrets, wherever a component put them: into an answer, an exception, a note."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        kept = sorted({secret for secret in secrets if len(secret) >= SHORTEST}, key=len, reverse=True)
        self._texts = kept
        self._escaped = [json.dumps(secret, ensure_ascii=False)[1:-1].encode("utf-8", "replace") for secret in kept]

    @classmethod
    def of(cls, experiment: Experiment) -> "Redactor":
        """For the secrets of an experiment's components."""
        return cls(secret for component in experiment.components for secret in component.secrets)

    def text(self, text: str) -> str:
        """``text`` without secrets."""
        for secret in self._texts:
            text = text.replace(secret, HIDDEN)
        return text

    def line(self, line: bytes) -> bytes:
        """A line of JSON without secrets."""
        for secret in self._escaped:
            line = line.replace(secret, HIDDEN.encode())
        return line

    def error(self, error: ErrorInfo) -> ErrorInfo:
        """An error whose message holds no secrets."""
        return error.model_copy(update={"message": self.text(error.message)}) if self._texts else error
