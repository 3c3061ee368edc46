"""Keeps count of an extraction: what was found, and which chunks failed."""

from __future__ import annotations

from dataclasses import dataclass, field

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.extracting.extractor import Extracted
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

_FEWEST_RELATED = 2


@dataclass
class ExtractionTally:
    """The count of one run of the step that is called ``step``."""

    step: str
    chunks: int = 0
    entities: int = 0
    relations: int = 0
    failed_entities: list[str] = field(default_factory=list)
    failed_relations: list[str] = field(default_factory=list)
    skipped_relations: list[str] = field(default_factory=list)

    def count(self, chunk: Chunk, extracted: Extracted) -> StepIssue | None:
        """Take a chunk in; the issue where it failed."""
        self.chunks += 1
        if extracted.entities_failed is not None:
            self.failed_entities.append(chunk.chunk_id)
            return self._issue(chunk, "entity_extraction_failed", extracted.entities_failed, "left_out")
        if extracted.relations_failed is not None:
            self.failed_relations.append(chunk.chunk_id)
            return self._issue(chunk, "relation_extraction_failed", extracted.relations_failed, "kept_entities")
        if len(extracted.graph.entities) < _FEWEST_RELATED:
            self.skipped_relations.append(chunk.chunk_id)
        return None

    def _issue(self, chunk: Chunk, code: str, problem: str, action: str) -> StepIssue:
        return StepIssue(
            self.step,
            IssueSubject("chunk", chunk.chunk_id),
            f"{code.replace('_', ' ')} for a chunk of {chunk.object_key}: {problem}",
            code,
            resolution=IssueResolution(action, "the next run asks again"),
            details={"document_id": chunk.document_id},
        )
