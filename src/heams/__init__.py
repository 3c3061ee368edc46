"""heams: holistic evaluation of agent memory systems.

`heams.run` plays a run matrix, `heams.load_results` reads what it saved. Everything else lives in the rooms
`scenarios`, `agents`, `memory`, `benchmarks`, `evaluation`, `orchestration` and `reporting`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heams.api import run, validate
    from heams.reporting.load import Results, load_results

__version__ = "0.1.0"
__all__ = ["Results", "__version__", "load_results", "run", "validate"]

_HOMES = {
    "run": "heams.api",
    "validate": "heams.api",
    "load_results": "heams.reporting.load",
    "Results": "heams.reporting.load",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'heams' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
