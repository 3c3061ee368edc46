"""How a benchmark is reported: names, sections, order and criteria, declared next to its ``type``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from heams.criteria import criterion_of


class ReportDimension(StrEnum):
    """Which side of a memory a benchmark looks at."""

    PERFORMANCE = "performance"
    PRIVACY = "privacy"


SavedConfig = Mapping[str, Any]
"""A ``benchmark_config`` as it was saved, possibly by an older version: hooks read it with ``.get``."""


@dataclass(frozen=True, slots=True)
class BenchmarkInfo:
    """Report metadata of a benchmark type.

    ``criterion_tags`` lists combinations of tag names, the most specific first: the first combination of which a record
    has every tag gives its criterion, unless the record carries a ``criterion`` tag of its own. ``context_tokens`` is
    the usual length of what a sample's memory must hold. ``headline_metrics`` are the metrics of the headline, in
    order, of privacy what is protected first and what is of use second; empty means all. ``metric_notes`` says what
    metrics are, in words that follow "is". ``section`` groups benchmarks in overviews and ``order`` sorts them.
    ``describe`` may refine the display name, and ``context_tokens_of`` the length, from the saved configuration.
    """

    display_name: str
    dimension: ReportDimension
    criterion_tags: tuple[tuple[str, ...], ...] = ()
    context_tokens: int | None = None
    section: str | None = None
    order: int = 100
    headline_metrics: tuple[str, ...] = ()
    criterion_names: Mapping[str, str] = field(default_factory=dict)
    metric_notes: Mapping[str, str] = field(default_factory=dict)
    describe: Callable[[SavedConfig], str] | None = None
    context_tokens_of: Callable[[SavedConfig], int | None] | None = None

    def name_for(self, saved: SavedConfig) -> str:
        """The display name for results made with ``saved``."""
        return self._ask(self.describe, saved) or self.display_name

    def context_tokens_for(self, saved: SavedConfig) -> int | None:
        """The length of the remembered material, in tokens, for results made with ``saved``."""
        return self._ask(self.context_tokens_of, saved) or self.context_tokens

    def criterion_of(self, tags: Mapping[str, str]) -> str | None:
        """The criterion under which a record with ``tags`` is listed; None when it belongs to none."""
        return criterion_of(tags, self.criterion_tags)

    @staticmethod
    def _ask(hook: Callable[[SavedConfig], Any] | None, saved: SavedConfig) -> Any:
        if hook is None:
            return None
        try:
            return hook(saved)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None  # a configuration from another version: the declared value still holds
