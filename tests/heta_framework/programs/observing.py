"""What the programs beside this file write down: results without what changes from run to run, and refusals."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any

from heta_framework.kb import QueryResponse

DECIMALS = 5
"""Scores are compared so far: a vector may be kept in single precision."""

_BUILT_IN = ("ValueError", "TypeError", "LookupError", "OSError", "RuntimeError")


async def refusal(attempt: Callable[[], Any], *, word_for_word: bool = False) -> Any:
    """The error that an attempt ends in: its type, what a program may catch it as, and its text where asked for."""
    try:
        found = attempt()
        if inspect.isawaitable(found):
            await found
    except Exception as error:  # noqa: BLE001 - which error it is, is what is asked
        ancestors = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _BUILT_IN]
        text = {"text": str(error)} if word_for_word else {}
        return {"type": type(error).__name__, "caught_as": ancestors} | text
    return "accepted"


def texts(response: QueryResponse) -> list[str]:
    """The texts of the results, in their order."""
    return [result.text for result in response.results]


def scores(response: QueryResponse) -> list[float]:
    """The scores of the results, in their order."""
    return [round(result.score, DECIMALS) for result in response.results]


def shape(value: Any) -> Any:
    """The names and types inside a value, without the values."""
    if isinstance(value, dict):
        return {str(key): shape(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [shape(value[0])] if value else []
    return type(value).__name__


def lacking(found: Any, wanted: tuple[str, ...]) -> list[str]:
    """Which of the wanted names are not there."""
    return sorted(set(wanted) - set(found))


def steps(run_record: Any) -> list[list[str]]:
    """Name, type and status of each step."""
    return [[step.step_name, step.step_type, step.status] for step in run_record.step_records]


def tell(program: Callable[[], Awaitable[dict[str, Any]]]) -> None:
    """Run a program and print its observations as one line of JSON."""
    print(json.dumps(asyncio.run(program()), ensure_ascii=False))
