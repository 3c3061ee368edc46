"""LoCoMo's questions as samples: order, markers, prompts, choice of questions; one of them played."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from heams.agents.base import AgentReply, AgentSession, MemoryPort, Stimulus
from heams.benchmarks.locomo import LocomoBenchmark, LocomoBenchmarkConfig
from heams.evaluation.factory import create_evaluator
from heams.memory.base import MemoryScope
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.orchestration.hearing import hear_in_memory
from heams.scenarios.actions import SessionBoundary, Turn, UserStimulus
from heams.scenarios.budget import RecallBudget
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heta_framework.common.data_files.errors import DatasetFormatError

Build = Callable[..., LocomoBenchmark]


@pytest.fixture
def two_records(locomo_record: dict[str, Any]) -> list[dict[str, Any]]:
    other = json.loads(json.dumps(locomo_record))
    other["sample_id"] = "conv-91"
    return [locomo_record, other]


@pytest.fixture
def build(
    two_records: list[dict[str, Any]], locomo_settings: dict[str, Any], write_json: Callable[[Any], Path]
) -> Build:
    """Builds the benchmark over two conversations, with settings changed."""

    def benchmark(**changes: Any) -> LocomoBenchmark:
        data_file = write_json(two_records)
        return LocomoBenchmark(
            LocomoBenchmarkConfig.model_validate({"data_file": data_file, **locomo_settings, **changes})
        )

    return benchmark


def _stimulus(benchmark: LocomoBenchmark, position: int) -> UserStimulus:
    (action,) = benchmark.samples[position].execution_sequence
    assert isinstance(action, UserStimulus)
    return action


# Samples


def test_one_sample_a_question_in_the_order_of_the_file(build: Build) -> None:
    benchmark = build()
    assert [sample.id for sample in benchmark.samples] == [f"conv-{c}#{q}" for c in (90, 91) for q in range(5)]
    assert [sample.tags["category"] for sample in benchmark.samples[:5]] == [
        "multi_hop", "temporal", "open_domain", "single_hop", "adversarial",
    ]  # fmt: skip
    assert benchmark.samples[7].tags["conversation"] == "conv-91"
    assert benchmark.samples[-1].name == "What colour is Ada's dog?"
    assert list(benchmark.skipped) == []


def test_questions_of_a_conversation_share_one_history(build: Build) -> None:
    samples = build().samples
    assert samples[0].history is samples[4].history
    assert samples[0].history is not None
    assert (samples[0].history.id, samples[5].history.id) == ("conv-90", "conv-91")  # type: ignore[union-attr]


def test_the_history_replays_sessions_with_their_dates(build: Build) -> None:
    history = build().samples[0].history
    assert history is not None
    boundary, first, second, *_ = history.events
    at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert boundary == SessionBoundary(session_id="session_1", at=at)
    assert first == Turn(
        id="D1:1", content="I adopted a grey cat yesterday.", speaker="Ada", role="user", at=at, session_id="session_1"
    )
    assert isinstance(second, Turn)
    assert second.content == "Look at mine! [shares a photo of a black cat]"
    assert [event.type for event in history.events] == ["session_boundary", "turn", "turn"] * 2


def test_captions_can_be_left_out(build: Build) -> None:
    history = build(image_captions=False).samples[0].history
    assert history is not None
    assert [event.content for event in history.events if isinstance(event, Turn)][1] == "Look at mine!"


def test_the_stimulus_asks_after_the_last_session(build: Build) -> None:
    stimulus = _stimulus(build(), 0)
    assert stimulus.content == "Please answer.\nWhat boats has Ben?"
    assert stimulus.recall_query == "What boats has Ben?"
    assert stimulus.at == datetime(2023, 6, 2, 0, 5, tzinfo=UTC)


def test_markers_hold_what_evaluators_need(build: Build) -> None:
    benchmark = build()
    assert _stimulus(benchmark, 0).step_evaluation_markers == {
        "expected_answer": "kayak, canoe",
        "category_id": 1,
        "evidence": ["D2:1"],
    }
    assert _stimulus(benchmark, 4).step_evaluation_markers == {
        "category_id": 5,
        "evidence": ["D1:1"],
        "adversarial_answer": "grey",
    }


def test_a_lost_label_leaves_a_note_for_the_evaluator(two_records: list[Any], build: Build) -> None:
    two_records[0]["qa"][0]["evidence"] = ["D"]
    benchmark = build()
    markers = _stimulus(benchmark, 0).step_evaluation_markers
    assert markers["evidence"] == []
    assert markers["evidence_note"] == "'D' names no turn"
    assert [(reason.record_id, reason.rule, reason.kind) for reason in benchmark.skipped] == [
        ("conv-90#0", "unreadable_evidence", "dropped_label")
    ]


def test_finding_the_evidence_of_a_trap_is_not_scored(build: Build) -> None:
    types = [[config.type for config in sample.evaluators] for sample in build().samples[:5]]  # type: ignore[attr-defined]
    assert types == [["locomo_qa", "evidence_recall"]] * 4 + [["locomo_qa"]]


# Prompts


def test_the_official_date_hint_stands_behind_temporal_questions_only(build: Build) -> None:
    plain, official = build(), build(temporal_prompt="official")
    assert _stimulus(plain, 1).content == "Please answer.\nWhen did Ada adopt a cat?"
    assert _stimulus(official, 1).content == "Please answer.\nWhen did Ada adopt a cat? Use the dates."
    assert _stimulus(official, 1).recall_query == "When did Ada adopt a cat?"
    others = [position for position in range(5) if position != 1]
    assert all(_stimulus(plain, position) == _stimulus(official, position) for position in others)


def test_the_official_adversarial_prompt_is_a_choice(build: Build) -> None:
    plain, official = build(), build(adversarial_prompt="official")
    stimulus = _stimulus(official, 4)
    options = stimulus.step_evaluation_markers["options"]
    assert isinstance(options, dict)
    assert sorted(options.values(), key=str) == ["Not mentioned at all", "grey"]
    assert stimulus.content == f"What colour is Ada's dog?\n(a) {options['a']}\n(b) {options['b']}"
    assert all(_stimulus(plain, position) == _stimulus(official, position) for position in range(4))


def test_the_order_of_options_is_drawn_from_the_seed(two_records: list[Any], build: Build) -> None:
    two_records[0]["qa"] = [two_records[0]["qa"][4]] * 40
    first, again, other = (build(adversarial_prompt="official", seed=seed) for seed in (1, 1, 2))
    orders = [[_stimulus(one, position).content for position in range(40)] for one in (first, again, other)]
    assert orders[0] == orders[1] != orders[2]
    trap_first = sum("(a) grey" in content for content in orders[0])
    assert 8 < trap_first < 32


def test_without_a_trap_the_question_is_asked_openly(two_records: list[Any], build: Build) -> None:
    del two_records[0]["qa"][4]["adversarial_answer"]
    stimulus = _stimulus(build(adversarial_prompt="official"), 4)
    assert stimulus.content == "Please answer.\nWhat colour is Ada's dog?"
    assert "options" not in stimulus.step_evaluation_markers


def test_a_question_may_look_like_a_template(two_records: list[Any], build: Build) -> None:
    two_records[0]["qa"][4] |= {"question": "What is {a}?", "adversarial_answer": "{question}"}
    content = _stimulus(build(adversarial_prompt="official"), 4).content
    assert content.startswith("What is {a}?\n")
    assert "{question}" in content


# Which questions


def test_categories_and_conversations_choose_questions_and_limit_takes_the_first(build: Build) -> None:
    chosen = build(categories=(4, 5), conversations=("conv-91",))
    assert [sample.id for sample in chosen.samples] == ["conv-91#3", "conv-91#4"]
    assert [sample.id for sample in build(categories=(5,), limit=1).samples] == ["conv-90#4"]
    assert len(build(limit=1_000).samples) == 10


def test_defects_of_questions_that_are_not_asked_are_not_reported(two_records: list[Any], build: Build) -> None:
    two_records[0]["conversation"]["session_9_date_time"] = "1:00 pm on 1 July, 2023"
    two_records[1]["qa"][4]["evidence"] = []
    assert {reason.record_id for reason in build().skipped} == {"conv-90", "conv-91#4"}
    assert {reason.record_id for reason in build(conversations=["conv-91"], categories=[1]).skipped} == set()
    assert {reason.record_id for reason in build(limit=2).skipped} == {"conv-90"}


def test_an_unknown_conversation_is_named_with_the_nearest(build: Build) -> None:
    with pytest.raises(DatasetFormatError, match=r"no conversation 'conv-9'.*did you mean 'conv-90'"):
        build(conversations=("conv-9",))
    with pytest.raises(DatasetFormatError, match="there is: conv-90, conv-91"):
        build(conversations=("zzz",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"categories": ()}, "categories"),
        ({"categories": (6,)}, "1, 2, 3, 4 or 5"),
        ({"limit": 0}, "limit"),
        ({"evaluators": []}, "evaluators"),
        ({"gold": "audited"}, "needs audit_file"),
        ({"audit_file": "errors.json"}, "belong to 'gold: audited'"),
        ({"gold": "audited", "audit_file": "e.json", "audit_sha256": "abc"}, "audit_sha256"),
        ({"temporal_prompt": "oficial"}, "temporal_prompt"),
        ({"prompts": {"question": "{question}"}}, "date_hint"),
    ],
)
def test_settings_that_make_no_sense_are_refused(build: Build, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        build(**changes)


def test_the_abstention_option_must_be_one_that_the_official_scorer_knows(
    build: Build, locomo_settings: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError, match="must contain 'not mentioned'"):
        build(prompts=locomo_settings["prompts"] | {"abstention": "I do not know"})


# One sample, played


class _Echo(AgentSession):
    """Answers with the first recalled item."""

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        return AgentReply(text=(await memory.recall(stimulus.query))[0].text)


def test_a_sample_is_runnable(build: Build, tmp_path: Path) -> None:
    async def play() -> dict[str, float | None]:
        scenario = build().samples[3].to_scenario()
        system, outcome = LexicalMemorySystem(LexicalMemoryConfig()), ScenarioOutcome(scenario)
        memory = await system.open(MemoryScope(id=scenario.id, directory=tmp_path / "memory"))
        assert scenario.history is not None
        await hear_in_memory(scenario.history, memory)
        port = RecordingPort(memory, system.capabilities, RecallBudget(), scope=scenario.id)
        await ScenarioPlayer(outcome, session=_Echo(), memory=memory, port=port).play()
        await memory.close()
        evaluators = [create_evaluator(config) for config in scenario.evaluators]
        return {record.metric: record.value for one in evaluators for record in await one.evaluate(outcome)}

    values = asyncio.run(play())
    assert 0 < (values.pop("f1") or 0) < 1
    assert values == {"recall@10": 1.0, "mrr": 1.0}
