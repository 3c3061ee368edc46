"""Which label a sentence of a judge asserts: "The answer is CORRECT because ...", and never "not correct".

A label counts only as a whole word that is asserted. It does not count before a noun ("the correct answer is Oslo"), in
a condition ("would be correct if"), in a question, as one of several options ("correct or incorrect"). Behind a plain
"not" it means the opposite where a policy has two labels and the opposite fails; anything softer ("not entirely",
"mostly", "I do not think that") makes the reply unreadable, and so do two different assertions.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heta_framework.common.judge.words import folded, trimmed

_LEAD_IN = re.compile(
    r"\b(?:(?:final|my|overall) (?:answer|decision|assessment)"
    r"|verdict|label|judge?ment|grade|classification|conclusion)\b"
    r"\s*(?P<mark>is\b|:|=|-+>?)(?P<rest>[^\n]*)"
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)")
_PHRASE_END = re.compile(r"[,:()]|\s-\s|\s—")
_CLAUSE = re.compile(r"[,:(]|\b(?:but|because|since|while|although|though|however|so|and|therefore|thus)\b|…|--|—")
_FOLLOWERS = re.compile(
    r"\s+(?:because|since|as|and|but|given|so|in|with|according|due|though|although|while|here|overall|therefore|thus|by"
    r"|for|on|per|when)\b"
)
_WORD_FOLLOWS = re.compile(r"\s+[^\W\d_]")
_CONDITION = re.compile(r"\b(?:would|could|should|might|may|if|whether|were|had|to be|to count as|must|unless)\b")
_DEGREE = re.compile(
    r"\b(?:partial(?:ly)?|partly|mostly|almost|nearly|somewhat|half|quite|largely|only|just|entirely|fully|completely"
    r"|totally|wholly|strictly|exactly|technically|arguably|possibly|probably|perhaps|not sure)\b"
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|neither|nor|hardly|without|nothing|non|far from|anything but|fails?)\b|n't\b|\bcannot\b"
)
_NEAR = 3  # words
_OPTION = re.compile(r"^\s*(?:/|\\|,|or\b|nor\b|vs\b)\s*")


@dataclass(frozen=True, slots=True)
class Asserted:
    """What a text asserts: labels in order; ``unclear`` when one is asserted by half."""

    labels: tuple[str, ...] = ()
    unclear: bool = False


class LabelReader:
    """Reads labels in plain text. ``forms`` maps every form, folded, to the name of its label.

    ``opposite`` names the label that a negated one means.
    """

    def __init__(self, forms: dict[str, str], opposite: dict[str, str]) -> None:
        self.forms = forms
        self._opposite = opposite
        longest_first = sorted((form for form in forms if len(form) > 1), key=len, reverse=True)
        alternatives = "|".join(re.escape(form).replace(r"\ ", r"[\s_-]") for form in longest_first)
        self._label = re.compile(rf"(?<![\w'-])(?:{alternatives})(?![\w'-])") if longest_first else None

    def whole(self, text: str) -> str | None:
        """The label that is all of ``text``, but for punctuation."""
        return self.forms.get(folded(text))

    def read(self, text: str) -> str | None:
        """The label that ``text`` (``plain``) asserts; None when it asserts none, or nothing clear."""
        announced = self._announced(text)
        if announced is not None:
            return announced or None
        found = self._asserted(text)
        distinct = set(found.labels)
        return distinct.pop() if len(distinct) == 1 and not found.unclear else None

    def _announced(self, text: str) -> str | None:
        """The label behind the last "verdict:"; empty when something else stands there, None without one."""
        last = None
        for match in _LEAD_IN.finditer(text):
            last = match
        if last is None:
            return None
        line = last["rest"].strip() or _next_line(text, last.end())
        rest = _SENTENCE_END.split(trimmed(line), maxsplit=1)[0]
        first = _PHRASE_END.split(rest, maxsplit=1)[0]
        label = self.whole(rest) or self.whole(first)
        if label is None:
            found = self._asserted(rest)
            label = found.labels[0] if len(set(found.labels)) == 1 and not found.unclear else ""
        return label

    def _asserted(self, text: str) -> Asserted:
        labels: list[str] = []
        unclear = False
        for line in text.splitlines():
            alone = self.whole(line)
            found = Asserted((alone,)) if alone is not None else self._in_line(line)
            labels += found.labels
            unclear |= found.unclear
        return Asserted(tuple(labels), unclear)

    def _in_line(self, line: str) -> Asserted:
        parts = [self._in_sentence(sentence) for sentence in _SENTENCE.findall(line)]
        labels = tuple(label for part in parts for label in part.labels)
        return Asserted(labels, any(part.unclear for part in parts))

    def _in_sentence(self, sentence: str) -> Asserted:
        if self._label is None or sentence.rstrip().endswith("?"):
            return Asserted()
        labels: list[str] = []
        unclear = False
        for match in self._not_options(list(self._label.finditer(sentence)), sentence):
            verdict = self._weigh(match, sentence)
            unclear |= verdict == ""
            labels += [verdict] if verdict else []
        return Asserted(tuple(labels), unclear)

    def _not_options(self, found: Sequence[re.Match[str]], sentence: str) -> Iterator[re.Match[str]]:
        """Occurrences that are not listed beside each other as the options there are."""
        joined = {
            place
            for place in range(len(found) - 1)
            if _OPTION.fullmatch(sentence[found[place].end() : found[place + 1].start()])
        }
        return (match for place, match in enumerate(found) if place not in joined and place - 1 not in joined)

    def _weigh(self, match: re.Match[str], sentence: str) -> str | None:
        """The label that an occurrence asserts; empty when it is half asserted, None when it is not asserted."""
        before, after = sentence[: match.start()], sentence[match.end() :]
        if _qualifies_noun(after) or _CONDITION.search(before):
            return None
        clause = _CLAUSE.split(before)[-1]
        label = self.forms[folded(match.group())]
        if _DEGREE.search(clause):
            return ""
        negation = self._last_negation(clause)
        if negation is None:
            return label
        if len(clause[negation.end() :].split()) < _NEAR:
            return self._opposite.get(label, "")
        return ""

    def _last_negation(self, clause: str) -> re.Match[str] | None:
        found = [match for match in _NEGATION.finditer(clause) if match.group() not in self.forms]
        return found[-1] if found else None


def _qualifies_noun(after: str) -> bool:
    return _WORD_FOLLOWS.match(after) is not None and _FOLLOWERS.match(after) is None


def _next_line(text: str, position: int) -> str:
    return next((line for line in text[position:].splitlines() if line.strip()), "")
