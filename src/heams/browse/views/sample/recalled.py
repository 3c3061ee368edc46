"""What the memory recalled for a question, and which of the labelled evidence was among it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from heams.browse.index import Experiment
from heams.browse.views.sample.evidence import (
    MOST_EVIDENCE,
    EvidenceView,
    evidence_ids,
    evidence_note,
    evidence_views,
    judged_ranks,
)
from heams.browse.views.sample.verdicts import title_of
from heams.orchestration.results import RunResult, SavedRecall, TranscriptStep
from heams.reporting.part_names import asks_without_agent

ITEMS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class RecalledItem:
    """An item: ``place`` in its recall (from 1), ``rank`` among all of the step (None where it came before).

    ``evidence`` is the labelled event that it holds; ``text`` is None where it was not saved.
    """

    place: int
    rank: int | None
    id: str
    score: float | None
    tokens: int
    key: str
    evidence: str | None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class RecallView:
    """One recall, with those of its items that are on the page."""

    number: int
    of: SavedRecall
    items: tuple[RecalledItem, ...]

    @property
    def tokens(self) -> int:
        """Tokens that reached the agent."""
        return sum(self.of.tokens)


@dataclass(frozen=True, slots=True)
class RecalledView:
    """The recalls of one step. ``questions`` are the steps that recalled, to choose from: index, title, items.

    ``judged``: whether an evaluator looked for the evidence; where none did, only equal ids are known to be hits.
    ``documents``: results of a query, which are ranked documents, instead of items of a memory.
    """

    step: int | None
    title: str
    recalls: tuple[RecallView, ...]
    evidence: tuple[EvidenceView, ...]
    more_evidence: int
    note: str | None
    judged: bool
    documents: bool
    questions: tuple[tuple[int, str, int], ...]
    page: int
    pages: int
    total: int

    @property
    def first(self) -> int:
        """The number of the first item of the page, over all recalls; 0 where there is none."""
        return (self.page - 1) * ITEMS_A_PAGE + 1 if self.total else 0

    @property
    def last(self) -> int:
        """The number of the last one."""
        return min(self.page * ITEMS_A_PAGE, self.total)

    @property
    def hits(self) -> int:
        """Labelled events that were found, of those that are listed."""
        return sum(one.found == "hit" for one in self.evidence)


def recalled(experiment: Experiment, result: RunResult, at: int | None, page: int) -> RecalledView:
    """The recalls of step ``at``; of the first step that recalled where it is none of those."""
    recalling = [step for step in result.transcript if step.recalls or step.action.get("type") == "user_stimulus"]
    step = next((step for step in recalling if step.index == at), recalling[0] if recalling else None)
    documents = asks_without_agent(experiment.results.config)
    questions = tuple((one.index, title_of(one), _size(one)) for one in recalling)
    if step is None:
        return RecalledView(None, "", (), (), 0, None, False, documents, questions, 1, 1, 0)
    evidence = evidence_ids(step)
    ranks = judged_ranks(result, step)
    recalls = list(_recalls(step, evidence, ranks, documents=documents))
    total = _size(step)
    pages = max(1, -(-total // ITEMS_A_PAGE))
    shown = min(page, pages)
    return RecalledView(
        step=step.index,
        title=title_of(step),
        recalls=tuple(_with_texts(experiment, _windowed(recalls, (shown - 1) * ITEMS_A_PAGE))),
        evidence=tuple(evidence_views(experiment, result, step, evidence[:MOST_EVIDENCE], _by_id(recalls))),
        more_evidence=max(0, len(evidence) - MOST_EVIDENCE),
        note=evidence_note(step),
        judged=ranks is not None,
        documents=documents,
        questions=questions,
        page=shown,
        pages=pages,
        total=total,
    )


def _by_id(recalls: Sequence[RecallView]) -> dict[str, tuple[int, str]]:
    """Rank and text key of every item where it came first."""
    return {item.id: (item.rank, item.key) for recall in recalls for item in recall.items if item.rank is not None}


def _size(step: TranscriptStep) -> int:
    return sum(len(recall.ids) for recall in step.recalls or ())


def _recalls(
    step: TranscriptStep, evidence: Sequence[str], ranks: Mapping[str, int] | None, *, documents: bool
) -> Iterator[RecallView]:
    """Ranks go on over the recalls of a step, and count an item once; those of documents count every result."""
    gold, at_rank = set(evidence), {rank: name for name, rank in (ranks or {}).items()}
    seen: set[str] = set()
    for number, recall in enumerate(step.recalls or (), start=1):
        items = []
        columns = zip(recall.ids, recall.scores, recall.tokens, recall.texts, strict=True)
        for place, (name, score, tokens, key) in enumerate(columns, start=1):
            again = name in seen and not documents
            seen.add(name)
            rank = None if again else (place if documents else len(seen))
            held = name if name in gold else (at_rank.get(rank) if rank is not None else None)
            items.append(RecalledItem(place, rank, name, score, tokens, key, held))
        yield RecallView(number, recall, tuple(items))


def _windowed(recalls: Sequence[RecallView], start: int) -> Iterator[RecallView]:
    """The recalls with the items of a page that begins at ``start``; those without any stay on the first page."""
    passed, end = 0, start + ITEMS_A_PAGE
    for recall in recalls:
        kept = recall.items[max(0, start - passed) : max(0, end - passed)]
        passed += len(recall.items)
        if kept or (start == 0 and not recall.items):
            yield replace(recall, items=kept)


def _with_texts(experiment: Experiment, recalls: Iterator[RecallView]) -> Iterator[RecallView]:
    shown = list(recalls)
    texts = experiment.texts({item.key for recall in shown for item in recall.items})
    for recall in shown:
        yield replace(recall, items=tuple(replace(item, text=texts.get(item.key)) for item in recall.items))
