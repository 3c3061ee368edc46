"""langmem and what it stands on, as they must be loaded: no tracing."""

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from heams.memory.libraries.extras import loaded

_TRACING_OFF = {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}


class LangMem(NamedTuple):
    """The modules of which names are used."""

    langmem: Any
    messages: Any
    openai: Any
    store: Any
    store_base: Any


@cache
def load_langmem() -> LangMem:
    """The modules.

    Raises:
        ModelSetupError: the extra is not installed.
    """
    return loaded("langmem", "langmem and langchain-openai", _import, environment=_TRACING_OFF)


def _import() -> LangMem:
    names = (
        "langmem",
        "langchain_core.messages",
        "langchain_openai",
        "langgraph.store.memory",
        "langgraph.store.base",
    )
    return LangMem(*map(import_module, names))
