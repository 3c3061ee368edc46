"""What a saved result says of each question: which documents were retrieved, and which are relevant.

Documents are what was recalled: items of a memory, documents of a knowledge base. Labels name the events or documents
that hold the answer. An item that was judged to hold labelled events, but has an id of its own, goes by their ids, so
that a run and its labels speak of the same things.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from heams.evaluation.markers import EVIDENCE
from heams.orchestration.results import RunResult, SavedRecall, TranscriptStep

RELEVANCE = "evidence_relevance"
"""The marker with a label for each document, zero and negative ones too; without it, each of `EVIDENCE` is 1."""


class JudgedQuestion(NamedTuple):
    """One question. ``scores`` are empty where nothing was recalled, ``labels`` where nothing is labelled."""

    id: str
    scores: Mapping[str, float]
    labels: Mapping[str, int]


def questions_of(result: RunResult) -> Iterator[JudgedQuestion]:
    """The questions of a result: named after the sample, with the step's index behind where there are several."""
    asked = [step for step in result.transcript if step.action.get("type") == "user_stimulus"]
    for step in asked:
        name = result.sample_id if len(asked) == 1 else f"{result.sample_id}:{step.index}"
        yield JudgedQuestion(name, _scores(step.recalls or (), _places(result, step)), _labels(step))


def _labels(step: TranscriptStep) -> dict[str, int]:
    markers = step.action.get("step_evaluation_markers")
    if not isinstance(markers, Mapping):
        return {}
    relevance = markers.get(RELEVANCE)
    if isinstance(relevance, Mapping):
        return {str(name): level for name, level in relevance.items() if isinstance(level, int)}
    evidence = markers.get(EVIDENCE)
    return dict.fromkeys(map(str, evidence), 1) if isinstance(evidence, list | tuple) else {}


def _scores(recalls: Sequence[SavedRecall], places: Mapping[str, int]) -> dict[str, float]:
    """The best score of each document; 1 / rank where an item has none, or several recalls have scores of their own."""
    if len(recalls) == 1:
        items, given = list(recalls[0].ids), list(recalls[0].scores)
    else:
        items, given = list(dict.fromkeys(item for recall in recalls for item in recall.ids)), []
    own = [score for score in given if score is not None]
    scores = own if items and len(own) == len(items) else [1 / rank for rank in range(1, len(items) + 1)]
    best: dict[str, float] = {}
    for names, score in zip(_names(items, places), scores, strict=True):
        for name in names:
            best[name] = max(score, best.get(name, score))
    return best


def _names(items: Sequence[str], places: Mapping[str, int]) -> list[list[str]]:
    """For each item the events that were found in it, else its own id."""
    known = frozenset(items)
    names: list[list[str]] = [[] for _ in items]
    for event, rank in places.items():
        if event not in known and 1 <= rank <= len(items):
            names[rank - 1].append(event)
    return [found or [item] for found, item in zip(names, items, strict=True)]


def _places(result: RunResult, step: TranscriptStep) -> Mapping[str, int]:
    """At which rank each labelled event was found, as an evaluator of recall wrote it down."""
    for record in result.records:
        ranks = record.audit.get("ranks")
        if record.step_index == step.index and isinstance(ranks, Mapping):
            return {str(event): rank for event, rank in ranks.items() if isinstance(rank, int)}
    return {}
