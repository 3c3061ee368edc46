"""Facts that mean the same become one: vectors say which may, a language model says which do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.kb.graphing.asking import NoUsableReplyError, UnusableReplyError, ask_until_usable
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.merging.candidates import similar_sets
from heta_framework.kb.graphing.merging.kept_replies import KeptReplies
from heta_framework.kb.graphing.merging.kinds import FactKind, Merge
from heta_framework.kb.graphing.prompts import graph_prompt
from heta_framework.kb.graphing.storing.embedding import FactEmbedding
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

if TYPE_CHECKING:
    from heta_framework.common.models.language.protocol import LanguageModelProtocol


@dataclass(frozen=True)
class MergeSettings:
    """How facts are merged by meaning.

    Attributes:
        threshold: the least cosine of two facts that may be one.
        batch_size: how many facts a model sees at once.
        concurrency: how many batches are asked about at the same time.
        top_k: how many of its nearest a fact is compared with; None: all that are near enough.
    """

    step: str
    threshold: float
    batch_size: int
    concurrency: int
    max_rounds: int
    max_attempts: int
    temperature: float
    embed_purpose: str = "semantic_merge"
    phase: str | None = "semantic_mapping_merge"
    top_k: int | None = None


@dataclass
class MergeOutcome:
    """What came of it.

    Attributes:
        merged: how many facts became part of another.
        failed: how many batches stay unmerged because no reply could be used.
    """

    facts: list[Fact]
    merged: int = 0
    failed: int = 0
    rounds: int = 0
    issues: list[StepIssue] = field(default_factory=list)


class SemanticMerge:
    """Merges facts of one kind."""

    def __init__(
        self,
        kind: FactKind,
        settings: MergeSettings,
        *,
        language: LanguageModelProtocol,
        embedding: FactEmbedding,
        replies: KeptReplies,
        may_merge: Callable[[Sequence[Fact]], bool] = lambda _: True,
    ) -> None:
        """Set out.

        Args:
            may_merge: whether a set of similar facts is to be looked at.
        """
        self._kind = kind
        self._settings = settings
        self._language = language
        self._embedding = embedding
        self._replies = replies
        self._may_merge = may_merge
        self._asked: set[str] = set()

    async def run(self, facts: list[Fact]) -> MergeOutcome:
        """Merge until a round merges nothing, or for ``max_rounds`` rounds."""
        outcome = MergeOutcome(facts)
        for _ in range(self._settings.max_rounds):
            batches = [batch for batch in await self._batches(outcome.facts) if self._is_new(batch)]
            if not batches:
                break
            outcome.rounds += 1
            if not await self._round(batches, outcome):
                break
        return outcome

    async def _batches(self, facts: list[Fact]) -> list[list[Fact]]:
        settings, kind = self._settings, self._kind
        groups = kind.groups(facts)
        wanted = range(len(facts)) if groups is None else sorted({row for group in groups for row in group})
        if len(wanted) < 2:
            return []
        rows = await self._embedding.rows([kind.index_text(facts[row]) for row in wanted], settings.embed_purpose)
        place = {row: position for position, row in enumerate(wanted)}
        among = None if groups is None else [[place[row] for row in group] for group in groups]
        find = partial(similar_sets, rows, settings.threshold, among=among, top_k=settings.top_k)
        sets = [[facts[wanted[position]] for position in found] for found in await to_thread.run_sync(find)]
        return [batch for found in sets for batch in _split(found, settings.batch_size) if self._may_merge(batch)]

    def _is_new(self, batch: list[Fact]) -> bool:
        key = self._key(batch)
        fresh = key not in self._asked
        self._asked.add(key)
        return fresh

    async def _round(self, batches: list[list[Fact]], outcome: MergeOutcome) -> bool:
        from heta_framework.common.models.many import in_order

        replaced: dict[str, Fact] = {}
        gone: set[str] = set()
        for start in range(0, len(batches), self._settings.concurrency):
            group = batches[start : start + self._settings.concurrency]
            for batch, merges in zip(group, await in_order(self._ask(batch, outcome) for batch in group), strict=True):
                for merge in merges:
                    members = [batch[position] for position in merge.members]
                    joined = self._kind.joined(members, merge.said)
                    ids = {fact[self._kind.id_field] for fact in members}
                    replaced[joined[self._kind.id_field]] = joined
                    gone |= ids - {joined[self._kind.id_field]}
        outcome.merged += len(gone)
        id_field = self._kind.id_field
        outcome.facts = [replaced.get(fact[id_field], fact) for fact in outcome.facts if fact[id_field] not in gone]
        return bool(gone)

    async def _ask(self, batch: list[Fact], outcome: MergeOutcome) -> list[Merge]:
        """What the model wants merged; nothing where it gives no usable reply."""
        key = self._key(batch)
        kept = await self._replies.get(key)
        if kept is not None:
            return self._kind.read(kept, batch)
        try:
            reply, merges = await self._invoke(batch)
        except NoUsableReplyError as error:
            outcome.failed += 1
            outcome.issues.append(self._issue(batch, str(error)))
            return []
        await self._replies.keep(key, reply)
        return merges

    async def _invoke(self, batch: list[Fact]) -> tuple[dict[str, Any], list[Merge]]:
        settings = self._settings

        def read(reply: Any) -> tuple[dict[str, Any], list[Merge]]:
            if reply and not any(key in reply for key in self._kind.reply_keys):
                raise UnusableReplyError(f"it has neither {' nor '.join(self._kind.reply_keys)}")
            return dict(reply), self._kind.read(reply, batch)

        return await ask_until_usable(
            self._language,
            graph_prompt(self._kind.prompt),
            {"entries": self._listed(batch)},
            read,
            keys=(),
            trace_context={"step": settings.step, **({"phase": settings.phase} if settings.phase else {})},
            max_attempts=settings.max_attempts,
            temperature=settings.temperature,
        )

    def _listed(self, batch: list[Fact]) -> str:
        return json.dumps([self._kind.listing(fact) for fact in batch], ensure_ascii=False, indent=1)

    def _key(self, batch: list[Fact]) -> str:
        return hashlib.sha256(self._listed(batch).encode("utf-8", "replace")).hexdigest()

    def _issue(self, batch: list[Fact], problem: str) -> StepIssue:
        names = ", ".join(str(fact["name"]) for fact in batch[:3])
        return StepIssue(
            self._settings.step,
            IssueSubject("dedup_group", batch[0][self._kind.id_field]),
            f"{len(batch)} similar facts ({names} ...) stay unmerged: {problem}",
            "deduplication_failed",
            resolution=IssueResolution("kept_original_records", "the facts stay apart"),
        )


def _split(facts: list[Fact], size: int) -> list[list[Fact]]:
    parts = [facts[start : start + size] for start in range(0, len(facts), size)]
    return [part for part in parts if len(part) > 1]
