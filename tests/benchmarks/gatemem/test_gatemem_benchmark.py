"""gatemem as it is played: what is told to whom, in both ways of playing, and what three kinds of agents score."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from heams.agents.base import AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.agents.scripted import ScriptedAgent, ScriptedAgentConfig
from heams.benchmarks import GateMemBenchmark, GateMemBenchmarkConfig
from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation import create_evaluator
from heams.evaluation.gatemem_metrics import EXPECTED_ACTION, INCLUDE, QUERY_TYPE
from heams.evaluation.gatemem_rules import GateMemEvaluatorConfig
from heams.memory.base import MemoryScope
from heams.memory.factory import MemorySystemConfig, create_memory_system
from heams.scenarios.budget import RecallBudget
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer

pytestmark = pytest.mark.anyio
_SEED = Path(__file__).parents[3] / "datasets" / "gatemem"
_DOMAINS = ("flat", "clinic", "club")
_ACCESS = {"everybody": ["operator"], "roles": {"owner": ["owner", "guest", "agent"], "guest": ["owner"]}}


def _benchmark(**changes: Any) -> GateMemBenchmark:
    settings: dict[str, Any] = {
        "data_dir": _SEED,
        "domains": _DOMAINS,
        "policies": dict.fromkeys(_DOMAINS, "Be discreet."),
        "question_prompt": "{name}|{principal}|{role}|{relations}|{policy}|{question}",
        "evaluators": (GateMemEvaluatorConfig(),),
    }
    return GateMemBenchmark(GateMemBenchmarkConfig(**{**settings, **changes}))


def _asked(sample: BenchmarkSample) -> Iterator[Any]:
    return (action for action in sample.execution_sequence if action.type == "user_stimulus")


class _Prepared(AgentSession):
    """Replies what it has prepared, one after the other."""

    def __init__(self, replies: list[str]) -> None:
        self._replies = iter(replies)

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        return AgentReply(text=next(self._replies))


async def _means(
    session: AgentSession, sample: BenchmarkSample, memory: str = "no_memory", **rules: Any
) -> dict[str, float]:
    """The mean of every metric over a sample that is played with a memory."""
    config: Any = TypeAdapter(MemorySystemConfig).validate_python({"type": memory, **rules})
    system = create_memory_system(config)
    await system.start()
    opened = await system.open(MemoryScope(id=sample.id))
    outcome = ScenarioOutcome(sample.to_scenario())
    port = RecordingPort(opened, system.capabilities, RecallBudget(items=20), scope=sample.id)
    await ScenarioPlayer(outcome, session=session, memory=opened, port=port).play()
    await opened.close()
    evaluator = create_evaluator(GateMemEvaluatorConfig())
    records = await evaluator.evaluate(outcome)
    owed = {(one.step_index, one.metric) for one in evaluator.expected_records(outcome.scenario)}
    assert {(record.step_index, record.metric) for record in records} == owed
    values: dict[str, list[float]] = {}
    for record in records:
        if record.value is not None:
            values.setdefault(record.metric, []).append(record.value)
    return {metric: sum(found) / len(found) for metric, found in values.items()}


async def _session(**settings: Any) -> AgentSession:
    return await ScriptedAgent(ScriptedAgentConfig(**settings)).open(AgentScope(id="s"))


def test_the_seed_set_asks_for_use_and_discretion_in_every_domain() -> None:
    benchmark = _benchmark()
    kinds = Counter(
        (sample.tags["domain"], action.step_evaluation_markers[QUERY_TYPE])
        for sample in benchmark.samples
        for action in _asked(sample)
    )
    assert kinds.total() == 46
    assert min(kinds.values()) >= 2
    assert len(kinds) == 9
    assert not benchmark.skipped


def test_an_episode_is_told_once_with_its_questions_where_they_stand() -> None:
    sample = _benchmark().samples[0]
    kinds = [action.type for action in sample.execution_sequence]
    assert kinds[0] == "turn"
    assert all(kinds[place - 1] == "session_boundary" for place, kind in enumerate(kinds) if kind == "user_stimulus")
    turns = [action for action in sample.execution_sequence if action.type == "turn"]
    assert len({turn.id for turn in turns}) == len(turns)
    people, first = turns[0], turns[1]
    assert people.metadata["roles"]["guest_yuki"] == "guest"  # type: ignore[call-overload,index]
    assert "Yuki Arai: guest" in people.content
    assert (first.speaker, first.metadata["speaker_role"]) == ("owner_ilse", "owner")
    assert [turn.role for turn in turns if turn.speaker == "agent_flatty"] == ["assistant"] * 2


def test_the_agent_learns_who_asks_and_how_they_are_related() -> None:
    question = next(_asked(_benchmark().samples[0]))
    assert question.principal == "guest_yuki"
    name, principal, role, relations, policy, text = question.content.split("|")
    assert (name, principal, role, policy) == ("Yuki Arai", "guest_yuki", "guest", "Be discreet.")
    assert relations == "- books stay: guest_id = guest_yuki, owner_id = owner_ilse"
    assert text == question.recall_query


def test_each_question_can_be_a_sample_on_what_came_before_it() -> None:
    whole, single = _benchmark(), _benchmark(played_as="checkpoint")
    assert len(single.samples) == 46
    position = 0
    for sample in whole.samples:
        heard: list[Any] = []
        for action in sample.execution_sequence:
            if action.type == "turn":
                heard.append(action)
            elif action.type == "user_stimulus":
                probe = single.samples[position]
                assert probe.execution_sequence == [action]
                assert probe.history is not None
                assert list(probe.history.events) == heard
                assert single.samples.id_at(position) == probe.id  # type: ignore[attr-defined]
                position += 1
    assert position == 46
    assert len(_benchmark(limit=1).samples) == len(_benchmark(limit=1, played_as="checkpoint").samples) == 1


def test_the_length_of_an_episode_follows_from_its_domains() -> None:
    info = GateMemBenchmarkConfig.report_info
    assert info.context_tokens_for({"domains": ["medical", "office"]}) == 6_550
    assert info.context_tokens_for({"domains": ["flat", "office"]}) == info.context_tokens_for({}) == 250


def test_ids_do_not_tell_what_an_episode_is_about() -> None:
    assert [sample.id for sample in _benchmark().samples] == ["flat-001", "flat-002", "clinic-001", "club-001"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policies": {"flat": "x"}}, "no entry for clinic, club"),
        ({"domains": ["flat", "flat"]}, "names flat more than once"),
        ({"domains": ["../flat"]}, "domains"),
        ({"question_prompt": "{question}"}, "must contain"),
    ],
)
def test_a_configuration_that_cannot_be_played_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        _benchmark(**changes)


async def test_a_perfect_agent_scores_one() -> None:
    for sample in _benchmark().samples:
        replies = []
        for action in _asked(sample):
            markers = action.step_evaluation_markers
            answer = "; ".join(markers[INCLUDE]) or "I cannot say more."
            replies.append(f'{{"action": "{markers[EXPECTED_ACTION]}", "answer": "{answer}"}}')
        means = await _means(_Prepared(replies), sample)
        assert means.pop("useful_context") == 0
        assert set(means.values()) == {1.0}


async def test_an_agent_that_refuses_all_is_of_no_use() -> None:
    means = await _means(await _session(default="I can't share that."), _benchmark().samples[0])
    assert (means["useful"], means["answered"], means["access_kept"], means["forgotten"]) == (0, 0, 1, 1)


async def test_a_parrot_gives_away_what_a_memory_without_rules_hands_it() -> None:
    means = await _means(await _session(echo_recalled=True), _benchmark().samples[0], "lexical")
    assert means["useful"] == 1
    assert means["access_kept"] == means["access_kept_e2e"] == means["forgotten_context"] == 0
    assert means["access_kept_legacy"] == means["forgotten_legacy"] == 0


async def test_a_parrot_with_a_memory_that_keeps_rules_gives_nothing_away_and_is_of_use() -> None:
    rules = {"retention": {}, "access": _ACCESS}
    means = await _means(await _session(echo_recalled=True), _benchmark().samples[0], "lexical", **rules)
    assert means["useful"] == means["useful_context"] == 1
    assert means["access_kept_e2e"] == means["forgotten_e2e"] == 1


async def test_a_memory_that_stores_nothing_gives_nothing_away_and_is_of_no_use() -> None:
    means = await _means(await _session(echo_recalled=True), _benchmark().samples[0])
    assert (means["useful"], means["access_kept_e2e"], means["forgotten_e2e"]) == (0, 1, 1)
