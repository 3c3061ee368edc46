"""How a haystack is put before memory and agent: sessions at their dates, under names that tell nothing.

Published ids give gold away: those of evidence sessions begin with ``answer_``, those of unanswerable questions end in
``_abs``. Here both are called by their place in the file, which leads back to the published ids; turns lose their mark.
"""

from collections.abc import Iterator

from heams.benchmarks.longmemeval.dataset import Question, Session
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn


def question_name(number: int) -> str:
    """The name of the question that stands ``number``-th in the file, from 0."""
    return f"question-{number + 1:04d}"


def session_name(session: Session) -> str:
    """The name of a session: ``session-7`` is the seventh of ``haystack_session_ids``."""
    return f"session-{session.number + 1}"


def history_of(question: Question, number: int) -> SharedHistory:
    """All sessions in their order."""
    return SharedHistory(id=question_name(number), events=tuple(_events(question)))


def evidence_of(question: Question) -> list[str]:
    """The turns that are marked as evidence."""
    return [
        turn_name(session, place)
        for session in question.sessions
        if session.is_evidence
        for place, turn in session.turns
        if turn.has_answer
    ]


def evidence_sessions_of(question: Question) -> list[list[str]]:
    """All turns of each session that holds evidence."""
    return [
        [turn_name(session, place) for place, _ in session.turns]
        for session in question.sessions
        if session.is_evidence
    ]


def turn_name(session: Session, place: int) -> str:
    """The name of a turn: ``s7-t2`` is the second of the seventh session."""
    return f"s{session.number + 1}-t{place + 1}"


def _events(question: Question) -> Iterator[HistoryEvent]:
    for session in question.sessions:
        yield SessionBoundary(session_id=session_name(session), at=session.at)
        for place, turn in session.turns:
            yield Turn(
                id=turn_name(session, place),
                content=turn.content,
                speaker=turn.role,
                role=turn.role,
                at=session.at,
                session_id=session_name(session),
            )
