"""The test server in a process of its own, for measurements of model calls."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from perf.places import ROOT


@contextmanager
def running(**script: Any) -> Iterator[Any]:
    """A server that behaves as the fields of its ``Script`` say. It needs what the tests need (the group ``dev``)."""
    folder = str(ROOT / "tests" / "servers")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    from model_server import ServerProcess

    with ServerProcess(script) as server:
        yield server
