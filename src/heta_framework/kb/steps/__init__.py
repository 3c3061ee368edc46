"""The steps of a build, and what a step of one's own is made of.

Everything below is imported at its first use, so that naming this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.kb.components import ComponentRef, model_ref, parser_ref, store_ref
    from heta_framework.kb.errors import StepError
    from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
    from heta_framework.kb.search.assets import SearchAsset
    from heta_framework.kb.steps.build_graph import BuildGraph, BuildGraphConfig, BuildGraphResult
    from heta_framework.kb.steps.cleanup import CleanupIssue, CleanupTarget, CleanupTargetKind, StepCleanupPlan
    from heta_framework.kb.steps.constrain_graph_by_ontology import (
        ConstrainGraphByOntology,
        ConstrainGraphByOntologyConfig,
        ConstrainGraphByOntologyResult,
    )
    from heta_framework.kb.steps.deduplicate_entities import (
        DeduplicateEntities,
        DeduplicateEntitiesConfig,
        DeduplicateEntitiesResult,
    )
    from heta_framework.kb.steps.deduplicate_relations import (
        DeduplicateRelations,
        DeduplicateRelationsConfig,
        DeduplicateRelationsResult,
    )
    from heta_framework.kb.steps.embed_chunks import EmbedChunks, EmbedChunksConfig, EmbedChunksResult
    from heta_framework.kb.steps.extract_universal_graph import (
        ExtractUniversalGraph,
        ExtractUniversalGraphConfig,
        ExtractUniversalGraphResult,
    )
    from heta_framework.kb.steps.index_full_text import (
        FullTextIndexNames,
        IndexFullText,
        IndexFullTextConfig,
        IndexFullTextResult,
    )
    from heta_framework.kb.steps.index_vectors import (
        ChunkVectorCollections,
        IndexVectors,
        IndexVectorsConfig,
        IndexVectorsResult,
    )
    from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue
    from heta_framework.kb.steps.merge_graph_into_store import (
        MergeGraphIntoStore,
        MergeGraphIntoStoreConfig,
        MergeGraphIntoStoreResult,
    )
    from heta_framework.kb.steps.parse_documents import ParseDocuments, ParseDocumentsConfig, ParseDocumentsResult
    from heta_framework.kb.steps.persist_chunks import (
        ChunkTableNames,
        PersistChunks,
        PersistChunksConfig,
        PersistChunksResult,
    )
    from heta_framework.kb.steps.protocol import (
        KnowledgeStepProtocol,
        StepCapabilities,
        StepContextProtocol,
        StepRequirements,
    )
    from heta_framework.kb.steps.split_documents import SplitDocuments, SplitDocumentsConfig, SplitDocumentsResult

__all__ = [
    "BuildGraph",
    "BuildGraphConfig",
    "BuildGraphResult",
    "ChunkTableNames",
    "ChunkVectorCollections",
    "CleanupIssue",
    "CleanupTarget",
    "CleanupTargetKind",
    "ComponentRef",
    "ConstrainGraphByOntology",
    "ConstrainGraphByOntologyConfig",
    "ConstrainGraphByOntologyResult",
    "DeduplicateEntities",
    "DeduplicateEntitiesConfig",
    "DeduplicateEntitiesResult",
    "DeduplicateRelations",
    "DeduplicateRelationsConfig",
    "DeduplicateRelationsResult",
    "EmbedChunks",
    "EmbedChunksConfig",
    "EmbedChunksResult",
    "ExtractUniversalGraph",
    "ExtractUniversalGraphConfig",
    "ExtractUniversalGraphResult",
    "FullTextIndexNames",
    "GraphTableNames",
    "GraphVectorCollections",
    "IndexFullText",
    "IndexFullTextConfig",
    "IndexFullTextResult",
    "IndexVectors",
    "IndexVectorsConfig",
    "IndexVectorsResult",
    "IssueResolution",
    "IssueSubject",
    "KnowledgeStepProtocol",
    "MergeGraphIntoStore",
    "MergeGraphIntoStoreConfig",
    "MergeGraphIntoStoreResult",
    "ParseDocuments",
    "ParseDocumentsConfig",
    "ParseDocumentsResult",
    "PersistChunks",
    "PersistChunksConfig",
    "PersistChunksResult",
    "SearchAsset",
    "SplitDocuments",
    "SplitDocumentsConfig",
    "SplitDocumentsResult",
    "StepCapabilities",
    "StepCleanupPlan",
    "StepContextProtocol",
    "StepError",
    "StepIssue",
    "StepRequirements",
    "model_ref",
    "parser_ref",
    "store_ref",
]

_HOMES = {
    "components": (
        "ComponentRef",
        "model_ref",
        "parser_ref",
        "store_ref",
    ),
    "errors": ("StepError",),
    "graphing.tables": (
        "GraphTableNames",
        "GraphVectorCollections",
    ),
    "search.assets": ("SearchAsset",),
    "steps.build_graph": (
        "BuildGraph",
        "BuildGraphConfig",
        "BuildGraphResult",
    ),
    "steps.cleanup": (
        "CleanupIssue",
        "CleanupTarget",
        "CleanupTargetKind",
        "StepCleanupPlan",
    ),
    "steps.constrain_graph_by_ontology": (
        "ConstrainGraphByOntology",
        "ConstrainGraphByOntologyConfig",
        "ConstrainGraphByOntologyResult",
    ),
    "steps.deduplicate_entities": (
        "DeduplicateEntities",
        "DeduplicateEntitiesConfig",
        "DeduplicateEntitiesResult",
    ),
    "steps.deduplicate_relations": (
        "DeduplicateRelations",
        "DeduplicateRelationsConfig",
        "DeduplicateRelationsResult",
    ),
    "steps.embed_chunks": (
        "EmbedChunks",
        "EmbedChunksConfig",
        "EmbedChunksResult",
    ),
    "steps.extract_universal_graph": (
        "ExtractUniversalGraph",
        "ExtractUniversalGraphConfig",
        "ExtractUniversalGraphResult",
    ),
    "steps.index_full_text": (
        "FullTextIndexNames",
        "IndexFullText",
        "IndexFullTextConfig",
        "IndexFullTextResult",
    ),
    "steps.index_vectors": (
        "ChunkVectorCollections",
        "IndexVectors",
        "IndexVectorsConfig",
        "IndexVectorsResult",
    ),
    "steps.issues": (
        "IssueResolution",
        "IssueSubject",
        "StepIssue",
    ),
    "steps.merge_graph_into_store": (
        "MergeGraphIntoStore",
        "MergeGraphIntoStoreConfig",
        "MergeGraphIntoStoreResult",
    ),
    "steps.parse_documents": (
        "ParseDocuments",
        "ParseDocumentsConfig",
        "ParseDocumentsResult",
    ),
    "steps.persist_chunks": (
        "ChunkTableNames",
        "PersistChunks",
        "PersistChunksConfig",
        "PersistChunksResult",
    ),
    "steps.protocol": (
        "KnowledgeStepProtocol",
        "StepCapabilities",
        "StepContextProtocol",
        "StepRequirements",
    ),
    "steps.split_documents": (
        "SplitDocuments",
        "SplitDocumentsConfig",
        "SplitDocumentsResult",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"heta_framework.kb.{_HOME_OF[name]}"), name)
