"""Why a memory missed it: what was recalled in a single case, and which labelled evidence was not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heams.orchestration.saved_lines import saved_text
from heams.reporting.errors import ResultsError
from heams.reporting.lines import sound_lines
from heams.reporting.tables import Tables
from heams.reporting.worst import Case

if TYPE_CHECKING:
    from heams.reporting.load import ExperimentResults


@dataclass(frozen=True, slots=True)
class Evidence:
    """A labelled event. ``text`` is None where the history does not hold it."""

    id: str
    text: str | None


@dataclass(frozen=True, slots=True)
class CaseRecall:
    """``texts`` of the first recalled items out of ``items``; ``missed`` evidence, None where nobody judged recall."""

    items: int
    texts: tuple[str, ...]
    missed: tuple[Evidence, ...] | None


@dataclass(frozen=True, slots=True)
class _Question:
    history_id: str | None
    items: int
    texts: Sequence[str]
    evidence: Sequence[str]
    found: Sequence[str] | None


_QUESTION = """
    SELECT history_id, question.items, question.texts, question.evidence, (
        SELECT any_value(found) FROM records
        WHERE position = $position AND step_index IS NOT DISTINCT FROM $step AND found IS NOT NULL
    )
    FROM (SELECT history_id, unnest(questions) AS question FROM scenarios WHERE position = $position)
    WHERE question.step_index = $step
"""


def case_recalls(results: "ExperimentResults", tables: Tables, cases: Sequence[Case]) -> list[CaseRecall | None]:
    """What was recalled in each case; None for verdicts that are not on a question."""
    questions = [_question(tables, case) for case in cases]
    found = [question for question in questions if question is not None]
    texts = _texts(results, {key for question in found for key in question.texts})
    missed = {question.history_id for question in found if question.history_id and _missed(question)}
    events = {history_id: _events(results, history_id) for history_id in missed}
    return [
        None if question is None else _recall(question, texts, events.get(question.history_id or "", {}))
        for question in questions
    ]


def _question(tables: Tables, case: Case) -> _Question | None:
    rows = tables.rows(_QUESTION, {"position": case.position, "step": case.step_index})
    if not rows:
        return None
    history_id, items, texts, evidence, found = rows[0]
    return _Question(history_id, items, texts or (), evidence or (), found)


def _missed(question: _Question) -> list[str]:
    return [] if question.found is None else [key for key in question.evidence if key not in question.found]


def _recall(question: _Question, texts: Mapping[str, str], events: Mapping[str, str]) -> CaseRecall:
    missed = tuple(Evidence(key, events.get(key)) for key in _missed(question))
    return CaseRecall(
        question.items,
        tuple(texts.get(key, "(this text was not saved)") for key in question.texts),
        missed if question.found is not None and question.evidence else None,
    )


def _texts(results: "ExperimentResults", keys: Iterable[str]) -> dict[str, str]:
    """The texts of some keys: all the others are never kept in memory."""
    wanted = frozenset(keys)
    rows = sound_lines(results.directory / "texts.jsonl", saved_text, []) if wanted else ()
    return {row["id"]: row["text"] for _, row in rows if row["id"] in wanted}


def _events(results: "ExperimentResults", history_id: str) -> dict[str, str]:
    try:
        events = results.history(history_id)
    except ResultsError:
        return {}
    return {str(event["id"]): str(event.get("content", "")) for event in events if "id" in event}
