"""Tells a cancellation that was asked for from one that a component let escape."""

import asyncio


def cancellation_was_asked_for() -> bool:
    """Whether the current task is being cancelled (a stop, a time limit), rather than a component raising it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
