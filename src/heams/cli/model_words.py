"""What the model calls of a run are doing, in a few words for progress displays."""

from collections.abc import Iterator

from heams.cli.tally import shown_cost, shown_time
from heams.scenarios.usage import Usage
from heta_framework.common.models.calls.activity import Activity
from heta_framework.common.models.calls.runtime import ModelRuntime


def model_words(runtime: ModelRuntime | None) -> str:
    """Calls and money so far in all experiments, scenarios under way included, and what waits; empty before any."""
    if runtime is None:
        return ""
    spent, activity = sum(runtime.meter.total.values(), Usage()), runtime.activity()
    if spent == Usage() and not _waiting(activity) and not activity.in_flight:
        return ""
    return ", ".join(
        [f"models in all: {spent.calls:,} calls", shown_cost(spent), *_stored(spent), *_activity(activity)]
    )


def _stored(spent: Usage) -> Iterator[str]:
    stored = spent.cache_hits + spent.replayed
    if stored:
        yield f"{stored:,} answered from store"


def _activity(activity: Activity) -> Iterator[str]:
    if activity.in_flight:
        yield f"{activity.in_flight:,} under way"
    if _waiting(activity):
        yield f"{_waiting(activity):,} waiting"
    if activity.paused_s >= 1:
        yield f"paused by the endpoint for {shown_time(activity.paused_s)}"


def _waiting(activity: Activity) -> int:
    return activity.waiting_for_slot + activity.waiting_to_send + activity.backing_off
