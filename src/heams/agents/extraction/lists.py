"""Answers to open questions: the best span, or for "which books ..." the best spans of several items as a list."""

from __future__ import annotations

from collections.abc import Sequence

from heams.agents.extraction.question import Question
from heams.agents.extraction.ranking import Evidence
from heams.agents.extraction.spans import Span, best_span

_SENTENCES = 5
_SENTENCES_FOR_LISTS = 15
_NEARLY_AS_GOOD = 0.6  # of the best span's score


def best_of(question: Question, evidence: Sequence[Evidence], *, longest: int) -> str | None:
    """The best span of the best sentences; None when they say nothing new."""
    spans = (best_span(question, one, longest) for one in evidence[:_SENTENCES])
    best = max((span for span in spans if span), key=lambda span: span.score, default=None)
    return best.text if best else None


def listed(question: Question, evidence: Sequence[Evidence], *, longest: int, most: int) -> str | None:
    """At most ``most`` spans of different items, best first, without repetitions; None when nothing new is said."""
    found = sorted(_one_per_item(question, evidence[:_SENTENCES_FOR_LISTS], longest), key=lambda span: -span.score)
    kept: list[Span] = []
    for span in found:
        good = span.score >= _NEARLY_AS_GOOD * found[0].score
        if good and len(kept) < most and not any(span.stems <= other.stems for other in kept):
            kept.append(span)
    return ", ".join(span.text for span in kept) or None


def _one_per_item(question: Question, evidence: Sequence[Evidence], longest: int) -> list[Span]:
    best: dict[int, Span] = {}
    for one in evidence:
        span = best_span(question, one, longest)
        if span and (one.place not in best or span.score > best[one.place].score):
            best[one.place] = span
    return list(best.values())
