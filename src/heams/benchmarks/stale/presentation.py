"""How a scenario is put before memory and agent: sessions at their times, under names that tell nothing.

The uid of a scenario begins with its type, so that neither history nor question carries it; tags do, which only
reports see.
"""

from collections.abc import Iterator

from heams.benchmarks.stale.dataset import Scenario, Session
from heams.benchmarks.stale.probes import PROBES, Probe
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn


def history_name(number: int) -> str:
    """The name of the scenario that stands ``number``-th in the file, from 0."""
    return f"scenario-{number + 1:04d}"


def question_name(number: int, probe: Probe) -> str:
    """The name of one of its probes."""
    return f"{history_name(number)}-q{PROBES.index(probe) + 1}"


def history_of(scenario: Scenario, number: int) -> SharedHistory:
    """All sessions in their order."""
    return SharedHistory(id=history_name(number), events=tuple(_events(scenario)))


def evidence_of(scenario: Scenario) -> list[str]:
    """The user's turns of the session that tells what holds: the new state, or in a control the old one."""
    if scenario.evidence is None:
        return []
    old, new = scenario.evidence
    told = old if scenario.type == "control" else new
    return [
        _turn_name(session, place)
        for session in scenario.sessions
        if session.number == told
        for place, turn in session.turns
        if turn.role == "user"
    ]


def _events(scenario: Scenario) -> Iterator[HistoryEvent]:
    for session in scenario.sessions:
        name = f"session-{session.number + 1}"
        yield SessionBoundary(session_id=name, at=session.at)
        for place, turn in session.turns:
            yield Turn(
                id=_turn_name(session, place),
                content=turn.content,
                speaker=turn.role,
                role=turn.role,
                at=session.at,
                session_id=name,
            )


def _turn_name(session: Session, place: int) -> str:
    return f"s{session.number + 1}-t{place + 1}"
