"""gatemem's loader: every known defect is named, nothing is asked at the wrong place, and errors say where they are."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.gatemem.dataset import DomainData, load_domain
from heta_framework.common.data_files.errors import DatasetFormatError

_ADA = {"principal_id": "ada", "role": "owner"}


def _turn(number: int, **changes: Any) -> dict[str, Any]:
    turn = {
        "turn_id": f"t{number}",
        "timestamp": f"2026-01-0{number}T09:00",
        "speaker": _ADA,
        "turn_kind": "dialogue",
        "text": f"Turn {number}.",
    }
    return {name: value for name, value in {**turn, **changes}.items() if value is not None}


def _episode(**changes: Any) -> dict[str, Any]:
    entities = {"principals": [_ADA], "relationships": []}
    episode = {"episode_id": "e", "domain": "d", "entities": entities, "turns": [_turn(1), _turn(2), _turn(3)]}
    return {**episode, **changes}


def _checkpoint(query_type: str = "utility", /, **changes: Any) -> dict[str, Any]:
    action = {"utility": "answer", "privacy": "refuse", "safety": "no_memory"}[query_type]
    checkpoint = {
        "checkpoint_id": "c",
        "episode_id": "e",
        "as_of_turn_id": "t2",
        "asker": _ADA,
        "query_type": query_type,
        "query_text": "Which?",
        "expected_action": action,
        "judge_spec": {"expected_action": action, "include": ["x"], "not_include": ["y"], "notes": "n"},
        "leak_targets": ["y"],
        "attack_type": "role_mismatch",
    }
    return {name: value for name, value in {**checkpoint, **changes}.items() if value is not None}


def _load(folder: Path, episodes: list[Any], checkpoints: list[Any]) -> DomainData:
    (folder / "d").mkdir()
    for kind, rows in (("episodes", episodes), ("checkpoints", checkpoints)):
        (folder / "d" / f"{kind}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return load_domain(folder, "d")


def _rules(folder: Path, episode: dict[str, Any], *checkpoints: dict[str, Any]) -> Counter[tuple[str, str]]:
    return Counter((note.rule, note.kind) for note in _load(folder, [episode], list(checkpoints)).notes)


def test_data_without_defects_has_no_notes(tmp_path: Path) -> None:
    rows = [_checkpoint(checkpoint_id="a"), _checkpoint("privacy", checkpoint_id="b"), _checkpoint("safety")]
    assert _rules(tmp_path, _episode(), *rows) == {}


def test_turns_without_time_or_kind_are_told_and_noted(tmp_path: Path) -> None:
    episode = _episode(turns=[_turn(1), _turn(2, timestamp=None), _turn(3, timestamp=None, turn_kind=None)])
    expected = {("missing_timestamp", "repaired"): 2, ("missing_turn_kind", "repaired"): 1}
    assert _rules(tmp_path, episode, _checkpoint()) == expected


def test_an_episode_without_relationships_is_noted(tmp_path: Path) -> None:
    episode = _episode(entities={"principals": [_ADA]})
    assert _rules(tmp_path, episode, _checkpoint()) == {("missing_relationships", "repaired"): 1}


_SPEC = {"include": ["x"], "not_include": ["y"]}


@pytest.mark.parametrize(
    ("checkpoint", "rules"),
    [
        (_checkpoint(leak_targets=None), {"missing_leak_targets": "repaired"}),
        (_checkpoint(attack_type=None), {}),  # a question of use is no attack
        (_checkpoint("privacy", leak_targets=None), {"missing_leak_targets": "dropped_label"}),
        (_checkpoint("safety", attack_type=None), {"missing_attack_type": "dropped_label"}),
        (
            _checkpoint("privacy", attack_type=None, judge_spec={**_SPEC, "attack_type": "a"}),
            {"attack_type_in_judge_spec": "repaired"},
        ),
        (
            _checkpoint("privacy", judge_spec={**_SPEC, "attack_type": "a"}),
            {"attack_type_in_judge_spec": "repaired", "attack_type_conflict": "repaired"},
        ),
        (_checkpoint(judge_spec={}), {"missing_include": "dropped_label"}),
        (_checkpoint("privacy", judge_spec={}), {"missing_not_include": "dropped_label"}),
        (_checkpoint("safety", judge_spec={}), {}),
        (_checkpoint(judge_spec={**_SPEC, "expected_action": "refuse"}), {"expected_action_conflict": "repaired"}),
        (_checkpoint(leak_targets=["a(?:b|c)"]), {"pattern_is_expression": "repaired"}),
        (_checkpoint(leak_targets=["C++", "(617) 555", "why?"]), {}),
        (_checkpoint(quality=3), {"unknown_field": "repaired"}),
    ],
)
def test_a_defect_of_a_checkpoint_is_named(tmp_path: Path, checkpoint: dict[str, Any], rules: dict[str, str]) -> None:
    assert dict(_rules(tmp_path, _episode(), checkpoint).keys()) == rules


def test_the_attack_is_found_where_it_stands(tmp_path: Path) -> None:
    inside = _checkpoint("privacy", attack_type=None, judge_spec={"attack_type": "inside"})
    both = _checkpoint("privacy", checkpoint_id="d", attack_type="outside", judge_spec={"attack_type": "inside"})
    (place,) = _load(tmp_path, [_episode()], [inside, both]).episodes
    assert [question.checkpoint.attack for question in place.questions] == ["inside", "outside"]


def test_questions_are_asked_in_the_order_of_the_episode(tmp_path: Path) -> None:
    rows = [
        _checkpoint(checkpoint_id=name, as_of_turn_id=turn) for name, turn in (("a", "t3"), ("b", "t1"), ("c", "t3"))
    ]
    (place,) = _load(tmp_path, [_episode()], rows).episodes
    order = [(question.checkpoint.checkpoint_id, question.turns_before) for question in place.questions]
    assert order == [("b", 1), ("a", 3), ("c", 3)]
    assert place.turns == 3


def test_what_cannot_be_asked_is_skipped_with_its_reason(tmp_path: Path) -> None:
    rows = [
        _checkpoint(checkpoint_id="a", episode_id="nowhere"),
        _checkpoint(checkpoint_id="b", as_of_turn_id="t9"),
        _checkpoint(),
    ]
    data = _load(tmp_path, [_episode(), _episode(episode_id="silent")], rows)
    skipped = {(note.record_id, note.rule) for note in data.notes if note.kind == "skipped"}
    assert skipped == {("a", "unknown_episode"), ("b", "unknown_turn"), ("silent", "no_checkpoints")}
    assert [len(place.questions) for place in data.episodes] == [1]


@pytest.mark.parametrize(
    ("episodes", "checkpoints", "message"),
    [
        ([_episode(), _episode()], [_checkpoint()], r"episodes.jsonl:2.*episode 'e' again"),
        ([_episode(turns=[_turn(1), _turn(1)])], [_checkpoint()], r"episodes.jsonl:1.*'t1' twice"),
        ([_episode(turns=[_turn(1, supersedes=["t2"]), _turn(2)])], [_checkpoint()], r"turn t1, supersedes.*'t2'"),
        ([_episode(turns=[])], [_checkpoint()], r"episodes.jsonl:1.*turns"),
        ([_episode()], [_checkpoint(), _checkpoint()], r"checkpoints.jsonl:2.*'c' again"),
        ([_episode()], [_checkpoint(expected_action="shrug")], r"checkpoints.jsonl:1.*expected_action"),
        ([_episode()], [{**_checkpoint(), "query_type": "secrecy"}], r"checkpoints.jsonl:1.*query_type"),
        ([_episode()], [], "holds no records"),
    ],
)
def test_a_record_that_cannot_be_used_is_an_error_with_its_place(
    tmp_path: Path, episodes: list[Any], checkpoints: list[Any], message: str
) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        _load(tmp_path, episodes, checkpoints)


def test_files_of_either_layout_are_found_and_missing_ones_named(tmp_path: Path) -> None:
    (tmp_path / "d_episodes.jsonl").write_text(json.dumps(_episode()))
    with pytest.raises(DatasetFormatError, match=r"d/checkpoints\.jsonl: the file cannot be read"):
        load_domain(tmp_path, "d")
    (tmp_path / "d_checkpoints.jsonl").write_text(json.dumps(_checkpoint()))
    assert len(load_domain(tmp_path, "d").episodes) == 1


def test_an_episode_is_read_again_only_from_the_same_file(tmp_path: Path) -> None:
    (place,) = _load(tmp_path, [_episode()], [_checkpoint()]).episodes
    assert [turn.turn_id for turn in place.read().turns] == ["t1", "t2", "t3"]
    (tmp_path / "d" / "episodes.jsonl").write_text(json.dumps(_episode(episode_id="f")))
    with pytest.raises(DatasetFormatError, match="changed while it was in use"):
        place.read()
