"""``heta_multihop_search``: search, read, search for what is missing, until the question can be answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.kb.components import model_ref
from heta_framework.kb.search.answering import Answer, answer_from
from heta_framework.kb.search.base_modes import RERANK
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.fusing import best_first
from heta_framework.kb.search.issues import QueryIssue, issue, issues_of
from heta_framework.kb.search.one_base_mode import OneBaseMode
from heta_framework.kb.search.options import GENERATE_ANSWER, flag, passed_down, whole
from heta_framework.kb.search.reasoning import Finding, LexicalReasoner, ModelReasoner, Reasoner
from heta_framework.kb.search.responding import assemble
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryResult, QueryTraceEvent


@dataclass(frozen=True)
class MultiHopSearchEngine(OneBaseMode):
    """Rounds of the base mode, each with the query that the round before asked for.

    With a language model, one call notes what helps and one judges whether the notes suffice. Without one, the next
    query is the question with the most telling name that the results brought up; ``metadata["reasoning"]`` is
    ``lexical`` then, and there is no answer.

    Attributes:
        base_mode: answers each round.
        language_model: the name of the model; None for the recipe's own.
        max_rounds: at most so many, unless the option of that name says otherwise.
    """

    mode: str = "heta_multihop_search"
    base_mode: str = RERANK
    language_model: str | None = None
    max_rounds: int = 3

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """Go through the rounds; the results of all of them come best first.

        Raises:
            ValueError: an option is wrong.
        """
        most = whole(request.options, "max_rounds", self.max_rounds)
        model = context.find_component(model_ref("language", self.language_model))
        reasoner: Reasoner = (
            LexicalReasoner(request.text) if model is None else ModelReasoner(request.text, model, self.mode)
        )
        journey = await self._travel(request, context, reasoner, most)
        results = best_first(journey.results)[: request.top_k]
        answer = await self._answer(journey, results, request, context, model)
        return assemble(
            request,
            mode=self.mode,
            results=results,
            metadata={**self._metadata(journey), **({"reasoning": "lexical"} if model is None else {})},
            trace=journey.trace,
            issues=journey.issues,
            answer=answer,
        )

    async def _travel(self, request: QueryRequest, context: QueryContext, reasoner: Reasoner, most: int) -> _Journey:
        journey, query = _Journey(), request.text
        for number in range(1, most + 1):
            response = await context.query(self.base_mode, passed_down(request, text=query))
            finding = await reasoner.read(number, query, response.results)
            journey.record(number, query, response, finding, self.mode)
            if finding.answer is not None or finding.finished:
                break
            query = finding.next_query or query
        return journey

    async def _answer(
        self,
        journey: _Journey,
        results: list[QueryResult],
        request: QueryRequest,
        context: QueryContext,
        model: LanguageModelProtocol | None,
    ) -> Answer:
        """The answer that a round gave, else one from the results."""
        wanted = flag(request.options, GENERATE_ANSWER, True)
        if model is not None and journey.answer is not None:
            return _given(journey.answer, wanted)
        if model is not None:
            journey.give_up(wanted)
        return await answer_from(
            results,
            request,
            context,
            mode=self.mode,
            language_model=self.language_model,
            default=True,
            stage="fallback_answer",
        )

    def _metadata(self, journey: _Journey) -> dict[str, Any]:
        return {
            "base_mode": self.base_mode,
            "rounds": len(journey.reports),
            "round_reports": tuple(journey.reports),
            "issues": (),
            **({"fallback": True} if journey.gave_up else {}),
        }


@dataclass
class _Journey:
    """What the rounds so far came to."""

    results: list[QueryResult] = field(default_factory=list)
    answer: str | None = None
    reports: list[dict[str, Any]] = field(default_factory=list)
    trace: list[QueryTraceEvent] = field(default_factory=list)
    issues: list[QueryIssue] = field(default_factory=list)
    gave_up: bool = False

    def record(self, number: int, query: str, response: QueryResponse, finding: Finding, mode: str) -> None:
        """Add a round."""
        self.results.extend(response.results)
        self.answer = finding.answer
        answered = finding.answer is not None
        self.reports.append(
            {
                "round": number,
                "query": query,
                "result_count": len(response.results),
                "extracted_information": finding.useful,
                "answered": answered,
                "next_query": finding.next_query,
            }
        )
        event = {"round": number, "query": query, "useful": finding.useful, "answered": answered}
        self.trace.extend((*response.trace, QueryTraceEvent(mode, f"Finished round {number}.", event)))
        self.issues.extend(one for one in issues_of(response) if one not in self.issues)
        self.issues.extend(finding.issues)

    def give_up(self, answered_anyway: bool) -> None:
        """No round had an answer that the model stood by."""
        self.gave_up = True
        action = "generated_fallback_answer" if answered_anyway else "returned_results"
        message = "No round led to an answer that the language model confirmed."
        self.issues.append(issue("answer_not_confirmed", message, action, round=len(self.reports)))


def _given(answer: str, wanted: bool) -> Answer:
    """The answer that a round gave."""
    if not wanted:
        return Answer(metadata={"answer_generation": "disabled"})
    return Answer(answer, {"answer_generation": "generated"})
