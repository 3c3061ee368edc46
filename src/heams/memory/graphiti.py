"""``graphiti``: a temporal knowledge graph by graphiti-core, in an embedded kuzu database."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from heams.memory.libraries.engine import Engine
from heams.memory.libraries.library_system import LibraryMemorySystem
from heams.memory.libraries.settings import LibrarySettings
from heta_framework.common.models.settings import RerankModelConfig

if TYPE_CHECKING:
    from heta_framework.common.models.gateway import Seat, SeatModels


class GraphitiMemoryConfig(LibrarySettings):
    """graphiti's graph: each batch is an episode, of which a model makes entities and facts with times.

    Recalled are facts, found by words and by meaning and fused by reciprocal rank; with ``rerank``, also along the
    graph, and ordered by that model. ``instructions`` are added to graphiti's own for extraction.
    ``structured_output``: ``json_object`` for endpoints that know no JSON schemas.
    """

    type: Literal["graphiti"] = "graphiti"
    rerank: RerankModelConfig | None = None
    instructions: str | None = None
    structured_output: Literal["json_schema", "json_object"] = "json_schema"


class GraphitiMemorySystem(LibraryMemorySystem):
    """Opens a graph for each memory."""

    config: GraphitiMemoryConfig
    distribution = "graphiti-core"

    def _load(self) -> object:
        from heams.memory.libraries.graphiti_library import load_graphiti

        return load_graphiti()

    def _models(self) -> "SeatModels":
        from heta_framework.common.models.gateway import SeatModels

        return SeatModels(self.config.llm, self.config.embedding, self.config.rerank)

    async def _open_engine(self, folder: Path, seat: "Seat") -> Engine:
        from heams.memory.libraries.graphiti_engine import GraphitiEngine
        from heams.memory.libraries.kuzu_graph import KuzuGraph
        from heams.memory.libraries.threads import in_thread

        graph = await in_thread(seat, partial(KuzuGraph, folder))
        return GraphitiEngine(self.config, graph, seat)
