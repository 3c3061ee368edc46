"""Where LoCoMo's points are lost: in retrieval or in reading, and what the audited gold changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from heams.benchmarks.locomo.report_data import Played, Question, QuestionSet
from heams.reporting.figures import count
from heams.reporting.markdown import Markdown, Table, heading
from heams.reporting.wording import mean
from heta_framework.common.statistics import Summary, summarise

_LOSS_NOTE = (
    "Over questions of categories 1 to 4 that both experiments answered, compared question by question. *Reading "
    "loss* is 1 minus the F1 with `oracle`: what the agent loses although it was handed exactly the evidence. "
    "*Retrieval loss* is the F1 with `oracle` minus the F1 here: what is lost on top because the memory handed over"
    " something else. Where it is negative, what surrounds the evidence helped the agent. F1 and both losses add up"
    " to 1. The last columns split the questions by whether all of the labelled evidence was recalled."
)
_GOLD_NOTE = (
    "F1 over the questions of categories 1 to 4. The audited gold corrects answers that the audit found wrong; "
    "agents and memories are the same. The difference is audited minus official, question by question."
)


class _Pair(NamedTuple):
    """The F1 of one question in two experiments."""

    conversation: str
    here: float
    there: float


def loss_section(members: Sequence[Played], gold: str) -> Iterator[str]:
    """Retrieval loss and reading loss of every memory system; nothing without an ``oracle`` experiment."""
    oracle = next((played for played in members if played.memory_type == "oracle"), None)
    if oracle is None:
        return
    yield heading(3, f"Where points are lost ({gold} gold)")
    table = Table(
        "memory system", "F1", "retrieval loss", "reading loss", ">n", "F1, evidence recalled", "F1, evidence missed"
    )
    for played in members:
        pairs = _pairs(played.questions, oracle.questions)
        table.add(
            played.name,
            mean(_over(pairs, lambda here, _: here)),
            "0 by definition" if played is oracle else mean(_over(pairs, lambda here, best: best - here)),
            mean(_over(pairs, lambda _, best: 1 - best)),
            count(len(pairs)),
            *_by_recall(played.questions),
        )
    yield f"{table}\n\n{_LOSS_NOTE}"


def gold_section(group: QuestionSet) -> Iterator[str]:
    """Official and audited gold beside each other; nothing where one of them was not run."""
    golds = group.by_gold()
    table = Table("memory system", "official", "audited", "difference", ">n")
    audited = {played.name: played for played in golds.get("audited", ())}
    for played in golds.get("official", ()):
        if played.name in audited:
            pairs = _pairs(played.questions, audited[played.name].questions)
            table.add(
                played.name,
                mean(_over(pairs, lambda official, _: official)),
                mean(_over(pairs, lambda _, audited: audited)),
                mean(_over(pairs, lambda official, audited: audited - official)),
                count(len(pairs)),
            )
    if table:
        yield heading(3, "Official and audited gold")
        yield f"{table}\n\n{_GOLD_NOTE}"


def _pairs(here: Mapping[str, Question], there: Mapping[str, Question]) -> list[_Pair]:
    both = ((here[sample], there[sample]) for sample in here.keys() & there.keys())
    return [
        _Pair(one.conversation, one.f1, other.f1) for one, other in both if one.f1 is not None and other.f1 is not None
    ]


def _over(pairs: Sequence[_Pair], value: Callable[[float, float], float]) -> Summary:
    return summarise([value(pair.here, pair.there) for pair in pairs], [pair.conversation for pair in pairs])


def _by_recall(questions: Mapping[str, Question]) -> Iterator[str]:
    judged = [question for question in questions.values() if question.recall is not None and question.f1 is not None]
    for complete in (True, False):
        chosen = [question for question in judged if ((question.recall or 0) >= 1) is complete]
        summary = summarise([question.f1 or 0.0 for question in chosen], [question.conversation for question in chosen])
        yield Markdown(f"{mean(summary)}, n {count(summary.n)}") if summary.n else Markdown("")
