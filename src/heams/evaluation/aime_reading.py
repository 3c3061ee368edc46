r"""Which integer a reply gives as the answer to an AIME problem, and by which mark it was found.

AIME answers are integers from 0 to 999. The first of these that says something is taken, each where it stands last:

1. ``boxed``: ``\boxed{204}``
2. ``answer_tag``: ``<answer>204</answer>``; ``final_answer``: what follows ``FINAL ANSWER``, in a fence or not
3. ``answer_is``: "the answer is 204"
4. ``last_integer``: the last integer that stands alone

A mark that holds digits decides, also where they are no AIME answer (``\boxed{20.4}``): what the reply says it answers
is not replaced by a number that it mentions elsewhere. A mark without digits is passed over.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import regex

from heams.evaluation.aime_integers import first_integer, last_integer, plain, whole_integer

Rule = Literal["boxed", "answer_tag", "final_answer", "answer_is", "last_integer", "none"]

_TAG = regex.compile(r"<\s*answer\s*>(?P<said>.*?)(?:<\s*/\s*answer\s*>|(?=<\s*answer\s*>)|\Z)", regex.I | regex.S)
_CLOSED = regex.compile(r"<\s*/\s*answer\s*>\Z", regex.I)
_HEADER = regex.compile(r"FINAL\s+ANSWER|(?i:final\s+answer)(?=[*_`\s]*(?:[:=]|is\b|\n|\Z))")
_FENCE = regex.compile(r"(?P<mark>```|''')(?P<said>.*?)(?:(?P=mark)|\Z)", regex.S)
_LABEL = regex.compile(r"\A[ \t]*[A-Za-z]+[ \t]*\n")
_ANSWER_IS = regex.compile(r"\banswer\b[\s*_`]*(?:is|was|:|=)(?P<said>[^\n]*)", regex.I)
_LONGEST_BOX = 200
_DIGIT = regex.compile(r"\d")


class Extracted(NamedTuple):
    """The answer (0 to 999; None where none was found) and the rule by which it was found."""

    answer: int | None
    rule: Rule


def extract_answer(reply: str) -> Extracted:
    """The answer of a reply, in time that grows with its length."""
    marked = next(_marked(reply), None)
    if marked is not None:
        return marked
    found = last_integer(plain(reply))
    return Extracted(found, "none" if found is None else "last_integer")


def _marked(reply: str) -> Iterator[Extracted]:
    """The verdicts of the marks that hold digits, the one that counts first."""
    for content in _boxes(reply):
        if _DIGIT.search(content):
            yield Extracted(last_integer(plain(content)), "boxed")
    for content in _tagged(reply):
        if _DIGIT.search(content):
            yield Extracted(last_integer(plain(content)), "answer_tag")
    for content in _headed(reply):
        if _DIGIT.search(content):
            yield Extracted(_under_header(content), "final_answer")
    for found in reversed(list(_ANSWER_IS.finditer(reply))):
        if _DIGIT.search(found["said"]):
            yield Extracted(first_integer(plain(found["said"])), "answer_is")


def _boxes(reply: str) -> Iterator[str]:
    r"""What stands in each ``\boxed{...}``, the last first."""
    end = len(reply)
    while (start := reply.rfind(r"\boxed", 0, end)) >= 0:
        opening = start + len(r"\boxed")
        yield _braced(reply[opening : opening + _LONGEST_BOX].lstrip())
        end = start


def _braced(text: str) -> str:
    """What stands in the braces with which ``text`` begins; the line where they stay open, a word without any."""
    if not text.startswith("{"):
        return text.partition(" ")[0]
    depth = 0
    for place, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            return text[1:place]
    return text[1:].partition("\n")[0]


def _tagged(reply: str) -> Iterator[str]:
    """What stands in each tag, the last first; of one that is not closed the first line."""
    for found in reversed(list(_TAG.finditer(reply))):
        closed = _CLOSED.search(found[0]) is not None
        yield found["said"] if closed else found["said"].strip().partition("\n")[0]


def _headed(reply: str) -> Iterator[str]:
    """What stands under each header, up to the next, the last first."""
    end = len(reply)
    for found in reversed(list(_HEADER.finditer(reply))):
        yield reply[found.end() : end]
        end = found.start()


def _under_header(content: str) -> int | None:
    """A fence that holds nothing but an integer, else the first line that holds digits."""
    for fence in _FENCE.finditer(content):
        inside = _LABEL.sub("", fence["said"])
        answer = whole_integer(inside)
        if answer is not None:
            return answer
    line = next(line for line in content.splitlines() if _DIGIT.search(line))
    return last_integer(plain(line))
