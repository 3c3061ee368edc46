"""Which labelled events a question needed, where each was recalled, and where in the history it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from heams.browse.index import Experiment
from heams.browse.queries.history_events import HistoryEvent, events_of
from heams.browse.views.sample.steps import type_of
from heams.evaluation.markers import EVIDENCE, EVIDENCE_NOTE
from heams.orchestration.results import RunResult, TranscriptStep

MOST_EVIDENCE = 200
"""Labelled events that are listed; a question may name thousands."""
Found = Literal["hit", "missing", "unjudged"]


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A labelled event: where it was found, its text and where in the history it is (None where that is unknown)."""

    id: str
    found: Found
    rank: int | None
    event: HistoryEvent | None
    text: str | None
    step: int | None
    relevance: float | None


def evidence_found(result: RunResult, at: int | None) -> tuple[int, int] | None:
    """How many of the labelled events of a step were found, and how many there are; None where nobody judged it."""
    step = next((step for step in result.transcript if step.index == at), None)
    evidence = evidence_ids(step) if step is not None else ()
    ranks = judged_ranks(result, step) if step is not None else None
    if not evidence or ranks is None:
        return None
    return sum(one in ranks for one in evidence), len(evidence)


def labelled_evidence(result: RunResult, at: int | None) -> frozenset[str]:
    """The ids of the events that hold the answer of a step."""
    step = next((step for step in result.transcript if step.index == at), None)
    return frozenset(evidence_ids(step)) if step is not None else frozenset()


def evidence_ids(step: TranscriptStep) -> tuple[str, ...]:
    """The ids of the events that hold the answer of a step."""
    named = _markers(step).get(EVIDENCE)
    return tuple(dict.fromkeys(map(str, named))) if isinstance(named, list | tuple) else ()


def _markers(step: TranscriptStep) -> Mapping[str, Any]:
    markers = step.action.get("step_evaluation_markers")
    return markers if isinstance(markers, Mapping) else {}


def evidence_note(step: TranscriptStep) -> str | None:
    """Why a step has no label, where the benchmark says."""
    said = _markers(step).get(EVIDENCE_NOTE)
    return str(said) if said else None


def judged_ranks(result: RunResult, step: TranscriptStep) -> Mapping[str, int] | None:
    """The rank of each labelled event that was found, as an evaluator of recall left it."""
    for record in result.records:
        ranks = record.audit.get("ranks") if record.step_index == step.index else None
        if isinstance(ranks, Mapping):
            return {str(name): rank for name, rank in ranks.items() if isinstance(rank, int)}
    return None


def evidence_views(
    experiment: Experiment,
    result: RunResult,
    step: TranscriptStep,
    evidence: Sequence[str],
    recalled: Mapping[str, tuple[int, str]],
) -> Iterator[EvidenceView]:
    """The labelled events of a step; ``recalled`` has rank and text key of the items that reached the agent, by id."""
    ranks = judged_ranks(result, step)
    told = _told_in(result)
    absent = [one for one in evidence if one not in told]
    events = events_of(experiment.results, result.history_id, absent) if result.history_id is not None else {}
    texts = experiment.texts({recalled[one][1] for one in absent if one in recalled and one not in events})
    relevance = _markers(step).get("evidence_relevance")
    graded = relevance if isinstance(relevance, Mapping) else {}
    for one in evidence:
        own, key = recalled.get(one, (None, ""))
        rank = ranks.get(one) if ranks is not None else own
        missing: Found = "missing" if ranks is not None else "unjudged"
        event = told.get(one) or events.get(one)
        grade = graded.get(one)
        yield EvidenceView(
            id=one,
            found="hit" if rank is not None else missing,
            rank=rank,
            event=event,
            text=_said(event) or texts.get(key),
            step=event.number - 1 if event is not None and one in told else None,
            relevance=grade if isinstance(grade, int | float) else None,
        )


def _said(event: HistoryEvent | None) -> str | None:
    content = event.fields.get("content") if event is not None else None
    return str(content) if content is not None else None


def _told_in(result: RunResult) -> dict[str, HistoryEvent]:
    """The events that the scenario itself told, by id: their numbers are those of its steps, from 1."""
    told = (step for step in result.transcript if type_of(step) in {"turn", "document_ingestion"})
    return {str(step.action["id"]): HistoryEvent(step.index + 1, step.action) for step in told if "id" in step.action}
