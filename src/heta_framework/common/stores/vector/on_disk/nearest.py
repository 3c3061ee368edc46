"""The best rows of a state: proposed by the graph or by scanning, scored in float64 by the rules of `scoring`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heta_framework.common.stores.vector.checks import Rows
from heta_framework.common.stores.vector.on_disk.neighbours import Neighbours
from heta_framework.common.stores.vector.on_disk.state import Mask, State
from heta_framework.common.stores.vector.scoring import Scores, best_rows, exact_scores
from heta_framework.common.stores.vector.types import Metric

Numbers = npt.NDArray[np.intp]
_SPARE = 8  # times as many rows as asked for are proposed: the graph's own order is rough
_FEWEST = 64
_FEW = 8  # chosen rows are copied out of the file, and proposed at all, when they are at most one in so many


class Found(NamedTuple):
    """Candidates for the best rows, in no order: their numbers and exact scores."""

    rows: Numbers
    scores: Scores

    def best(self, k: int) -> Found:
        """The k best and all that score as the last of them does."""
        if len(self.rows) <= k:
            return self
        worst = np.partition(self.scores, len(self.scores) - k)[len(self.scores) - k]
        kept = self.scores >= worst
        return Found(self.rows[kept], self.scores[kept])


class Search(NamedTuple):
    """A question to a state."""

    query: Rows
    k: int
    metric: Metric

    def among_all(self, state: State, graph: Neighbours | None) -> Found:
        """The best of all living rows: exact behind the rows that the graph covers, by the graph's proposals there.

        Exact everywhere where the graph would have to propose a large part of them, or proposes too few: a graph may
        hold nodes that no walk comes to.
        """
        wanted, covered = self._wanted(state), min(graph.covered, state.head.rows) if graph else 0
        if graph is None or wanted * _FEW > covered:
            return self._scanned(state, 0)
        found = self._proposed(state, graph.propose(self.query, wanted), covered)
        return found if len(found.rows) >= min(self.k, state.living) else self._scanned(state, 0)

    def _proposed(self, state: State, proposed: Numbers, covered: int) -> Found:
        """The living ones of the proposals with their scores, and the best of the rows that the graph lacks."""
        proposed = proposed[proposed < covered]
        if state.dead is not None:
            proposed = proposed[~state.dead[proposed]]
        rows = state.file.gathered(proposed.tolist())
        scores = exact_scores(rows, np.arange(len(rows)), self.query, self.metric)
        if covered == state.head.rows:
            return Found(proposed, scores)
        tail = self._scanned(state, covered)
        return Found(np.concatenate([proposed, tail.rows]), np.concatenate([scores, tail.scores]))

    def among(self, state: State, numbers: Numbers) -> Found:
        """The best of the given rows, exactly."""
        numbers = numbers[numbers < state.head.rows]
        if state.dead is not None:
            numbers = numbers[~state.dead[numbers]]
        if len(numbers) * _FEW > state.head.rows:
            dead = np.ones(state.head.rows, dtype=np.bool_)
            dead[numbers] = False
            return self._exact(state, 0, dead)
        rows, scores = best_rows(
            state.file.mapped(state.head.rows)[numbers], self.query, self.k, self.metric, state.head.longest
        )
        return Found(numbers[rows], scores)

    def _wanted(self, state: State) -> int:
        """How many rows to propose: where rows have died, so many more that enough living ones can be expected."""
        return max(_FEWEST, _SPARE * self.k) * state.head.rows // max(1, state.living)

    def _scanned(self, state: State, first: int) -> Found:
        return self._exact(state, first, None if state.dead is None else state.dead[first:])

    def _exact(self, state: State, first: int, dead: Mask | None) -> Found:
        rows = state.file.mapped(state.head.rows)[first:]
        numbers, scores = best_rows(rows, self.query, self.k, self.metric, state.head.longest, dead=dead)
        return Found(numbers + first, scores)
