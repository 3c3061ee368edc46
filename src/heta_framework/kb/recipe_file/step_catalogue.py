"""The steps and procedures that a recipe file can name; their modules are imported when they are needed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class StepType:
    """Where a step is found.

    Attributes:
        home: module and class.
        config_home: module and class of its configuration; None where the settings are the class's own fields.
    """

    home: str
    config_home: str | None = None

    def settings_class(self) -> type[Any]:
        """The dataclass whose fields are the step's settings."""
        return _imported(self.config_home or self.home)

    def make(self, settings: Any) -> Any:
        """The step or procedure; ``settings`` is an instance of `settings_class`."""
        return settings if self.config_home is None else _imported(self.home)(settings)


def _imported(home: str) -> type[Any]:
    module, _, name = home.partition(":")
    found: type[Any] = getattr(import_module(f"heta_framework.kb.{module}"), name)
    return found


def _step(module: str, name: str) -> StepType:
    return StepType(f"steps.{module}:{name}", f"steps.{module}:{name}Config")


STEP_TYPES = {
    "parse_documents": _step("parse_documents", "ParseDocuments"),
    "split_documents": _step("split_documents", "SplitDocuments"),
    "embed_chunks": _step("embed_chunks", "EmbedChunks"),
    "index_vectors": _step("index_vectors", "IndexVectors"),
    "index_full_text": _step("index_full_text", "IndexFullText"),
    "persist_chunks": _step("persist_chunks", "PersistChunks"),
    "heta_graph": StepType("procedures.heta_graph:HetaGraphProcedure"),
    "extract_universal_graph": _step("extract_universal_graph", "ExtractUniversalGraph"),
    "constrain_graph_by_ontology": _step("constrain_graph_by_ontology", "ConstrainGraphByOntology"),
    "deduplicate_entities": _step("deduplicate_entities", "DeduplicateEntities"),
    "deduplicate_relations": _step("deduplicate_relations", "DeduplicateRelations"),
    "build_graph": _step("build_graph", "BuildGraph"),
    "merge_graph_into_store": _step("merge_graph_into_store", "MergeGraphIntoStore"),
}
