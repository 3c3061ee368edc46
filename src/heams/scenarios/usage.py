"""What a phase of work consumed, for authors of components: the usage of ``heta_framework.common.models``.

Model calls through ``heta_framework`` are counted where they are made, for the scope that is active; components return
only what they used besides.
"""

from typing import Any

from heta_framework.common.models.calls.scope import active_scope
from heta_framework.common.models.usage import Usage, UsageByRole, UsageRole, add_usage, checked_usage

__all__ = ["Usage", "UsageByRole", "UsageRole", "add_usage", "checked_usage", "note_usage", "usage_since"]


def note_usage(given: Any, *, counted: UsageByRole | None = None) -> UsageByRole:
    """Count what a component says it used for the scope that is active (outside of one nobody minds), and return it.

    ``counted`` is what the component had said before, and what was counted then, where it goes on adding to that.

    Raises:
        ValueError: it is no mapping of roles to usages.
    """
    scope, said = active_scope(), checked_usage(given)
    if scope is not None:
        for role, usage in said.items():
            before = (counted or {}).get(role)
            scope.add(role, usage if before is None else usage_since(before, usage))
    return said


def usage_since(before: Usage, now: Usage) -> Usage:
    """What was added to ``before``. A price that was unknown before leaves what was added unknown too."""
    known = {name: (getattr(before, name), getattr(now, name)) for name in Usage.model_fields if name != "estimated"}
    added = {
        name: None if old is None or new is None else max(new - old, type(new)(0)) for name, (old, new) in known.items()
    }
    return Usage.model_validate({**added, "estimated": now.estimated})
