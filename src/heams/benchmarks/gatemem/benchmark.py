"""Episodes as samples, with their questions where they stand, or each question as a sample on what came before it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.gatemem.config import GateMemBenchmarkConfig
from heams.benchmarks.gatemem.dataset import EpisodePlace, load_domain
from heams.benchmarks.gatemem.presentation import asked, people_turn, told
from heams.benchmarks.gatemem.records import EpisodeRow
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.scenarios.actions import Action, SessionBoundary, SharedHistory, Turn

_EPISODES_AT_HAND = 2


class GateMemBenchmark(BaseBenchmark):
    """Domain by domain, in the order of the files; questions in the order of their episode.

    Raises:
        DatasetFormatError: the data is not in GateMem's format.
    """

    def __init__(self, config: GateMemBenchmarkConfig) -> None:
        self.config = config
        self._read = lru_cache(maxsize=_EPISODES_AT_HAND)(EpisodePlace.read)
        domains = [load_domain(config.data_dir, domain) for domain in config.domains]
        self._episodes = [place for domain in domains for place in domain.episodes]
        self.skipped: Sequence[SkipReason] = [note for domain in domains for note in domain.notes]
        if config.played_as == "episode":
            chosen = self._episodes[: config.limit]
            self._samples = LazySamples(
                len(chosen), lambda position: self._episode_sample(chosen[position]), lambda n: chosen[n].name
            )
        else:
            probes = [(place, number) for place in self._episodes for number in range(len(place.questions))]
            probes = probes[: config.limit]
            self._samples = LazySamples(
                len(probes),
                lambda position: self._probe_sample(*probes[position]),
                lambda position: _probe_id(*probes[position]),
            )

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _episode_sample(self, place: EpisodePlace) -> BenchmarkSample:
        episode = self._read(place)
        return BenchmarkSample(
            id=place.name,
            name=f"{place.domain}: {len(place.questions)} questions",
            execution_sequence=list(self._course(place, episode)),
            evaluators=self.config.evaluators,
            tags=_tags(place),
        )

    def _course(self, place: EpisodePlace, episode: EpisodeRow) -> Iterator[Action]:
        """Turns as they were said; each question in a session of its own, so that none is heard by another."""
        yield from self._people(episode)
        heard = 0
        for number, question in enumerate(place.questions, start=1):
            if question.turns_before > heard and heard:
                yield SessionBoundary(session_id=f"conversation-{number}")
            yield from map(told, episode.turns[heard : question.turns_before])
            heard = question.turns_before
            yield SessionBoundary(session_id=f"question-{number}")
            yield asked(question, episode, place.domain, self.config)

    def _probe_sample(self, place: EpisodePlace, number: int) -> BenchmarkSample:
        episode, question = self._read(place), place.questions[number]
        events = (*self._people(episode), *map(told, episode.turns[: question.turns_before]))
        return BenchmarkSample(
            id=_probe_id(place, number),
            name=question.checkpoint.query_text,
            execution_sequence=[asked(question, episode, place.domain, self.config)],
            evaluators=self.config.evaluators,
            history=SharedHistory(id=f"{place.name}-{question.turns_before:04d}", events=events),
            tags=_tags(place),
        )

    def _people(self, episode: EpisodeRow) -> Iterator[Turn]:
        if self.config.tell_people:
            yield people_turn(episode)


def _probe_id(place: EpisodePlace, number: int) -> str:
    return f"{place.name}-q{number + 1:02d}"


def _tags(place: EpisodePlace) -> dict[str, str]:
    return {"domain": place.domain, "episode": place.episode_id}
