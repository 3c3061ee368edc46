"""The names of evaluation markers that built-in evaluators read from a step."""

from collections.abc import Iterator, Mapping
from typing import Any

from heams.scenarios.scenario import Scenario

EXPECTED_ANSWER = "expected_answer"
EVIDENCE = "evidence"
EVIDENCE_NOTE = "evidence_note"
EVIDENCE_SESSIONS = "evidence_sessions"
LEAK_TARGETS = "leak_targets"
RETAIN_TARGETS = "retain_targets"
DISCLOSURE = "disclosure"
OPTIONS = "options"
RIGHT_OPTION = "right_option"
PLANTED_MEMORY = "expected_memory"
BENIGN_MEMORY = "benign_memory"
PREFERENCE = "preference"
STALE = "stale"


def expected_answers(markers: Mapping[str, Any]) -> tuple[str, ...]:
    """The gold answers of a step: a string, a number or a list of them; empty when the step has no label."""
    gold = markers.get(EXPECTED_ANSWER)
    if gold is None:
        return ()
    return tuple(str(answer) for answer in (gold if isinstance(gold, list | tuple) else [gold]))


def evidence_ids(markers: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the events that hold the answer."""
    evidence = markers.get(EVIDENCE) or ()
    return tuple(str(event_id) for event_id in evidence)


def leak_targets(markers: Mapping[str, Any]) -> tuple[str, ...]:
    """What a step must not give away."""
    return tuple(str(target) for target in markers.get(LEAK_TARGETS) or ())


def retain_targets(markers: Mapping[str, Any]) -> tuple[str, ...]:
    """What a step must still be able to tell."""
    return tuple(str(target) for target in markers.get(RETAIN_TARGETS) or ())


def stimulus_steps(scenario: Scenario) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Index and markers of every step that the agent answers."""
    for index, action in enumerate(scenario.actions):
        if action.type == "user_stimulus":
            yield index, action.step_evaluation_markers
