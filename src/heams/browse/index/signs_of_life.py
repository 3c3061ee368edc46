"""Whether a run is under way: it says so, and has written something lately."""

from datetime import UTC, datetime, timedelta

from heams.orchestration.results import RunStatus

SIGN_OF_LIFE = timedelta(minutes=15)
"""A run that says it is under way, but has written nothing for so long, was probably ended from outside."""


def under_way(status: RunStatus | None, now: datetime | None = None) -> bool:
    """Whether the run of ``status`` is under way ``now``; without a moment, at this one."""
    if status is None or status.state != "running":
        return False
    return (datetime.now(UTC) if now is None else now) - status.updated_at < SIGN_OF_LIFE
