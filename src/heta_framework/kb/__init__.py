"""Knowledge bases: built from a recipe of models, stores, parsers and steps; asked in query modes.

Everything below is imported at its first use, so that naming this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from heta_framework.kb import search, steps

if TYPE_CHECKING:
    from heta_framework.kb.builder import KnowledgeBaseBuilder, KnowledgeBaseBuilderConfig
    from heta_framework.kb.chunks import Chunk
    from heta_framework.kb.components import KnowledgeModels, KnowledgeParsers, KnowledgeStores, MissingComponentError
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
    )
    from heta_framework.kb.graphing.entity import ExtractedEntity
    from heta_framework.kb.graphing.ids import (
        make_deduplicated_entity_id,
        make_deduplicated_relation_id,
        make_entity_id,
        make_relation_id,
    )
    from heta_framework.kb.graphing.relation import ExtractedRelation
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
    from heta_framework.kb.search import *  # noqa: F403
    from heta_framework.kb.steps import *  # noqa: F403
    from heta_framework.kb.validation import (
        RecipeValidationError,
        RecipeValidationIssue,
        RecipeValidationResult,
        ValidationSeverity,
    )

__all__ = [
    "Chunk",
    "Delta",
    "DocumentEntry",
    "DocumentParserProtocol",
    "DocumentParserRegistry",
    "ExtractedEntity",
    "ExtractedRelation",
    "GraphProcedureMode",
    "HetaGraphProcedure",
    "HtmlParser",
    "HtmlParserConfig",
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
    "KnowledgeStores",
    "MarkdownParser",
    "MissingComponentError",
    "NewDocument",
    "ParsedDocument",
    "ParsedPage",
    "ParsedSource",
    "ParsedTextContent",
    "PdfParser",
    "PdfParserConfig",
    "RecipeMismatchError",
    "RecipeRunRecord",
    "RecipeRunResult",
    "RecipeRunState",
    "RecipeRunStatus",
    "RecipeValidationError",
    "RecipeValidationIssue",
    "RecipeValidationResult",
    "SheetParser",
    "SheetParserConfig",
    "SourceDocument",
    "StepExecutionContext",
    "StepManifest",
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
    "put_documents",
    "put_folder",
]
__all__ += search.__all__
__all__ += steps.__all__

_HOMES = {
    "builder": (
        "KnowledgeBaseBuilder",
        "KnowledgeBaseBuilderConfig",
    ),
    "chunks": ("Chunk",),
    "components": (
        "KnowledgeModels",
        "KnowledgeParsers",
        "KnowledgeStores",
        "MissingComponentError",
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
    ),
    "graphing.entity": ("ExtractedEntity",),
    "graphing.ids": (
        "make_deduplicated_entity_id",
        "make_deduplicated_relation_id",
        "make_entity_id",
        "make_relation_id",
    ),
    "graphing.relation": ("ExtractedRelation",),
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
    "validation": (
        "RecipeValidationError",
        "RecipeValidationIssue",
        "RecipeValidationResult",
        "ValidationSeverity",
    ),
    "search": search.__all__,
    "steps": steps.__all__,
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
