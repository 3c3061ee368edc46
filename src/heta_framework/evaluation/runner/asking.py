"""Asks a knowledge base the question of a case: in time, again where that may help, for as much as evaluators need."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.failures import GOES_THROUGH, STOPS_THE_RUN, as_evaluation_error, is_retryable
from heta_framework.evaluation.runner.over_fetch import FetchPlan
from heta_framework.evaluation.runner.own_task import in_own_task
from heta_framework.evaluation.types import EvaluationError
from heta_framework.kb import KnowledgeBase
from heta_framework.kb.search.types import QueryResponse

if TYPE_CHECKING:
    import stamina

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0

# stamina logs every retry as a warning, which Python prints where no logging is set up
logging.getLogger("stamina").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Answered:
    """What came of asking: a response or an error.

    Attributes:
        latency_ms: from the last request to its response.
        notes: what a result's metadata says of it: ``attempts`` and ``over_fetch``, where there was any.
    """

    response: QueryResponse | None = None
    error: EvaluationError | None = None
    latency_ms: float | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)


class Asker:
    """Asks one knowledge base in one mode."""

    def __init__(self, kb: KnowledgeBase, mode: str, plan: FetchPlan, config: BenchmarkRunConfig) -> None:
        self._kb = kb
        self._mode = mode
        self._plan = plan
        self._config = config
        self._retry = _retrying(config)

    async def ask(self, question: str) -> Answered:
        """Ask; what the engine raises becomes the error.

        Raises:
            CostLimitReached, ReplayMiss, ModelSetupError: no other query would fare better.
        """
        query = _Query(self._kb, self._mode, self._plan, self._config, question)
        try:
            return await self._retry(query.attempt)
        except (*STOPS_THE_RUN, *GOES_THROUGH):
            raise
        except BaseException as error:  # noqa: BLE001 - engines are plugins: one failing query, be it by a panic of native code, must not end the run
            return Answered(error=as_evaluation_error(error, attempts=query.attempts))


class _Query:
    """The attempts at one query."""

    def __init__(
        self, kb: KnowledgeBase, mode: str, plan: FetchPlan, config: BenchmarkRunConfig, question: str
    ) -> None:
        self._kb = kb
        self._mode = mode
        self._plan = plan
        self._config = config
        self._question = question
        self.attempts = 0

    async def attempt(self) -> Answered:
        self.attempts += 1
        return await in_own_task(self._enough(), self._config.query_timeout_s)

    async def _enough(self) -> Answered:
        """Ask, and ask again for more while there are too few documents."""
        asked_for = self._plan.first
        for again in range(self._plan.rounds + 1):
            began = perf_counter()
            response = await self._kb.query(
                self._question,
                mode=self._mode,
                top_k=asked_for,
                options=self._config.query_options,
                trace=self._config.trace,
            )
            latency = perf_counter() - began
            more = self._plan.next_round(response, asked_for) if again < self._plan.rounds else None
            if more is None:
                break
            asked_for = more
        return Answered(_checked(response), None, round(1000 * latency, 3), self._notes(asked_for, again))

    def _notes(self, asked_for: int, again: int) -> dict[str, Any]:
        notes: dict[str, Any] = {}
        if self.attempts > 1:
            notes["attempts"] = self.attempts
        if self._plan.documents and (again or asked_for > self._config.top_k):
            notes["over_fetch"] = {"documents": self._plan.documents, "top_k": asked_for, "rounds": again + 1}
        return notes


def _checked(response: object) -> QueryResponse:
    if not isinstance(response, QueryResponse):
        raise TypeError(f"the query engine must return a QueryResponse, found {type(response).__name__}")
    return response


def _retrying(config: BenchmarkRunConfig) -> Callable[[Callable[[], Awaitable[Answered]]], Awaitable[Answered]]:
    import stamina

    caller: stamina.BoundAsyncRetryingCaller = stamina.AsyncRetryingCaller(
        attempts=config.retries + 1, timeout=None, wait_initial=_FIRST_WAIT_S, wait_max=_LONGEST_WAIT_S
    ).on(is_retryable)
    return caller
