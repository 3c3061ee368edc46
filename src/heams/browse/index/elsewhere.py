"""Calls a function in a process that ends with it: what large results take in memory is given back."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

from heams.reporting.errors import ResultsError

Given = ParamSpec("Given")
Result = TypeVar("Result")


def elsewhere(function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
    """What ``function``, one of a module's own, returns or raises there.

    Raises:
        ResultsError: the process was ended, for want of memory, say.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(function, *args, **kwargs).result()
        except BrokenProcessPool:
            raise ResultsError("the process that read the results was ended from outside") from None
