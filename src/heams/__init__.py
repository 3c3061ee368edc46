"""heams: holistic evaluation of agent memory systems.

Errors that users meet, all importable from here:

    ConfigError    a configuration has mistakes; every one is named with file, line and field
    RunRefused     a run cannot be done as asked (changed configuration, folder in use, unusable data ...)
    StoreError     results can no longer be written; what was counted is safe
    ResultsError   saved results cannot be read

`heams.run` plays a run matrix, `heams.load_results` reads what it saved. Everything else lives in the rooms
`scenarios`, `agents`, `memory`, `benchmarks`, `evaluation`, `orchestration` and `reporting`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heams.api import run, validate
    from heams.orchestration.errors import RunRefused
    from heams.orchestration.listener import RunListener
    from heams.orchestration.store import StoreError
    from heams.reporting.errors import ResultsError
    from heams.reporting.load import Results, load_results
    from heta_framework.common.config import ConfigError

__version__ = "0.1.0"
__all__ = [
    "ConfigError",
    "Results",
    "ResultsError",
    "RunListener",
    "RunRefused",
    "StoreError",
    "__version__",
    "load_results",
    "run",
    "validate",
]

_HOMES = {
    "ConfigError": "heta_framework.common.config",
    "Results": "heams.reporting.load",
    "ResultsError": "heams.reporting.errors",
    "RunListener": "heams.orchestration.listener",
    "RunRefused": "heams.orchestration.errors",
    "StoreError": "heams.orchestration.store",
    "load_results": "heams.reporting.load",
    "run": "heams.api",
    "validate": "heams.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'heams' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
