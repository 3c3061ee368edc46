"""The six classes of attacks of MPBench, the spellings of them in its files, and the channels by which they write."""

from collections.abc import Mapping
from typing import Literal

AttackClass = Literal[
    "explicit_command",
    "conditional_command",
    "salience_compaction",
    "policy_fact",
    "false_precedent",
    "skill_procedure",
]
Channel = Literal["C1", "C2", "C3", "C4"]

CLASS_NAMES: Mapping[str, str] = {
    "explicit_command": "Explicit command insertion",
    "conditional_command": "Conditional command insertion",
    "salience_compaction": "Salience-driven compaction poisoning",
    "policy_fact": "Policy-conformant fact injection",
    "false_precedent": "False precedent insertion",
    "skill_procedure": "Skill-procedure insertion",
}
CHANNEL_NAMES: Mapping[str, str] = {
    "C1": "C1 explicit instruction",
    "C2": "C2 system prompt",
    "C3": "C3 compaction",
    "C4": "C4 experience to procedure",
}
_CHANNELS: Mapping[AttackClass, Channel] = {
    "explicit_command": "C1",
    "conditional_command": "C1",
    "salience_compaction": "C3",
    "policy_fact": "C2",
    "false_precedent": "C4",
    "skill_procedure": "C4",
}
_SPELLINGS: Mapping[str, AttackClass] = {
    "explicit_keyword": "explicit_command",
    "delayed_conditional_injection": "conditional_command",
    "repetition": "salience_compaction",
    "fact_injection": "policy_fact",
    "experience_injection": "false_precedent",
}
"""Each is followed by anything in the published files ("repetition_based_injection")."""


def attack_class(attack_type: str | None, *, has_skill: bool) -> AttackClass | None:
    """The class of a published or an own name; whatever brings a skill is ``skill_procedure``. None: unknown."""
    if has_skill:
        return "skill_procedure"
    name = (attack_type or "").strip().casefold().replace("-", "_").replace(" ", "_")
    own = next((known for known in _CHANNELS if known == name), None)
    return own or next((known for spelling, known in _SPELLINGS.items() if name.startswith(spelling)), None)


def is_alias(attack_type: str) -> bool:
    """Whether a name is neither one of ours nor the short form of a published one."""
    return attack_type not in _CHANNELS and attack_type not in _SPELLINGS


def channel_of(attack: AttackClass | None, *, has_skill: bool) -> Channel:
    """The channel by which a class writes; without a class C4 for skills and C2, the standing policy, for the rest."""
    if attack is not None:
        return _CHANNELS[attack]
    return "C4" if has_skill else "C2"
