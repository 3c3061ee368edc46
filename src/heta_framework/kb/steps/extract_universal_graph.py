"""The step that finds entities and relations in chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.components import ComponentRef, model_ref, store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.cache_writer import torn_pack_issues
from heta_framework.kb.derived.chunk_packs import read_chunks
from heta_framework.kb.errors import StepError
from heta_framework.kb.graphing.config_checks import check_attempts
from heta_framework.kb.graphing.extracting.cached_extraction import CachedExtraction
from heta_framework.kb.graphing.extracting.choosing import Extraction, checked_extraction, extractor_for
from heta_framework.kb.graphing.extracting.chunk_graph_packs import ChunkGraphPacks
from heta_framework.kb.graphing.extracting.tally import ExtractionTally
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

EXTRACT_STEP = "extract_universal_graph"
_CHUNKS_A_GROUP = 64


@dataclass(frozen=True)
class ExtractUniversalGraphConfig:
    """How entities and relations are found.

    Attributes:
        max_attempts: how often a model is asked about a text until its reply can be used.
        extraction: ``model``, ``lexical`` (no model), ``spacy``, or ``auto``: the recipe's language model, lexical
            where it has none.
        spacy_pipeline: an installed package, or a folder that a pipeline was saved to.
    """

    entities_prefix: str = "entities"
    relations_prefix: str = "relations"
    max_attempts: int = 3
    temperature: float = 0.0
    object_store: str | None = None
    language_model: str | None = None
    chunk_keys_artifact: str = "chunk_keys"
    entity_keys_artifact: str = "entity_keys"
    relation_keys_artifact: str = "relation_keys"
    result_artifact: str = "extract_universal_graph_result"
    extraction: Extraction = "auto"
    spacy_pipeline: str = "en_core_web_sm"

    def __post_init__(self) -> None:
        check_attempts(self.max_attempts, self.temperature)
        checked_extraction(self.extraction)


@dataclass(frozen=True)
class ExtractUniversalGraphResult:
    """What was found.

    Attributes:
        entity_keys, relation_keys: the packs.
        chunk_count: chunks that this run looked at; ``entity_count`` and ``relation_count`` are those found in them.
        failed_entity_chunk_ids, failed_relation_chunk_ids: chunks that could not be extracted, or only in part.
        skipped_relation_chunk_ids: chunks with fewer than two entities.
    """

    entity_keys: tuple[str, ...]
    relation_keys: tuple[str, ...]
    chunk_count: int
    entity_count: int
    relation_count: int
    failed_entity_chunk_ids: tuple[str, ...]
    failed_relation_chunk_ids: tuple[str, ...]
    skipped_relation_chunk_ids: tuple[str, ...]


class ExtractUniversalGraph:
    """Finds entities and relations in every chunk; a text is extracted once, however many knowledge bases hold it.

    A chunk about which a model gives no usable reply is reported and left out; the step fails only when the model
    never replies at all.
    """

    name = EXTRACT_STEP

    def __init__(self, config: ExtractUniversalGraphConfig | None = None) -> None:
        self.config = config or ExtractUniversalGraphConfig()

    @property
    def requirements(self) -> StepRequirements:
        """Chunks; a language model only where one is asked for."""
        components = {store_ref("objects", self.config.object_store), *self._models()}
        return StepRequirements(frozenset(components), frozenset({self.config.chunk_keys_artifact}))

    @property
    def capabilities(self) -> StepCapabilities:
        """The packs of what was found."""
        config = self.config
        artifacts = {config.entity_keys_artifact, config.relation_keys_artifact, config.result_artifact}
        return StepCapabilities(frozenset(artifacts))

    async def run(self, context: StepContextProtocol) -> None:
        """Extract all chunks, or those that an update adds.

        Raises:
            StepError: the model replied about none of the texts that it was asked about.
        """
        run = execution(context)
        config = self.config
        objects = run.objects(config.object_store)
        prefixes = (config.entities_prefix, config.relations_prefix)
        artifacts = (config.entity_keys_artifact, config.relation_keys_artifact)
        packs = await ChunkGraphPacks.opened(run, objects, prefixes, artifacts)
        extraction = self._extraction(run)
        tally = ExtractionTally(self.name)
        keys = run.get_artifact(config.chunk_keys_artifact) if run.delta.full else run.delta.added_chunk_keys
        async for chunks in read_chunks(objects, keys):
            for group in _groups(chunks):
                await self._extract(group, extraction, packs, tally, run)
        await extraction.close()
        for problem in torn_pack_issues(extraction.cache, self.name):
            run.report(problem)
        self._check_answered(extraction)
        await self._leave(run, packs, tally)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The packs."""
        config = self.config
        entities = pack_cleanup(artifacts, config.entity_keys_artifact, config.entities_prefix, config.object_store)
        relations = pack_cleanup(artifacts, config.relation_keys_artifact, config.relations_prefix, config.object_store)
        return StepCleanupPlan((*entities.targets, *relations.targets))

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the packs can be read."""
        run, store = execution(context), self.config.object_store
        names = (self.config.entity_keys_artifact, self.config.relation_keys_artifact)
        return all([await packs_are_whole(run, name, store) for name in names])

    def _models(self) -> set[ComponentRef]:
        config = self.config
        needed = config.extraction == "model" or (config.extraction == "auto" and config.language_model is not None)
        return {model_ref("language", config.language_model)} if needed else set()

    def _extraction(self, run: StepExecutionContext) -> CachedExtraction:
        config = self.config
        extractor = extractor_for(
            run,
            step=self.name,
            extraction=config.extraction,
            language_model=config.language_model,
            spacy_pipeline=config.spacy_pipeline,
            max_attempts=config.max_attempts,
            temperature=config.temperature,
        )
        cache = run.cache("extract", *extractor.settings, store=config.object_store)
        return CachedExtraction(extractor, cache)

    async def _extract(
        self,
        chunks: Sequence[Chunk],
        extraction: CachedExtraction,
        packs: ChunkGraphPacks,
        tally: ExtractionTally,
        run: StepExecutionContext,
    ) -> None:
        found = await extraction.of(chunks)
        for chunk in chunks:
            problem = tally.count(chunk, found[chunk.text_sha256])
            if problem is not None:
                run.report(problem)
        entities, relations = await packs.add([(chunk, found[chunk.text_sha256].graph) for chunk in chunks])
        tally.entities += entities
        tally.relations += relations
        run.progress(self.name, tally.chunks, run.delta.added_chunk_count)

    def _check_answered(self, extraction: CachedExtraction) -> None:
        count = extraction.count
        if count.asked and count.asked == count.unanswered:
            raise StepError(f"the model replied about none of {count.asked} texts: {count.problems[0]}")

    async def _leave(self, run: StepExecutionContext, packs: ChunkGraphPacks, tally: ExtractionTally) -> None:
        entity_keys, relation_keys = await packs.close()
        result = ExtractUniversalGraphResult(
            entity_keys,
            relation_keys,
            tally.chunks,
            tally.entities,
            tally.relations,
            tuple(tally.failed_entities),
            tuple(tally.failed_relations),
            tuple(tally.skipped_relations),
        )
        run.set_artifact(self.config.result_artifact, result)
        run.set_artifact(self.config.entity_keys_artifact, entity_keys)
        run.set_artifact(self.config.relation_keys_artifact, relation_keys)


def _groups(chunks: list[Chunk]) -> list[list[Chunk]]:
    """Groups small enough that progress is seen and a kill costs little."""
    return [chunks[start : start + _CHUNKS_A_GROUP] for start in range(0, len(chunks), _CHUNKS_A_GROUP)]
