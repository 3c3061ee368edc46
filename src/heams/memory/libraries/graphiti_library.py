"""graphiti-core as it must be loaded: no telemetry, no settings from a stray ``.env``, and no waiting."""

import os
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from heams.memory.libraries.extras import loaded

_TELEMETRY_OFF = {"GRAPHITI_TELEMETRY_ENABLED": "false"}


class Graphiti(NamedTuple):
    """The modules of which names are used."""

    core: Any
    nodes: Any
    edges: Any
    embedder: Any
    cross_encoder: Any
    llm_client: Any
    llm_config: Any
    recipes: Any
    kuzu_driver: Any
    queries: Any
    kuzu: Any


@cache
def load_graphiti() -> Graphiti:
    """The modules.

    Raises:
        ModelSetupError: the extra is not installed.
    """
    return loaded("graphiti", "graphiti-core and kuzu", _import, environment=_TELEMETRY_OFF)


def _import() -> Graphiti:
    before = dict(os.environ)
    names = (
        "graphiti_core",
        "graphiti_core.nodes",
        "graphiti_core.edges",
        "graphiti_core.embedder.openai",
        "graphiti_core.cross_encoder.client",
        "graphiti_core.llm_client.openai_generic_client",
        "graphiti_core.llm_client.config",
        "graphiti_core.search.search_config_recipes",
        "graphiti_core.driver.kuzu_driver",
        "graphiti_core.graph_queries",
        "kuzu",
    )
    library = Graphiti(*map(import_module, names))
    for variable in os.environ.keys() - before.keys():
        del os.environ[variable]  # importing reads any .env file above the library
    _ask_again_at_once(library)
    return library


def _ask_again_at_once(library: Graphiti) -> None:
    """graphiti waits 5 to 120 s before it repeats a question whose answer it could not read. The call path does the
    waiting that an endpoint needs; a model needs none."""
    from tenacity import wait_none

    library.llm_client.OpenAIGenericClient._generate_response_with_retry.retry.wait = wait_none()
