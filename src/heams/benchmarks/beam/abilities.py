"""The ten abilities of BEAM, the field that holds the gold answer of each, and how its rubric is read."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

AbilityName = Literal[
    "abstention",
    "contradiction_resolution",
    "event_ordering",
    "information_extraction",
    "instruction_following",
    "knowledge_update",
    "multi_session_reasoning",
    "preference_following",
    "summarization",
    "temporal_reasoning",
]


class Ability(NamedTuple):
    """``gold_field`` holds the answer in a question's record; ``rule`` is the marker ``rubric_rule`` of its steps."""

    title: str
    gold_field: str
    rule: str = "items"


ABILITIES: Mapping[AbilityName, Ability] = {
    "abstention": Ability("Abstention", "ideal_response", "abstention"),
    "contradiction_resolution": Ability("Contradiction resolution", "ideal_answer"),
    "event_ordering": Ability("Event ordering", "answer", "order"),
    "information_extraction": Ability("Information extraction", "answer"),
    "instruction_following": Ability("Instruction following", "expected_compliance"),
    "knowledge_update": Ability("Knowledge update", "answer"),
    "multi_session_reasoning": Ability("Multi-session reasoning", "answer"),
    "preference_following": Ability("Preference following", "expected_compliance"),
    "summarization": Ability("Summarisation", "ideal_summary"),
    "temporal_reasoning": Ability("Temporal reasoning", "answer"),
}

ABSTENTION: AbilityName = "abstention"
EVENT_ORDERING: AbilityName = "event_ordering"
TEMPORAL_REASONING: AbilityName = "temporal_reasoning"
ALL_ABILITIES: tuple[AbilityName, ...] = tuple(ABILITIES)
