"""Which label a judge's prose asserts: "The answer is CORRECT because ...", and never "not correct".

An announced label ("Verdict: correct", the last one) goes first. Else every sentence is read (see ``assertion``), and
so is a line that is nothing but a label. Questions and options ("correct or incorrect") assert nothing; a plain "not"
means the opposite where a policy has two labels and the opposite fails. Two different assertions, or one that is made
by half, make the reply unreadable: asking again costs a call, a wrong reading costs a score.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from heta_framework.common.judge.assertion import assertion, is_reported, is_with_reserve
from heta_framework.common.judge.words import folded, trimmed

_LEAD_IN = re.compile(
    r"\b(?:(?:final|my|overall) (?:answer|decision|assessment|evaluation|ruling)"
    r"|verdict|label|judge?ment|grade|classification|conclusion|urteil|veredicto|verdetto|判定|结论)\b"
    r"\s*(?P<mark>is\b|:|=+>?|→|-+>?)(?P<rest>[^\n]*)"
)
_WEAK_LEAD_IN = re.compile(
    r"\W*(?:a|final|answer|result|rating|decision|evaluation|assessment|outcome|overall|match)\s*[:=]\s*"
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)")
_PHRASE_END = re.compile(r"[,:()]|\s-\s|\s—")
_OPTION = re.compile(r"^\s*(?:/|\\|,|or\b|nor\b|vs\b)\s*")
_POLAR = ("yes", "no", "true", "false")
_DISCOURSE = (*_POLAR, "right")
"""Words that also open or answer something else; they are a verdict only where they stand alone."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """What a text asserts: labels in order; ``unclear`` when one is asserted by half."""

    labels: tuple[str, ...] = ()
    unclear: bool = False

    @property
    def one(self) -> str | None:
        """The only label that is asserted."""
        distinct = set(self.labels)
        return distinct.pop() if len(distinct) == 1 and not self.unclear else None


class LabelReader:
    """Reads labels in plain text. ``forms`` maps every form, folded, to the name of its label.

    ``opposite`` names the label that a negated one means. ``copied`` tells whether words stand in the material.
    """

    def __init__(
        self, forms: dict[str, str], opposite: dict[str, str], copied: Callable[[str], bool] = lambda _: False
    ) -> None:
        self.forms = forms
        self._opposite = opposite
        self._copied = copied
        longest_first = sorted((form for form in forms if len(form) > 1), key=len, reverse=True)
        alternatives = "|".join(re.escape(form).replace(r"\ ", r"[\s_-]") for form in longest_first)
        self._label = re.compile(rf"(?<![\w'-])(?:{alternatives})(?![\w'-])") if longest_first else None

    def whole(self, text: str) -> str | None:
        """The label that is all of ``text``, but for punctuation."""
        return self.forms.get(folded(text))

    def read(self, text: str) -> str | None:
        """The label that ``text`` (``plain``) asserts; None when it asserts none, or nothing clear."""
        announced = self._announced(text)
        return self._asserted(text).one if announced is None else announced or None

    def _announced(self, text: str) -> str | None:
        """The label behind the last "verdict:"; empty when something else stands there, None without one."""
        last = None
        for match in _LEAD_IN.finditer(text):
            last = match if self._is_own(match, text) else last
        if last is None:
            return None
        line = last["rest"].strip() or _next_line(text, last.end())
        rest = _SENTENCE_END.split(trimmed(line), maxsplit=1)[0]
        label = self.whole(rest) or self.whole(_PHRASE_END.split(rest, maxsplit=1)[0])
        return self._asserted(rest).one or "" if label is None else label

    def _is_own(self, lead_in: re.Match[str], text: str) -> bool:
        """Whether an announcement is the judge's, and not what it says that the material says."""
        said = _PHRASE_END.split(_SENTENCE_END.split(trimmed(lead_in["rest"]), maxsplit=1)[0], maxsplit=1)[0]
        announcement = text[lead_in.start() : lead_in.start("rest")] + said
        before = _SENTENCE_END.split(text[: lead_in.start()].rpartition("\n")[2])[-1]
        return not (said and self._copied(announcement)) and not is_reported(before)

    def _asserted(self, text: str) -> Asserted:
        lines = [line for line in text.splitlines() if line.strip()]
        found = [self._in_line(line, first=place == 0, asks="?" in text) for place, line in enumerate(lines)]
        return _together(found)

    def _in_line(self, line: str, *, first: bool, asks: bool) -> Asserted:
        weak = _WEAK_LEAD_IN.match(line)
        alone = self.whole(line[weak.end() :] if weak else line)
        if alone is not None:
            counts = weak is not None or folded(line) not in _DISCOURSE or (first and not asks)
            return Asserted((alone,) if counts else ())
        sentences = _SENTENCE.findall(line)
        opening = folded(sentences[0]) if first and not asks and sentences else ""
        polar = (Asserted((self.forms[opening],)),) if opening in _POLAR and opening in self.forms else ()
        return _together([*polar, *(self._in_sentence(sentence) for sentence in sentences)])

    def _in_sentence(self, sentence: str) -> Asserted:
        if self._label is None or sentence.rstrip().endswith("?") or folded(sentence) in _DISCOURSE:
            return Asserted()
        found = [match for match in self._label.finditer(sentence) if match.group() not in _POLAR]
        return _together([self._weighed(match, sentence) for match in self._not_options(found, sentence)])

    def _not_options(self, found: Sequence[re.Match[str]], sentence: str) -> Iterator[re.Match[str]]:
        """Occurrences that are not listed beside each other as the options there are."""
        joined = {
            place
            for place in range(len(found) - 1)
            if _OPTION.fullmatch(sentence[found[place].end() : found[place + 1].start()])
        }
        return (match for place, match in enumerate(found) if place not in joined and place - 1 not in joined)

    def _weighed(self, match: re.Match[str], sentence: str) -> Asserted:
        before, after = sentence[: match.start()], sentence[match.end() :]
        if match.group() in _DISCOURSE and not before.strip():
            return Asserted()
        label = self.forms[folded(match.group())]
        if self.forms.get(folded(before)) == label and folded(before) in _POLAR:
            before = ""  # "Yes, correct"
        found = assertion(before, match.group(), after)
        if found == "asserted" and is_with_reserve(after) and (label in self._opposite or not self._opposite):
            return Asserted(unclear=True)
        if found == "denied":
            denied = self._opposite.get(label)
            return Asserted((denied,)) if denied else Asserted(unclear=True)
        return Asserted((label,) if found == "asserted" else (), unclear=found == "half")


def _together(parts: Sequence[Asserted]) -> Asserted:
    labels = tuple(label for part in parts for label in part.labels)
    return Asserted(labels, any(part.unclear for part in parts))


def _next_line(text: str, position: int) -> str:
    return next((line for line in text[position:].splitlines() if line.strip()), "")
