"""Answers that choose: yes or no, one of two named alternatives, one of the options (a) and (b)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from heams.agents.extraction import vocabulary
from heams.agents.extraction.passages import analyse
from heams.agents.extraction.ranking import Evidence
from heams.agents.extraction.words import WORD, word

_LONGEST_PROMPT = 4_000  # characters: options stand at the end
_LETTERS = "abcdefgh"
_OPTION = re.compile(rf"\(([{_LETTERS}])\)\s*")
_LINE = re.compile(rf"^([{_LETTERS.upper()}])[.)][ \t]+", re.MULTILINE)
_DECLINES = re.compile(
    r"not mentioned|no information|not (?:stated|available|known)|unknown|cannot be (?:answered|determined)",
    re.IGNORECASE,
)
_ARTICLES = vocabulary.word_set("a an the to")
_LONGEST_ALTERNATIVE = 4  # words


def yes_or_no(evidence: Sequence[Evidence]) -> str:
    """Whether the best sentence denies or not: "No" or "Yes"."""
    words = [one.lower for one in evidence[0].sentence.words]
    return "Yes" if words[0] in vocabulary.CONSENTS or vocabulary.DENIALS.isdisjoint(words) else "No"


def options(prompt: str) -> list[str]:
    """The texts of the options "(a) ... (b) ...", or lines "A. ...", at the end of a prompt, at least two; else none.

    An option ends with its line, or where the next begins.
    """
    end = prompt[-_LONGEST_PROMPT:]
    return _split(_OPTION, end) or _split(_LINE, end)


def _split(option: re.Pattern[str], prompt: str) -> list[str]:
    parts = option.split(prompt)
    letters, texts = parts[1::2], [text.partition("\n")[0].strip(" \t\r.;,") for text in parts[2::2]]
    in_order = [letter.lower() for letter in letters] == list(_LETTERS[: len(letters)])
    return texts if len(texts) >= 2 and in_order and all(texts) else []


def alternatives(question: str) -> list[str]:
    """The two things with which a question ends: "the beach or the mountains?"; empty when there are none."""
    found = list(WORD.finditer(question))
    place = next((place for place, match in enumerate(found) if match.group() == "or"), len(found))
    second = _run(
        [match for match in found[place + 1 :] if match.group().lower() not in _ARTICLES][:_LONGEST_ALTERNATIVE]
    )
    first = _run(found[:place][::-1])[: len(second)]
    if not first or not second or question[second[-1].end() :].strip(" ?.!"):
        return []
    return [question[first[-1].start() : first[0].end()], question[second[0].start() : second[-1].end()]]


def declines(text: str) -> bool:
    """Whether an option says that there is no answer."""
    return _DECLINES.search(text) is not None


def chosen(texts: Sequence[str], evidence: Sequence[Evidence], enough: float = 0.0) -> str | None:
    """The text that the evidence supports best; None when none has more support than ``enough``, or several have most.

    Support is how well an item fits the question, times the share of the text's words that the item has.
    """
    support = [_support(text, evidence) for text in texts]
    best = max(support, default=0.0)
    return texts[support.index(best)] if best > enough and support.count(best) == 1 else None


def _support(text: str, evidence: Sequence[Evidence]) -> float:
    stems = analyse(text).stems
    if not stems:
        return 0.0
    return max((one.score * len(stems & one.passage.stems) / len(stems) for one in evidence), default=0.0)


def _run(matches: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The content words with which the matches begin, as far as only single spaces part them."""
    run: list[re.Match[str]] = []
    for match in matches:
        apart = bool(run) and abs(match.start() - run[-1].end()) != 1 and abs(run[-1].start() - match.end()) != 1
        if apart or not word(match.group()).content:
            break
        run.append(match)
    return run
