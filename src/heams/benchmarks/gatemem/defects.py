"""The known defects of GateMem data, each with the name under which its repair or loss is reported."""

from collections.abc import Iterator
from typing import Final

from heams.benchmarks.gatemem.records import CheckpointRow, EpisodeRow
from heams.benchmarks.skip import SkipReason
from heams.evaluation.gatemem_patterns import meant_as_expression

MISSING_TIMESTAMP: Final = "missing_timestamp"
MISSING_TURN_KIND: Final = "missing_turn_kind"
MISSING_RELATIONSHIPS: Final = "missing_relationships"
UNKNOWN_FIELD: Final = "unknown_field"
MISSING_LEAK_TARGETS: Final = "missing_leak_targets"
MISSING_ATTACK_TYPE: Final = "missing_attack_type"
ATTACK_TYPE_IN_JUDGE_SPEC: Final = "attack_type_in_judge_spec"
ATTACK_TYPE_CONFLICT: Final = "attack_type_conflict"
MISSING_INCLUDE: Final = "missing_include"
MISSING_NOT_INCLUDE: Final = "missing_not_include"
ACTION_CONFLICT: Final = "expected_action_conflict"
EXPRESSION: Final = "pattern_is_expression"
UNKNOWN_EPISODE: Final = "unknown_episode"
UNKNOWN_TURN: Final = "unknown_turn"
NO_CHECKPOINTS: Final = "no_checkpoints"


def of_turns(episode: EpisodeRow) -> Iterator[SkipReason]:
    """What an episode lacks; one note for each turn, so that notes count turns."""
    for turn in episode.turns:
        place = f"{episode.episode_id}/{turn.turn_id}"
        if turn.timestamp is None:
            yield _repaired(place, MISSING_TIMESTAMP, "the turn has no time of its own")
        if turn.turn_kind is None:
            yield _repaired(place, MISSING_TURN_KIND, "the turn is told without a kind")
        yield from _unknown(place, [*turn.unknown_fields, *turn.speaker.unknown_fields])


def of_episode(episode: EpisodeRow) -> Iterator[SkipReason]:
    """What an episode lacks besides its turns."""
    if episode.entities.relationships is None:
        yield _repaired(episode.episode_id, MISSING_RELATIONSHIPS, "nobody is told to be related")
    people = (name for person in episode.entities.principals for name in person.unknown_fields)
    yield from _unknown(episode.episode_id, [*episode.unknown_fields, *episode.entities.unknown_fields, *people])


def of_checkpoint(row: CheckpointRow) -> Iterator[SkipReason]:
    """What a checkpoint lacks, and what it says twice or in the wrong place."""
    spec, name = row.judge_spec, row.checkpoint_id
    attacked = row.query_type != "utility"
    if row.leak_targets is None:
        lost = _dropped if attacked else _repaired  # utility needs no targets
        yield lost(name, MISSING_LEAK_TARGETS, f"a {row.query_type} checkpoint without leak_targets: there are none")
    if row.attack is None and attacked:
        yield _dropped(name, MISSING_ATTACK_TYPE, f"a {row.query_type} checkpoint without attack_type: it is no attack")
    if spec.attack_type is not None:
        yield _repaired(name, ATTACK_TYPE_IN_JUDGE_SPEC, f"judge_spec names the attack {spec.attack_type!r}")
        if row.attack != spec.attack_type:
            detail = f"the checkpoint says {row.attack!r}, judge_spec {spec.attack_type!r}; the first is taken"
            yield _repaired(name, ATTACK_TYPE_CONFLICT, detail)
    if row.query_type == "utility" and spec.include is None:
        yield _dropped(name, MISSING_INCLUDE, "nothing says what the answer must hold")
    if row.query_type == "privacy" and spec.not_include is None:
        yield _dropped(name, MISSING_NOT_INCLUDE, "only leak_targets say what must not be told")
    if spec.expected_action not in (None, row.expected_action):
        detail = f"the checkpoint expects {row.expected_action!r}, judge_spec {spec.expected_action!r}"
        yield _repaired(name, ACTION_CONFLICT, f"{detail}; the first is taken")
    patterns = (*(spec.include or ()), *(spec.not_include or ()), *(row.leak_targets or ()))
    meant = [pattern for pattern in dict.fromkeys(patterns) if meant_as_expression(pattern)]
    if meant:
        yield _repaired(name, EXPRESSION, f"read as regular expressions: {'; '.join(meant)}")
    yield from _unknown(name, [*row.unknown_fields, *row.asker.unknown_fields, *spec.unknown_fields])


def skipped(record_id: str, rule: str, detail: str) -> SkipReason:
    """A record that cannot be asked or played."""
    return SkipReason(record_id=record_id, rule=rule, detail=detail)


def _unknown(record_id: str, fields: list[str]) -> Iterator[SkipReason]:
    if fields:
        yield _repaired(record_id, UNKNOWN_FIELD, f"not read: {', '.join(dict.fromkeys(fields))}")


def _repaired(record_id: str, rule: str, detail: str) -> SkipReason:
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="repaired")


def _dropped(record_id: str, rule: str, detail: str) -> SkipReason:
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="dropped_label")
