"""The bundled data set `locomo_mini` has LoCoMo's format, and its evidence supports its answers."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

_FILE = Path(__file__).parents[3] / "datasets" / "locomo_mini" / "locomo_mini.json"
_SAMPLES: list[dict[str, Any]] = json.loads(_FILE.read_text("utf-8"))
_MULTI_HOP, _TEMPORAL, _OPEN_DOMAIN, _SINGLE_HOP, _ADVERSARIAL = 1, 2, 3, 4, 5

_DAYS_AGO = {  # longest phrase first: "yesterday" is part of "the day before yesterday"
    "day before yesterday": 2,
    "two days ago": 2,
    "three days ago": 3,
    "a week ago": 7,
    "a week from today": -7,
    "last night": 1,
    "yesterday": 1,
}
_WEEKDAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"

each_sample = pytest.mark.parametrize("sample", _SAMPLES, ids=[sample["sample_id"] for sample in _SAMPLES])


def _sessions(sample: dict[str, Any]) -> dict[int, list[dict[str, Any]]]:
    found = {re.fullmatch(r"session_(\d+)", key): turns for key, turns in sample["conversation"].items()}
    return {int(match[1]): turns for match, turns in found.items() if match}


def _turns(sample: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {turn["dia_id"]: turn for turns in _sessions(sample).values() for turn in turns}


def _day(sample: dict[str, Any], dia_id: str) -> date:
    session = dia_id.removeprefix("D").partition(":")[0]
    return _moment(sample["conversation"][f"session_{session}_date_time"]).date()


def _moment(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def _written(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _words(text: object) -> set[str]:
    return set(re.findall(r"\w+(?:[.,]\w+)*", str(text).casefold()))


def _evidence_words(sample: dict[str, Any], qa: dict[str, Any]) -> set[str]:
    turns = [_turns(sample)[dia_id] for dia_id in qa["evidence"]]
    return _words(" ".join(f"{turn['text']} {turn.get('blip_caption', '')}" for turn in turns))


def _questions(*categories: int) -> list[Any]:
    return [
        pytest.param(sample, qa, id=f"{sample['sample_id']}-{index}")
        for sample in _SAMPLES
        for index, qa in enumerate(sample["qa"])
        if qa["category"] in categories
    ]


def test_three_conversations_with_enough_questions_of_every_category() -> None:
    counts = Counter(qa["category"] for sample in _SAMPLES for qa in sample["qa"])
    assert [sample["sample_id"] for sample in _SAMPLES] == ["mini-1", "mini-2", "mini-3"]
    assert set(counts) == {_MULTI_HOP, _TEMPORAL, _OPEN_DOMAIN, _SINGLE_HOP, _ADVERSARIAL}
    assert min(counts.values()) >= 15
    assert counts.total() >= 150


def test_small_enough_to_ship() -> None:
    assert _FILE.stat().st_size <= 400_000


@each_sample
def test_keys_are_those_of_locomo(sample: dict[str, Any]) -> None:
    assert set(sample) == {"qa", "conversation", "event_summary", "observation", "session_summary", "sample_id"}
    for turn in _turns(sample).values():
        keys = {"speaker", "dia_id", "text"} | ({"img_url", "blip_caption", "query"} if "img_url" in turn else set())
        assert set(turn) == keys


@each_sample
def test_long_enough_to_need_a_memory(sample: dict[str, Any]) -> None:
    sessions = _sessions(sample)
    assert len(sessions) >= 12
    assert all(8 <= len(turns) <= 12 for turns in sessions.values())
    assert len(_turns(sample)) >= 110


@each_sample
def test_turn_ids_count_up_and_speakers_are_the_two_named(sample: dict[str, Any]) -> None:
    names = {sample["conversation"]["speaker_a"], sample["conversation"]["speaker_b"]}
    for number, turns in _sessions(sample).items():
        assert [turn["dia_id"] for turn in turns] == [f"D{number}:{place}" for place in range(1, len(turns) + 1)]
        assert {turn["speaker"] for turn in turns} == names


@each_sample
def test_session_dates_parse_and_ascend(sample: dict[str, Any]) -> None:
    numbers = sorted(_sessions(sample))
    moments = [_moment(sample["conversation"][f"session_{number}_date_time"]) for number in numbers]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(earlier < later for earlier, later in pairwise(moments))


@each_sample
def test_images_point_to_nowhere(sample: dict[str, Any]) -> None:
    urls = [url for turn in _turns(sample).values() for url in turn.get("img_url", [])]
    assert len(urls) >= 5
    assert all(url.startswith("https://example.invalid/") for url in urls)


@each_sample
def test_questions_are_unique_and_their_evidence_resolves(sample: dict[str, Any]) -> None:
    questions = [qa["question"] for qa in sample["qa"]]
    assert len(set(questions)) == len(questions) >= 25
    for qa in sample["qa"]:
        assert qa["evidence"]
        assert set(qa["evidence"]) <= _turns(sample).keys()


@each_sample
def test_only_adversarial_questions_have_no_answer(sample: dict[str, Any]) -> None:
    for qa in sample["qa"]:
        adversarial = qa["category"] == _ADVERSARIAL
        assert ("adversarial_answer" in qa, "answer" in qa) == (adversarial, not adversarial)


@pytest.mark.parametrize(("sample", "qa"), _questions(_SINGLE_HOP))
def test_evidence_says_the_single_hop_answer(sample: dict[str, Any], qa: dict[str, Any]) -> None:
    assert _words(qa["answer"]) <= _evidence_words(sample, qa)


@pytest.mark.parametrize(("sample", "qa"), _questions(_MULTI_HOP))
def test_evidence_says_every_part_of_the_multi_hop_answer(sample: dict[str, Any], qa: dict[str, Any]) -> None:
    parts = qa["answer"].split(",")
    assert len(parts) >= 2
    assert len(qa["evidence"]) >= 2
    assert all(_words(part) <= _evidence_words(sample, qa) for part in parts)


@pytest.mark.parametrize(("sample", "qa"), _questions(_TEMPORAL))
def test_temporal_answer_follows_from_the_session_date(sample: dict[str, Any], qa: dict[str, Any]) -> None:
    (dia_id,) = qa["evidence"]
    text = _turns(sample)[dia_id]["text"]
    assert str(qa["answer"]) in _readings(text, _day(sample, dia_id))


def _readings(text: str, day: date) -> set[str]:
    """Every answer that the time words of a turn allow when it is said on `day`."""
    phrase = next((phrase for phrase in _DAYS_AGO if phrase in text.casefold()), None)
    dates = {_written(day - timedelta(days=_DAYS_AGO[phrase]))} if phrase else set()
    dates |= {f"{found} {day.year}" for found in re.findall(r"\d+ (?:[A-Z][a-z]+)", text)}
    dates |= {f"the {weekday} before {_written(day)}" for weekday in re.findall(_WEEKDAYS, text)}
    dates |= {f"two weeks before {_written(day)}"} if "the week before last" in text else set()
    dates |= set(re.findall(r"\b(?:19|20)\d\d\b", text))
    dates |= {str(day.year - 4)} if "four years ago" in text else set()
    return dates


def test_some_open_domain_answers_carry_a_rationale_and_some_answers_are_numbers() -> None:
    answers = {category: [qa.values[1]["answer"] for qa in _questions(category)] for category in (2, 3, 4)}
    assert sum(";" in answer for answer in answers[_OPEN_DOMAIN]) >= 5
    assert sum(isinstance(answer, int) for answer in answers[_TEMPORAL] + answers[_SINGLE_HOP]) >= 2


def test_some_answers_are_in_an_image_caption_alone() -> None:
    hidden = [qa for sample in _SAMPLES for qa in sample["qa"] if _is_in_a_caption_alone(sample, qa)]
    assert len(hidden) >= 10


def _is_in_a_caption_alone(sample: dict[str, Any], qa: dict[str, Any]) -> bool:
    turns = _turns(sample)
    told = any(_words(qa.get("answer", "")) <= _words(turn["text"]) for turn in turns.values())
    return not told and any("blip_caption" in turns[dia_id] for dia_id in qa["evidence"])


def test_some_questions_share_no_telling_word_with_their_evidence() -> None:
    assert sum(_is_paraphrased(*question.values) for question in _questions(_SINGLE_HOP)) >= 15


def _is_paraphrased(sample: dict[str, Any], qa: dict[str, Any]) -> bool:
    names = _words(sample["conversation"]["speaker_a"]) | _words(sample["conversation"]["speaker_b"])
    shared = _words(qa["question"]) & _evidence_words(sample, qa) - names
    return all(len(word) <= 4 for word in shared)
