"""What the model calls of one score consumed, told apart from everything else that is under way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from heta_framework.common.models.calls.scope import CallScope, active_scope, call_scope


@contextmanager
def own_usage() -> Iterator[CallScope]:
    """A scope for the calls made inside; whatever scope is around it counts them as well."""
    outer = active_scope()
    with call_scope() as scope:
        try:
            yield scope
        finally:
            if outer is not None:
                for role, usage in scope.usage.items():
                    outer.add(role, usage)


def usage_data(scope: CallScope) -> dict[str, Any]:
    """Calls, tokens, ``cost_usd`` (None where a price is unknown) and time by role, as data; zeros are left out."""
    return {
        role: {name: value for name, value in usage.model_dump(mode="json").items() if value not in (0, False)}
        for role, usage in scope.usage.items()
    }
