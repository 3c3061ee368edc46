"""PrefEval as samples: each with a history of its own, in which a preference is told and then buried in filler."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.offered_options import OfferedOptions, arranged, officially_shuffled
from heams.benchmarks.prefeval.config import PrefEvalBenchmarkConfig
from heams.benchmarks.prefeval.dataset import Item, load_items
from heams.benchmarks.prefeval.filler import load_filler
from heams.benchmarks.prefeval.records import Said
from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation.markers import EVIDENCE, PREFERENCE
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn, UserStimulus
from heta_framework.common.text.prompt_template import fill


class PrefEvalBenchmark(BaseBenchmark):
    """One sample per preference and form, in the order of forms, topics and files.

    Raises:
        DatasetFormatError: the data is not in the format.
    """

    def __init__(self, config: PrefEvalBenchmarkConfig) -> None:
        self.config = config
        data = load_items(config.data_dir, config.forms, config.topics)
        self._filler = load_filler(config.data_dir, config.filler_turns)
        self._items = data.items[: config.limit]
        self._samples = LazySamples(len(self._items), self._sample, lambda position: self._items[position].id)
        self.skipped = data.notes

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        item = self._items[position]
        return BenchmarkSample(
            id=item.id,
            name=item.question,
            execution_sequence=[self._asked(item)],
            evaluators=self.config.evaluators,
            history=SharedHistory(id=item.id, events=tuple(self._events(item))),
            tags={"form": item.form, "topic": item.topic, **self._number_of_options(item)},
        )

    def _asked(self, item: Item) -> UserStimulus:
        told: list[JsonValue] = [_turn_id(place) for place, said in enumerate(item.said) if said.tells]
        markers: dict[str, JsonValue] = {PREFERENCE: item.preference, EVIDENCE: told}
        if self.config.task == "generation":
            content = fill(self.config.prompts.generation, question=item.question)
        else:
            offered = self._offered(item)
            lines = offered.shown(self.config.prompts.option, capitals=self.config.capital_letters)
            content = fill(self.config.prompts.choice, question=item.question, options=lines)
            markers |= offered.markers()
        return UserStimulus(content=content, recall_query=item.question, step_evaluation_markers=markers)

    def _offered(self, item: Item) -> OfferedOptions:
        if self.config.option_order == "official":
            return officially_shuffled(item.options, self.config.seed)
        return arranged(item.options, 0, seed=self.config.seed, question_id=item.id)

    def _events(self, item: Item) -> Iterator[HistoryEvent]:
        place = 0
        for number, session in enumerate((item.said, *self._filler), start=1):
            session_id = f"session-{number}"
            yield SessionBoundary(session_id=session_id)
            for said in session:
                yield _turn(place, said, session_id)
                place += 1

    def _number_of_options(self, item: Item) -> Mapping[str, str]:
        return {} if self.config.task == "generation" else {"options": str(len(item.options))}


def _turn(place: int, said: Said, session_id: str) -> Turn:
    return Turn(id=_turn_id(place), content=said.content, speaker=said.role, role=said.role, session_id=session_id)


def _turn_id(place: int) -> str:
    return f"t{place + 1}"
