"""Comparisons that were asked for last, each computed once, however many ask for it at the same time."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from heams.browse.comparing.computing import Wish, compare_now
from heams.browse.comparing.condensed import Condensed
from heams.browse.index import Experiment
from heams.reporting.compare import Unlike, UnlikeExperiments

_MOST_PAIRS = 300_000
_MOST = 64
PATIENCE_SECONDS = 3.0
Key = tuple[str, str, str, str, Wish]
Answer = Condensed | tuple[Unlike, ...]
"""A comparison, or in what the experiments differ though it is not allowed."""


class StillComparing(Exception):  # noqa: N818 - not an error
    """It takes longer; asking again later gives the answer."""


class Comparisons:
    """Kept for as long as both experiments stay the same. May be called by several threads.

    ``most_pairs`` bounds the memory; the last comparison is kept whatever its size. ``patience`` is how many seconds
    an asker waits.
    """

    def __init__(
        self,
        compare: Callable[[Experiment, Experiment, Wish], Condensed] = compare_now,
        most_pairs: int = _MOST_PAIRS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._compare = compare
        self._most_pairs = most_pairs
        self._patience = patience
        self._known: OrderedDict[Key, Answer] = OrderedDict()
        self._begun: dict[Key, Future[Answer]] = {}
        self._lock = Lock()
        self._workers = ThreadPoolExecutor(2, thread_name_prefix="heams-browse-compare")

    def of(self, a: Experiment, b: Experiment, wish: Wish) -> Condensed:
        """Compare B with A, or remember having done so.

        Raises:
            StillComparing: it is not known yet.
            UnlikeExperiments: they are not like with like.
            ResultsError: a metric or a tag is missing, or a file of results cannot be read.
        """
        key = (a.key, a.version, b.key, b.version, wish)
        with self._lock:
            answer = self._known.get(key)
            if answer is not None:
                self._known.move_to_end(key)
            elif key not in self._begun:
                self._begun[key] = self._workers.submit(self._computed, a, b, wish, key)
            promised = self._begun.get(key)
        if answer is None and promised is not None:
            answer = self._awaited(promised)
        if isinstance(answer, Condensed):
            return answer
        raise UnlikeExperiments(answer or ())

    def _awaited(self, promised: "Future[Answer]") -> Answer:
        try:
            return promised.result(self._patience)
        except TimeoutError:
            raise StillComparing from None

    def _computed(self, a: Experiment, b: Experiment, wish: Wish, key: Key) -> Answer:
        """What fails is told to all who wait for it, and tried again by the next who asks."""
        try:
            answer: Answer = self._compare(a, b, wish)
        except UnlikeExperiments as refused:
            answer = refused.differences
        finally:
            with self._lock:
                self._begun.pop(key, None)
        self._keep(key, answer)
        return answer

    def _keep(self, key: Key, answer: Answer) -> None:
        with self._lock:
            self._known[key] = answer
            while len(self._known) > 1 and (len(self._known) > _MOST or self._pairs() > self._most_pairs):
                self._known.popitem(last=False)

    def _pairs(self) -> int:
        return sum(len(one.pairs) for one in self._known.values() if isinstance(one, Condensed))
