"""STALE as samples: one history per scenario, and its three probes on forks of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pydantic import BaseModel, JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.benchmarks.stale.config import StaleBenchmarkConfig
from heams.benchmarks.stale.dataset import Question, Scenario, find_scenarios, read_scenario
from heams.benchmarks.stale.presentation import evidence_of, history_of, question_name
from heams.benchmarks.stale.probes import CONTROL, Probe, cell_of
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.markers import EVIDENCE, EVIDENCE_NOTE, STALE
from heams.scenarios.actions import SharedHistory, UserStimulus
from heta_framework.common.data_files.json_array import Place
from heta_framework.common.text.prompt_template import fill

_SCENARIOS_AT_HAND = 2
_JUDGED_WHERE_ENDED, _JUDGED_WHERE_HELD = "stale", "stale_still_holds"


class StaleBenchmark(BaseBenchmark):
    """Probes scenario by scenario, in the order of the file. At most two scenarios are held at a time.

    Raises:
        DatasetFormatError: the file is not in STALE's format.
    """

    def __init__(self, config: StaleBenchmarkConfig) -> None:
        self.config = config
        scenarios = find_scenarios(config.data_file, config.types, config.limit)
        self._probes = [(scenario, probe) for scenario in scenarios for probe in scenario.probes][: config.limit]
        self._read = lru_cache(maxsize=_SCENARIOS_AT_HAND)(self._with_history)
        self._samples = LazySamples(len(self._probes), self._sample, self._name)
        self.skipped: Sequence[SkipReason] = [note for scenario in scenarios for note in scenario.notes]

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _name(self, position: int) -> str:
        scenario, probe = self._probes[position]
        return question_name(scenario.place.number, probe)

    def _with_history(self, place: Place) -> tuple[Scenario, SharedHistory]:
        scenario = read_scenario(self.config.data_file, place)
        return scenario, history_of(scenario, place.number)

    def _sample(self, position: int) -> BenchmarkSample:
        found, probe = self._probes[position]
        scenario, history = self._read(found.place)
        question = next(one for one in scenario.questions if one.probe == probe)
        return BenchmarkSample(
            id=self._name(position),
            name=question.text,
            execution_sequence=[self._asked(scenario, question)],
            evaluators=[one for one in self.config.evaluators if _judges(one, scenario)],
            history=history,
            tags=_tags(scenario, probe),
        )

    def _asked(self, scenario: Scenario, question: Question) -> UserStimulus:
        return UserStimulus(
            content=fill(self.config.question_prompt, question=question.text),
            recall_query=question.text,
            at=scenario.sessions[-1].at if scenario.sessions else None,
            step_evaluation_markers=_markers(scenario, question),
        )


def _judges(evaluator: BaseModel, scenario: Scenario) -> bool:
    """Whether an evaluator is about scenarios of this kind: judges know either what has ended, or what holds."""
    if not isinstance(evaluator, LLMJudgeEvaluatorConfig):
        return True
    other = _JUDGED_WHERE_ENDED if scenario.type == CONTROL else _JUDGED_WHERE_HELD
    return evaluator.policy_name != other


def _tags(scenario: Scenario, probe: Probe) -> Mapping[str, str]:
    return {"scenario": scenario.uid, "type": scenario.type, "probe": probe, "cell": cell_of(scenario.type, probe)}


def _markers(scenario: Scenario, question: Question) -> Mapping[str, JsonValue]:
    phrases = question.phrases
    evidence: list[JsonValue] = list(evidence_of(scenario))
    return {
        STALE: {
            "holds": scenario.type == CONTROL,
            "probe": question.probe,
            "phrases": None if phrases is None else phrases.model_dump(mode="json"),
        },
        "old_state": scenario.old,
        "new_state": scenario.new,
        "explanation": scenario.explanation,
        **({EVIDENCE: evidence} if evidence else {EVIDENCE_NOTE: "the session of the state is not labelled"}),
    }
