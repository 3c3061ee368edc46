"""Knowledge bases: built from a recipe of models, stores, parsers and steps; asked in query modes.

Everything below is imported at its first use, so that naming this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.kb.builder import KnowledgeBaseBuilder, KnowledgeBaseBuilderConfig
    from heta_framework.kb.chunks import Chunk
    from heta_framework.kb.components import (
        ComponentRef,
        KnowledgeModels,
        KnowledgeParsers,
        KnowledgeStores,
        MissingComponentError,
        model_ref,
        parser_ref,
        store_ref,
    )
    from heta_framework.kb.context import StepExecutionContext
    from heta_framework.kb.deletion import KnowledgeBaseDeletePlan, KnowledgeBaseDeleteResult
    from heta_framework.kb.delta import Delta
    from heta_framework.kb.documents import DocumentEntry, SourceDocument
    from heta_framework.kb.errors import (
        KnowledgeBaseAlreadyExistsError,
        KnowledgeBaseBusyError,
        KnowledgeBaseNotFoundError,
        KnowledgeBaseNotReadyError,
        KnowledgeBuildError,
        RecipeMismatchError,
        StepError,
    )
    from heta_framework.kb.graphing.entity import ExtractedEntity
    from heta_framework.kb.graphing.ids import (
        make_deduplicated_entity_id,
        make_deduplicated_relation_id,
        make_entity_id,
        make_relation_id,
    )
    from heta_framework.kb.graphing.relation import ExtractedRelation
    from heta_framework.kb.graphing.tables import GraphTableNames, GraphVectorCollections
    from heta_framework.kb.knowledge_base import KnowledgeBase
    from heta_framework.kb.listing import list_knowledge_bases
    from heta_framework.kb.manifest import KnowledgeBaseManifest
    from heta_framework.kb.overview import KnowledgeBaseOverview
    from heta_framework.kb.parsing.html import HtmlParser, HtmlParserConfig
    from heta_framework.kb.parsing.json_lines import JsonLinesParser
    from heta_framework.kb.parsing.markdown import MarkdownParser
    from heta_framework.kb.parsing.pdf import PdfParser, PdfParserConfig
    from heta_framework.kb.parsing.protocol import DocumentParserProtocol
    from heta_framework.kb.parsing.registry import DocumentParserRegistry
    from heta_framework.kb.parsing.sheets import SheetParser, SheetParserConfig
    from heta_framework.kb.parsing.text import TextParser, TextParserConfig
    from heta_framework.kb.parsing.types import (
        ParsedDocument,
        ParsedPage,
        ParsedSource,
        ParsedTextContent,
        compute_content_sha256,
        make_document_id,
        make_parsed_source,
    )
    from heta_framework.kb.procedures.heta_graph import GraphProcedureMode, HetaGraphProcedure
    from heta_framework.kb.procedures.protocol import KnowledgeProcedureProtocol
    from heta_framework.kb.putting import NewDocument, put_documents, put_folder
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.recipe_manifest import KnowledgeRecipeManifest, StepManifest
    from heta_framework.kb.run_record import (
        RecipeRunRecord,
        RecipeRunResult,
        RecipeRunStatus,
        StepRunRecord,
        StepRunStatus,
    )
    from heta_framework.kb.run_state import RecipeRunState
    from heta_framework.kb.runtime import KnowledgeBaseRuntime
    from heta_framework.kb.search.assets import SearchAsset, SearchAssetCollection, SearchAssetRef
    from heta_framework.kb.search.context import QueryContext
    from heta_framework.kb.search.protocol import QueryEngineProtocol
    from heta_framework.kb.search.registry import QueryEngineRegistry
    from heta_framework.kb.search.types import (
        QueryCitation,
        QueryInsight,
        QueryRequest,
        QueryResponse,
        QueryResult,
        QueryTraceEvent,
    )
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
    from heta_framework.kb.validation import (
        RecipeValidationError,
        RecipeValidationIssue,
        RecipeValidationResult,
        ValidationSeverity,
    )

__all__ = [
    "BuildGraph",
    "BuildGraphConfig",
    "BuildGraphResult",
    "Chunk",
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
    "Delta",
    "DocumentEntry",
    "DocumentParserProtocol",
    "DocumentParserRegistry",
    "EmbedChunks",
    "EmbedChunksConfig",
    "EmbedChunksResult",
    "ExtractUniversalGraph",
    "ExtractUniversalGraphConfig",
    "ExtractUniversalGraphResult",
    "ExtractedEntity",
    "ExtractedRelation",
    "FullTextIndexNames",
    "GraphProcedureMode",
    "GraphTableNames",
    "GraphVectorCollections",
    "HetaGraphProcedure",
    "HtmlParser",
    "HtmlParserConfig",
    "IndexFullText",
    "IndexFullTextConfig",
    "IndexFullTextResult",
    "IndexVectors",
    "IndexVectorsConfig",
    "IndexVectorsResult",
    "IssueResolution",
    "IssueSubject",
    "JsonLinesParser",
    "KnowledgeBase",
    "KnowledgeBaseAlreadyExistsError",
    "KnowledgeBaseBuilder",
    "KnowledgeBaseBuilderConfig",
    "KnowledgeBaseBusyError",
    "KnowledgeBaseDeletePlan",
    "KnowledgeBaseDeleteResult",
    "KnowledgeBaseManifest",
    "KnowledgeBaseNotFoundError",
    "KnowledgeBaseNotReadyError",
    "KnowledgeBaseOverview",
    "KnowledgeBaseRuntime",
    "KnowledgeBuildError",
    "KnowledgeModels",
    "KnowledgeParsers",
    "KnowledgeProcedureProtocol",
    "KnowledgeRecipe",
    "KnowledgeRecipeManifest",
    "KnowledgeStepProtocol",
    "KnowledgeStores",
    "MarkdownParser",
    "MergeGraphIntoStore",
    "MergeGraphIntoStoreConfig",
    "MergeGraphIntoStoreResult",
    "MissingComponentError",
    "NewDocument",
    "ParseDocuments",
    "ParseDocumentsConfig",
    "ParseDocumentsResult",
    "ParsedDocument",
    "ParsedPage",
    "ParsedSource",
    "ParsedTextContent",
    "PdfParser",
    "PdfParserConfig",
    "PersistChunks",
    "PersistChunksConfig",
    "PersistChunksResult",
    "QueryCitation",
    "QueryContext",
    "QueryEngineProtocol",
    "QueryEngineRegistry",
    "QueryInsight",
    "QueryRequest",
    "QueryResponse",
    "QueryResult",
    "QueryTraceEvent",
    "RecipeMismatchError",
    "RecipeRunRecord",
    "RecipeRunResult",
    "RecipeRunState",
    "RecipeRunStatus",
    "RecipeValidationError",
    "RecipeValidationIssue",
    "RecipeValidationResult",
    "SearchAsset",
    "SearchAssetCollection",
    "SearchAssetRef",
    "SheetParser",
    "SheetParserConfig",
    "SourceDocument",
    "SplitDocuments",
    "SplitDocumentsConfig",
    "SplitDocumentsResult",
    "StepCapabilities",
    "StepCleanupPlan",
    "StepContextProtocol",
    "StepError",
    "StepExecutionContext",
    "StepIssue",
    "StepManifest",
    "StepRequirements",
    "StepRunRecord",
    "StepRunStatus",
    "TextParser",
    "TextParserConfig",
    "ValidationSeverity",
    "compute_content_sha256",
    "list_knowledge_bases",
    "make_deduplicated_entity_id",
    "make_deduplicated_relation_id",
    "make_document_id",
    "make_entity_id",
    "make_parsed_source",
    "make_relation_id",
    "model_ref",
    "parser_ref",
    "put_documents",
    "put_folder",
    "store_ref",
]

_HOMES = {
    "builder": (
        "KnowledgeBaseBuilder",
        "KnowledgeBaseBuilderConfig",
    ),
    "chunks": ("Chunk",),
    "components": (
        "ComponentRef",
        "KnowledgeModels",
        "KnowledgeParsers",
        "KnowledgeStores",
        "MissingComponentError",
        "model_ref",
        "parser_ref",
        "store_ref",
    ),
    "context": ("StepExecutionContext",),
    "deletion": (
        "KnowledgeBaseDeletePlan",
        "KnowledgeBaseDeleteResult",
    ),
    "delta": ("Delta",),
    "documents": (
        "DocumentEntry",
        "SourceDocument",
    ),
    "errors": (
        "KnowledgeBaseAlreadyExistsError",
        "KnowledgeBaseBusyError",
        "KnowledgeBaseNotFoundError",
        "KnowledgeBaseNotReadyError",
        "KnowledgeBuildError",
        "RecipeMismatchError",
        "StepError",
    ),
    "graphing.entity": ("ExtractedEntity",),
    "graphing.ids": (
        "make_deduplicated_entity_id",
        "make_deduplicated_relation_id",
        "make_entity_id",
        "make_relation_id",
    ),
    "graphing.relation": ("ExtractedRelation",),
    "graphing.tables": (
        "GraphTableNames",
        "GraphVectorCollections",
    ),
    "knowledge_base": ("KnowledgeBase",),
    "listing": ("list_knowledge_bases",),
    "manifest": ("KnowledgeBaseManifest",),
    "overview": ("KnowledgeBaseOverview",),
    "parsing.html": (
        "HtmlParser",
        "HtmlParserConfig",
    ),
    "parsing.json_lines": ("JsonLinesParser",),
    "parsing.markdown": ("MarkdownParser",),
    "parsing.pdf": (
        "PdfParser",
        "PdfParserConfig",
    ),
    "parsing.protocol": ("DocumentParserProtocol",),
    "parsing.registry": ("DocumentParserRegistry",),
    "parsing.sheets": (
        "SheetParser",
        "SheetParserConfig",
    ),
    "parsing.text": (
        "TextParser",
        "TextParserConfig",
    ),
    "parsing.types": (
        "ParsedDocument",
        "ParsedPage",
        "ParsedSource",
        "ParsedTextContent",
        "compute_content_sha256",
        "make_document_id",
        "make_parsed_source",
    ),
    "procedures.heta_graph": (
        "GraphProcedureMode",
        "HetaGraphProcedure",
    ),
    "procedures.protocol": ("KnowledgeProcedureProtocol",),
    "putting": (
        "NewDocument",
        "put_documents",
        "put_folder",
    ),
    "recipe": ("KnowledgeRecipe",),
    "recipe_manifest": (
        "KnowledgeRecipeManifest",
        "StepManifest",
    ),
    "run_record": (
        "RecipeRunRecord",
        "RecipeRunResult",
        "RecipeRunStatus",
        "StepRunRecord",
        "StepRunStatus",
    ),
    "run_state": ("RecipeRunState",),
    "runtime": ("KnowledgeBaseRuntime",),
    "search.assets": (
        "SearchAsset",
        "SearchAssetCollection",
        "SearchAssetRef",
    ),
    "search.context": ("QueryContext",),
    "search.protocol": ("QueryEngineProtocol",),
    "search.registry": ("QueryEngineRegistry",),
    "search.types": (
        "QueryCitation",
        "QueryInsight",
        "QueryRequest",
        "QueryResponse",
        "QueryResult",
        "QueryTraceEvent",
    ),
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
    "validation": (
        "RecipeValidationError",
        "RecipeValidationIssue",
        "RecipeValidationResult",
        "ValidationSeverity",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"heta_framework.kb.{_HOME_OF[name]}"), name)
