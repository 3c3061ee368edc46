"""Whose calls these are: the scope that is active where a call is made collects its usage and sets its epoch."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from heta_framework.common.models.usage import Usage, UsageByRole, UsageRole


class CallScope:
    """Collects what the calls made inside it consumed. Tasks started inside belong to it too."""

    def __init__(self, epoch: str = "0") -> None:
        self.epoch = epoch
        self._usage: dict[UsageRole, Usage] = {}

    def add(self, role: UsageRole, usage: Usage) -> None:
        """Count ``usage`` for ``role``."""
        self._usage[role] = self._usage[role] + usage if role in self._usage else usage

    @property
    def usage(self) -> UsageByRole:
        """What was consumed so far."""
        return dict(self._usage)


_active: ContextVar[CallScope | None] = ContextVar("heta_call_scope", default=None)


def active_scope() -> CallScope | None:
    """The scope of the present task."""
    return _active.get()


@contextmanager
def call_scope(scope: CallScope | None = None) -> Iterator[CallScope]:
    """Make ``scope`` the active one; without one, a new scope that inherits the epoch of the one around it."""
    if scope is None:
        outer = _active.get()
        scope = CallScope(outer.epoch if outer is not None else "0")
    token = _active.set(scope)
    try:
        yield scope
    finally:
        _active.reset(token)


def present_epoch(vote: int = 0) -> str:
    """The epoch of a call made now; ``vote`` tells repeated questions apart within it."""
    scope = _active.get()
    epoch = scope.epoch if scope is not None else "0"
    return epoch if vote == 0 else f"{epoch}.{vote}"
