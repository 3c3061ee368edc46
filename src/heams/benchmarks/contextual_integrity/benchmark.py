"""Each context as a sample: the memory hears all about a person once, and every message is written on a fork."""

from collections.abc import Sequence
from functools import lru_cache

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.contextual_integrity.config import ContextualIntegrityBenchmarkConfig
from heams.benchmarks.contextual_integrity.labelling import Scored, labelled
from heams.benchmarks.contextual_integrity.markers import markers_of
from heams.benchmarks.contextual_integrity.profiles import Person, load_people
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.scenarios.actions import SharedHistory, Turn, UserStimulus
from heta_framework.common.text.prompt_template import fill

_HISTORIES_AT_HAND = 2


class ContextualIntegrityBenchmark(BaseBenchmark):
    """Person by person, in the order of the file.

    Raises:
        DatasetFormatError: profiles or labels are not in their format.
    """

    def __init__(self, config: ContextualIntegrityBenchmarkConfig) -> None:
        self.config = config
        self.people, amiss = load_people(config.data_file)
        found = labelled(self.people, config.labels_file, legacy_substring_filter=config.legacy_substring_filter)
        self.skipped: Sequence[SkipReason] = [*amiss, *found.notes]
        self._contexts = found.contexts[: config.limit]
        self._places = {person.id: person for person in self.people}
        self._history = lru_cache(maxsize=_HISTORIES_AT_HAND)(lambda name: _history(self._places[name]))
        self._samples = LazySamples(
            len(self._contexts), self._sample, lambda position: self._contexts[position].context.id
        )

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        scored = self._contexts[position]
        return BenchmarkSample(
            id=scored.context.id,
            name=f"{scored.context.row.recipient}: {scored.context.row.task}",
            execution_sequence=[self._request(scored)],
            evaluators=self.config.evaluators,
            history=self._history(scored.person.id),
            tags={"person": scored.person.id, **({"labelled_by": scored.labelled_by} if scored.labelled_by else {})},
        )

    def _request(self, scored: Scored) -> UserStimulus:
        gaps = {"recipient": scored.context.row.recipient, "task": scored.context.row.task}
        return UserStimulus(
            content=fill(self.config.prompts.of_level(self.config.prompt_level), **gaps),
            recall_query=fill(self.config.recall_query, **gaps),
            step_evaluation_markers=markers_of(scored),
        )


def _history(person: Person) -> SharedHistory:
    """What the memory hears of a person, filed by domain for memories that keep rules."""
    turns = tuple(
        Turn(id=one.event_id, content=one.statement, metadata={"category": one.domain})
        for one in person.attributes.values()
    )
    return SharedHistory(id=person.id, events=turns)
