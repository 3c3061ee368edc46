"""MemoryAgentBench's metrics with what the published code gets wrong put right; see ``memoryagentbench_official``.

Numbers keep their points ("3.0" is "3" and never "30"), words are whole ("no" is not in "nobody", "12" not in "012"),
dates are equal in any spelling, an answer of which normalisation leaves nothing is not found in everything, and a short
answer that the reply only denies ("not Lisbon") is not given.
"""

import re
from collections.abc import Iterator, Sequence

from heta_framework.common.text.anchors import affirms, anchor_tokens, holds
from heta_framework.common.text.clauses import clauses
from heta_framework.common.text.matching import exact, token_f1
from heta_framework.common.text.rouge import rouge_l

_LONGEST_VALUE = 3  # words: longer answers may bring negations of their own
_MARK = re.compile(r"\b(?:answer|label)\W{0,3}:[\s*_`]*([^\n]*\S)", re.IGNORECASE)


def readings(reply: str) -> tuple[str, ...]:
    """A reply as a whole, and what it marks as its answer: the line behind the last "Answer:" or "label:"."""
    marked = _MARK.findall(reply)
    return (reply, marked[-1]) if marked else (reply,)


def exact_match(reply: str, golds: Sequence[str]) -> bool:
    """Whether a reading of the reply is one of the answers, token by token."""
    return any(_same(text, gold) for text, gold in _pairs(reply, golds))


def given(reply: str, gold: str) -> bool:
    """Whether the reply holds an answer as whole words in a row, and does not only deny it."""
    if not anchor_tokens(gold):
        return bool(exact(reply, gold).value)
    return holds(reply, gold) and not _is_denied(reply, gold)


def any_given(reply: str, golds: Sequence[str]) -> bool:
    """Whether the reply gives one of the answers."""
    return any(given(reply, gold) for gold in golds)


def share_given(reply: str, golds: Sequence[str]) -> float:
    """The share (0 to 1) of the answers that the reply gives.

    Raises:
        ValueError: there are none.
    """
    if not golds:
        raise ValueError("found no answers to look for; expected at least one")
    return sum(given(reply, gold) for gold in golds) / len(golds)


def best_f1(reply: str, golds: Sequence[str]) -> float:
    """The best token F1 of a reading and an answer."""
    return max(token_f1(text, gold).value for text, gold in _pairs(reply, golds))


def best_rouge(reply: str, golds: Sequence[str]) -> float:
    """The best F1 of ROUGE-L of a reading and an answer; no word is stemmed."""
    return max(rouge_l(text, gold).f1 for text, gold in _pairs(reply, golds))


def is_newest(reply: str, golds: Sequence[str], outdated: Sequence[str]) -> bool:
    """Whether the reply gives an answer and none of those that a later fact has overruled."""
    left = [old for old in outdated if not any(_same(old, gold) for gold in golds)]
    return any_given(reply, golds) and not any_given(reply, left)


def _pairs(reply: str, golds: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((text, gold) for text in readings(reply) for gold in golds)


def _same(text: str, gold: str) -> bool:
    wanted = anchor_tokens(gold)
    return anchor_tokens(text) == wanted if wanted else bool(exact(text, gold).value)


def _is_denied(reply: str, gold: str) -> bool:
    short = len(anchor_tokens(gold)) <= _LONGEST_VALUE and len(clauses(gold)) == 1
    return short and not affirms(reply, gold) and not _same(reply, gold)
