"""Formats that only pages need; those of reports are in ``heams.reporting.figures``."""

from datetime import UTC, datetime

from heams.reporting.figures import NONE, cost

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_SHORT_SIGNIFICANT = 4


def short(value: float) -> str:
    """A number without needless zeros: ``0``, ``1``, ``0.25``."""
    return f"{value:.{_SHORT_SIGNIFICANT}g}"


def usd(amount: float | None) -> str:
    """An amount with its currency: ``$0.1234``, ``$0``, ``unknown``."""
    return cost(None) if amount is None else f"${cost(amount)}"


def duration(seconds: float | None) -> str:
    """A time to wait, as people say it: ``40 s``, ``3 min``, ``2 h 5 min``."""
    if seconds is None:
        return NONE
    if seconds < _MINUTE:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / _MINUTE)
    if minutes < _HOUR // _MINUTE:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def ago(moment: datetime | None, now: datetime | None = None) -> str:
    """How long ago something was: ``just now``, ``5 min ago``, ``3 h ago``, ``2026-11-30``."""
    if moment is None:
        return NONE
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min ago"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)} h ago"
    return f"{moment:%Y-%m-%d}"
