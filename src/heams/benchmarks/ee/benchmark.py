"""Streams as samples: each is one scenario, whose steps share one memory that goes on through all of them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.ee.config import EEBenchmarkConfig, Split
from heams.benchmarks.ee.course import Visit, course, third_of
from heams.benchmarks.ee.dataset import load_streams
from heams.benchmarks.ee.records import StreamRecord
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation.markers import EXPECTED_ANSWER
from heams.scenarios.actions import Action, Feedback, SessionBoundary, UserStimulus
from heta_framework.common.text.prompt_template import fill


class EEBenchmark(BaseBenchmark):
    """One sample per stream, split and order.

    Raises:
        DatasetFormatError: a file is not in the format.
    """

    def __init__(self, config: EEBenchmarkConfig) -> None:
        self.config = config
        streams, self.skipped = load_streams(config)
        self._played = list(product(streams, config.splits, config.orders))[: config.limit]
        self._samples = LazySamples(len(self._played), self._sample, lambda position: _id(*self._played[position]))

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        stream, split, seed = self._played[position]
        feedback = self.config.feedback or stream.feedback
        return BenchmarkSample(
            id=_id(stream, split, seed),
            name=f"{stream.stream_id}: {split}, order {seed}",
            execution_sequence=list(self._actions(course(stream, split, seed, feedback))),
            evaluators=self.config.evaluators,
            tags={"stream": stream.stream_id, "split": split, "order": str(seed), "feedback": feedback},
        )

    def _actions(self, visits: Sequence[Visit]) -> Iterator[Action]:
        step = 0
        for position, visit in enumerate(visits):
            if self.config.fresh_sessions:
                yield SessionBoundary(session_id=f"problem-{position + 1}")
                step += 1
            yield self._asked(visit, third_of(position, len(visits)))
            step += 1
            if visit.feedback is not None:
                yield Feedback(of_step=step - 1, kind=visit.feedback)
                step += 1

    def _asked(self, visit: Visit, third: str) -> UserStimulus:
        item = visit.item
        tags: Mapping[str, JsonValue] = {
            "item": item.id,
            "exposure": visit.exposure,
            "third": third,
            **({"group": item.group} if item.group else {}),
        }
        return UserStimulus(
            content=fill(self.config.question_prompt, problem=item.input),
            recall_query=item.input,
            remember=self.config.remember,
            step_evaluation_markers={EXPECTED_ANSWER: item.target, "tags": dict(tags)},
        )


def _id(stream: StreamRecord, split: Split, seed: int) -> str:
    return f"{stream.stream_id}-{split}-order{seed}"
