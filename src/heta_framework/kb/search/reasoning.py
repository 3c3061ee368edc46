"""Between two rounds of a multi-hop search: what was found is read, then answered from or searched on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from heta_framework.common.computing import compute
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.kb.search.issues import QueryIssue, issue
from heta_framework.kb.search.model_calls import Reply, ask_for_json
from heta_framework.kb.search.name_expansion import new_names
from heta_framework.kb.search.prompts import render
from heta_framework.kb.search.types import QueryResult


@dataclass(frozen=True)
class Finding:
    """What one round came to.

    Attributes:
        useful: whether the results held something new.
        answer: not blank; None where the search goes on.
        next_query: what to look for; None where nothing better is known than what was asked.
        finished: whether a further round would find nothing new.
    """

    useful: bool
    answer: str | None = None
    next_query: str | None = None
    finished: bool = False
    issues: tuple[QueryIssue, ...] = ()


class Reasoner(Protocol):
    """Reads one round after another of the same question."""

    async def read(self, number: int, query: str, results: Sequence[QueryResult]) -> Finding:
        """What a round (from 1) came to."""
        ...


@dataclass
class LexicalReasoner:
    """Without a model: the question, and the most telling name that the last results brought up.

    One name a round: each further one draws its own documents in, and of the one that leads on there is less and less.
    """

    question: str
    searched: list[str] = field(default_factory=list)

    async def read(self, number: int, query: str, results: Sequence[QueryResult]) -> Finding:
        """The next query has one new name; where the results hold none, the search is finished."""
        self.searched.append(query)
        names = await compute(new_names, results, (self.question, *self.searched), 1)
        if not names:
            return Finding(useful=False, finished=True)
        return Finding(useful=True, next_query=f"{self.question} {names[0].text}")


@dataclass
class ModelReasoner:
    """With a language model: a call that takes notes and a call that judges all notes so far.

    A reply that cannot be read costs what it would have said, and an issue tells of it.
    """

    question: str
    model: LanguageModelProtocol
    mode: str
    notes: list[str] = field(default_factory=list)
    searched: list[str] = field(default_factory=list)

    async def read(self, number: int, query: str, results: Sequence[QueryResult]) -> Finding:
        """Take notes of the results, then judge."""
        self.searched.append(query)
        note, issues = await self._note(number, query, results)
        if note:
            self.notes.append(note)
        material = {"question": self.question, "queries": list(self.searched), "notes": list(self.notes)}
        reply = await self._ask("judge", number, material, frozenset({"judge", "answer", "next_query"}))
        answer, problem = _judged(reply, number)
        next_query = _text((reply.fields or {}).get("next_query"))
        return Finding(bool(note), answer, None if answer else next_query, issues=(*issues, *problem))

    async def _note(
        self, number: int, query: str, results: Sequence[QueryResult]
    ) -> tuple[str | None, tuple[QueryIssue, ...]]:
        if not results:
            return None, (
                issue("round_no_results", f"The search for {query!r} found nothing.", "continued", round=number),
            )
        material = {"question": self.question, "query": query, "sources": [result.text for result in results]}
        reply = await self._ask("extract", number, material, frozenset({"usefulness", "information"}))
        if reply.problem:
            return None, (_unread("extract", reply, number),)
        fields = reply.fields or {}
        information = _text(fields.get("information"))
        if fields.get("usefulness") is True and information:
            return information, ()
        found = "The results held nothing that helps."
        return None, (issue("round_no_useful_information", found, "continued", round=number),)

    async def _ask(self, stage: str, number: int, material: Mapping[str, Any], keys: frozenset[str]) -> Reply:
        trace_context = {"query_mode": self.mode, "stage": stage, "round": number}
        return await ask_for_json(self.model, render(stage, material), trace_context, keys)


def _judged(reply: Reply, number: int) -> tuple[str | None, tuple[QueryIssue, ...]]:
    """The answer of a judgement, if it is one."""
    if reply.problem:
        return None, (_unread("judge", reply, number),)
    fields = reply.fields or {}
    if fields.get("judge") is not True:
        return None, ()
    answer = _text(fields.get("answer"))
    if answer is None:
        blank = "The language model judged the notes sufficient and gave no answer."
        return None, (issue("judge_without_answer", blank, "continued", round=number),)
    return answer, ()


def _unread(stage: str, reply: Reply, number: int) -> QueryIssue:
    code = f"{stage}_failed" if reply.failed else f"{stage}_invalid_output"
    return issue(code, f"Nothing from the call {stage!r}: {reply.problem}.", "continued", round=number)


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
