"""A knowledge base: built from a recipe, kept in the recipe's stores, asked in query modes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from heta_framework.kb import deletion, updating
from heta_framework.kb.lifecycle import creating, loading
from heta_framework.kb.lifecycle.building import BuildPlan, Built, OnError, object_store_of
from heta_framework.kb.lifecycle.embedding_check import require_same_embedding
from heta_framework.kb.lifecycle.forgetting import listed_chunks
from heta_framework.kb.lifecycle.inputs import checked_inputs, checked_metadata, earlier_inputs
from heta_framework.kb.lifecycle.sources import listed_documents
from heta_framework.kb.manifest import MANIFEST_SCHEMA_VERSION, KnowledgeBaseManifest
from heta_framework.kb.recipe import KnowledgeRecipe
from heta_framework.kb.run_record import RecipeRunRecord
from heta_framework.kb.runtime import checked_name
from heta_framework.kb.search.assets import SearchAssetCollection
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT, QueryContext
from heta_framework.kb.search.registry import QueryEngineRegistry
from heta_framework.kb.search.types import QueryRequest, QueryResponse

if TYPE_CHECKING:
    from heta_framework.kb.builder import KnowledgeBaseBuilder
    from heta_framework.kb.chunks import Chunk
    from heta_framework.kb.context import Progress
    from heta_framework.kb.documents import DocumentEntry, DocumentLike
    from heta_framework.kb.overview import KnowledgeBaseOverview


@dataclass(frozen=True)
class KnowledgeBase:
    """A knowledge base as it stands; `update` and `resume` give a new object.

    Attributes:
        recipe: its models and stores answer queries.
        run_record: how the build, or the last update, went.
        created_at, updated_at: ISO 8601 in UTC.
        metadata: the caller's own.
        query_engines: what answers in which mode.
    """

    name: str
    description: str | None
    recipe: KnowledgeRecipe
    run_record: RecipeRunRecord
    created_at: str
    updated_at: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    query_engines: QueryEngineRegistry = field(default_factory=QueryEngineRegistry.defaults)

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", dict(self.metadata))

    def __repr__(self) -> str:
        modes = ", ".join(sorted(self.available_queries)) or "none"
        issues = len(self.run_record.issues)
        return f"<KnowledgeBase {self.name!r}: {self.run_record.status}, {issues} issues, modes: {modes}>"

    @classmethod
    async def create(
        cls,
        *,
        recipe: KnowledgeRecipe,
        name: str,
        description: str | None = None,
        initial_artifacts: Mapping[str, Any] | None = None,
        metadata: Mapping[str, str] | None = None,
        builder: KnowledgeBaseBuilder | None = None,
        on_error: OnError = "raise",
        progress: Progress | None = None,
        query_engines: QueryEngineRegistry | None = None,
        documents: Iterable[DocumentLike] | None = None,
    ) -> KnowledgeBase:
        """Build a knowledge base, or go on with one whose build did not finish.

        A build that failed, was cancelled or was killed is taken up under the same run id. Steps that are done are
        passed over as long as they, their models, the initial artifacts, the raw documents and everything before them
        are what they were.

        Args:
            name: at most 80 letters, digits, spaces, ``_`` and ``-``. Every exact name is a knowledge base of its own.
            initial_artifacts: what the first step finds; ``source_documents`` or ``source_keys`` say which raw
                documents go in, else all below ``raw/`` do.
            metadata: short values of the caller's own.
            on_error: ``raise``, or ``record``: a failed build is returned with ``run_record.status`` "failed".
            progress: called with a step's name, how much is done, and of how much (None: not known);
                `heta_framework.kb.progress_bar.progress_bar` gives one.
            query_engines: other engines than the built-in ones.
            documents: which raw documents go in, as `put_folder` and `put_documents` give them: the initial artifact
                ``source_documents``.

        Raises:
            TypeError: the recipe is none, e.g. the path of one.
            RecipeValidationError: the recipe cannot run.
            KnowledgeBaseAlreadyExistsError: a finished knowledge base has this name.
            KnowledgeBaseBusyError: it is being built at this moment.
            KnowledgeBuildError: a step failed.
        """
        _require_choice(on_error)
        _require_recipe(recipe)
        inputs = checked_inputs(initial_artifacts, documents)
        recipe.require_valid(initial_artifacts={*inputs, NAMESPACE_ARTIFACT})
        plan = BuildPlan(
            recipe=recipe,
            name=checked_name(name),
            description=description,
            inputs=inputs,
            metadata=checked_metadata(metadata),
            builder=builder,
            progress=progress,
        )
        built = await creating.create(plan)
        return cls._of(_checked(built, on_error), recipe, query_engines)

    @classmethod
    async def load(
        cls, *, recipe: KnowledgeRecipe, name: str, query_engines: QueryEngineRegistry | None = None
    ) -> KnowledgeBase:
        """Reopen a finished knowledge base.

        An update that a killed process left half done is finished first, and an index that the stores do not hold any
        more, as stores in memory after a restart, or whose files are damaged, is built again from what was kept.

        Raises:
            ValueError: the recipe has no object store.
            KnowledgeBaseNotFoundError: there is none of this name.
            KnowledgeBaseNotReadyError: its build did not finish.
            RecipeMismatchError: its vectors were made by another model than the recipe's.
            KnowledgeBuildError: what is missing could not be made again.
        """
        return cls._of(await loading.load(recipe, checked_name(name)), recipe, query_engines)

    @classmethod
    def restore(
        cls,
        *,
        manifest: KnowledgeBaseManifest,
        recipe: KnowledgeRecipe,
        query_engines: QueryEngineRegistry | None = None,
    ) -> KnowledgeBase:
        """A knowledge base from its manifest, without looking into the stores.

        Raises:
            RecipeMismatchError: its vectors were made by another model than the recipe's.
        """
        require_same_embedding(recipe, manifest.run_record.artifacts, manifest.name)
        return cls._of(manifest, recipe, query_engines)

    async def resume(
        self,
        *,
        builder: KnowledgeBaseBuilder | None = None,
        initial_artifacts: Mapping[str, Any] | None = None,
        on_error: OnError = "raise",
        progress: Progress | None = None,
    ) -> KnowledgeBase:
        """Run what is not done, what has changed in the recipe, and what the stores have lost.

        Raises:
            RecipeMismatchError: it is finished, and its vectors were made by another model than the recipe's.
            KnowledgeBuildError: a step failed.
        """
        _require_choice(on_error)
        given = initial_artifacts is not None
        inputs = checked_inputs(initial_artifacts) if given else earlier_inputs(self.run_record.artifacts)
        self.recipe.require_valid(initial_artifacts={*inputs, NAMESPACE_ARTIFACT})
        plan = self._plan(inputs, builder, progress)
        built = await loading.resume(self.manifest(), plan)
        return self._of(_checked(built, on_error), self.recipe, self.query_engines)

    async def update(
        self, *, add: Iterable[DocumentLike] = (), remove: Iterable[str] = (), progress: Progress | None = None
    ) -> KnowledgeBase:
        """Remove documents and add others, everywhere, without building the rest again.

        What was made of a removed document is forgotten: its chunks, vectors and facts go from all stores, and from
        the step cache what no other document and no other knowledge base shares with it. An update that fails did not
        happen; one whose process dies is finished by the next `load`.

        Args:
            add: keys of raw documents, `SourceDocument`s, or dicts with their fields. A document whose id is in takes
                the place of the one that has it.
            remove: document ids.

        Returns:
            the knowledge base after the update.

        Raises:
            LookupError: there is no document of an id to remove; nothing was changed.
            KnowledgeBuildError: a step failed; the knowledge base is what it was.
        """
        request = updating.UpdateRequest.of(add, remove)
        built = await updating.update(self.recipe, self.name, request, progress=progress, live=self.run_record)
        return self._of(built.manifest, self.recipe, self.query_engines)

    async def documents(self) -> list[DocumentEntry]:
        """The documents that are in."""
        return [entry async for entry in listed_documents(self._objects(), self.run_record.artifacts)]

    async def chunks(self) -> AsyncIterator[Chunk]:
        """All chunks, read pack by pack: ``async for chunk in await kb.chunks()``."""
        return listed_chunks(self._objects(), self.run_record.artifacts)

    async def overview(self) -> KnowledgeBaseOverview:
        """How many documents and chunks are in, which issues there were; ``print`` shows it as lines."""
        from heta_framework.kb.overview import overview_of

        return await overview_of(self)

    async def query(
        self,
        text: str | QueryRequest,
        *,
        mode: str | None = None,
        top_k: int = 10,
        filters: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        trace: bool = False,
    ) -> QueryResponse:
        """Ask a question.

        Args:
            text: the question, or a whole request; then ``mode`` counts where it names none, the rest not at all.
            mode: see `available_queries`; may be left out where there is one.
            top_k: how many results at most.
            filters: values that the metadata of a result's record must equal; ``document_metadata.year`` is the field
                ``year`` of the caller's own.
            options: settings of the mode.
            trace: let the response say what the engine did.

        Raises:
            ValueError: the question is blank, no mode is named and there is not exactly one, or a filter names a field
                that no record has.
            LookupError: the mode does not exist, or something that it needs is missing.
        """
        request = (
            text
            if isinstance(text, QueryRequest)
            else QueryRequest(text, mode, top_k, filters or {}, options or {}, trace)
        )
        chosen = request.mode or mode or self._only_mode()
        context = QueryContext(self.recipe, self.run_record, self.search_assets, self.query_engines)
        return await context.query(chosen, replace(request, mode=chosen))

    @property
    def search_assets(self) -> SearchAssetCollection:
        """What was built to be searched."""
        return SearchAssetCollection(self.run_record.capabilities.search_assets)

    @property
    def available_queries(self) -> frozenset[str]:
        """The modes whose assets and components are there."""
        return self.query_engines.available_modes_for(self.recipe, self.search_assets)

    def manifest(self) -> KnowledgeBaseManifest:
        """The knowledge base as data."""
        return KnowledgeBaseManifest(
            schema_version=MANIFEST_SCHEMA_VERSION,
            name=self.name,
            description=self.description,
            created_at=self.created_at,
            updated_at=self.updated_at,
            recipe=self.recipe.manifest(),
            run_record=self.run_record,
            metadata=self.metadata,
        )

    def delete_plan(self) -> deletion.KnowledgeBaseDeletePlan:
        """What `delete` would take away."""
        return deletion.delete_plan(self.recipe, self.name, self.run_record.artifacts)

    async def delete(self, *, dry_run: bool = False, purge: bool = False) -> deletion.KnowledgeBaseDeleteResult:
        """Take away what this knowledge base made. Raw documents and evaluation reports stay.

        Args:
            dry_run: only say what would go.
            purge: also discard what the step cache holds of its documents, unless another knowledge base uses it.

        Raises:
            KnowledgeBaseBusyError: it is being built or updated at this moment.
        """
        if dry_run:
            return deletion.KnowledgeBaseDeleteResult(dry_run=True, targets=self.delete_plan().targets)
        return await deletion.delete(self.recipe, self.name, self.run_record.artifacts, purge=purge)

    @classmethod
    def _of(
        cls, manifest: KnowledgeBaseManifest, recipe: KnowledgeRecipe, engines: QueryEngineRegistry | None
    ) -> KnowledgeBase:
        return cls(
            name=manifest.name,
            description=manifest.description,
            recipe=recipe,
            run_record=manifest.run_record,
            created_at=manifest.created_at,
            updated_at=manifest.updated_at,
            metadata=manifest.metadata,
            query_engines=engines if engines is not None else QueryEngineRegistry.defaults(),
        )

    def _plan(
        self, inputs: Mapping[str, Any], builder: KnowledgeBaseBuilder | None, progress: Progress | None
    ) -> BuildPlan:
        return BuildPlan(
            recipe=self.recipe,
            name=self.name,
            description=self.description,
            inputs=inputs,
            metadata=self.metadata,
            builder=builder,
            progress=progress,
        )

    def _objects(self) -> Any:
        objects = object_store_of(self.recipe)
        if objects is None:
            raise ValueError("recipe.stores.objects must satisfy ObjectStoreProtocol to list what is in a KB")
        return objects

    def _only_mode(self) -> str:
        modes = sorted(self.available_queries)
        if len(modes) != 1:
            raise ValueError(
                "query mode is required when zero or multiple query modes are available"
                f" (available: {', '.join(modes) or 'none'})"
            )
        return modes[0]


def _checked(built: Built, on_error: OnError) -> KnowledgeBaseManifest:
    if on_error == "raise":
        built.require_success()
    return built.manifest


def _require_choice(on_error: str) -> None:
    if on_error not in ("raise", "record"):
        raise ValueError(f"on_error must be 'raise' or 'record', found {on_error!r}")


def _require_recipe(recipe: object) -> None:
    if not isinstance(recipe, KnowledgeRecipe):
        found = type(recipe).__name__
        raise TypeError(f"recipe must be a KnowledgeRecipe, found {found}; load_recipe(path) reads one from a file")
