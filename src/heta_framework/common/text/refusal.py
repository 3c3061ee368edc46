"""Does an answer decline to answer? A phrase rule for English that knows paraphrases.

Official rules of benchmarks are often narrower (LoCoMo's knows two phrases and gives no credit for "I don't know").
This rule is another metric then: report it under its own name, never in place of an official one.

An answer refuses when one of its sentences holds a phrase of `FIRM` or `HEDGEABLE` (whole words, any case,
contractions written out), except that

- words inside double quotation marks are somebody else's ('Ben said "I don't know"'), unless they are all there is;
- a phrase of `HEDGEABLE` does not count in a sentence that goes on to answer, told by a contrast ("I'm not sure, but it
  was grey"; "although not explicitly stated, she is a nurse"). An opening apology ("Sorry, but I don't know") is none.

Negated phrases do not match ("it is not unknown", "no further information is needed"). A phrase rule cannot read: "Ada
did not mention her age" is a refusal by its form, and might be a fact of the history.
"""

from __future__ import annotations

import re

_ADVERB = r"(?:explicitly|directly|clearly|specifically|exactly)"
_SOURCE = (
    r"(?:conversations?|dialogues?|chats?|messages?|texts?|transcripts?|contexts?|history|notes|documents?|passages?"
    r"|excerpts?|memory|memories|records?|sources?|information)"
)
_FACT = r"(?:information|mentions?|records?|details?|indications?|evidence|data|memory|memories|knowledge|answers?)"
_KIND = r"(?:(?:any|enough|sufficient|specific|relevant|such|that|this|the|available|clear|direct|explicit) )*"
_TELL = r"(?:mention|say|state|specify|provide|contain|indicate|include|discuss|reveal|give|tell|describe|address)"
_TOLD = r"(?:mentioned|stated|specified|indicated|disclosed|discussed)"
_AT_HAND = r"(?:known|available|provided|given|clear|recorded)"
_LEARN = r"(?:determine|answer|find|tell|say|know|establish|infer|identify|confirm|verify)"
_LEARNT = r"(?:determined|answered|found|told|said|known|established|inferred|identified|confirmed|verified)"
_OWN_LIFE = r"(?! (?:what|how|why) (?:i|we)\b)"  # "I don't know what I'd do without you"

FIRM = (
    rf"no {_KIND}(?:mention|information)(?! (?:is |was )?(?:needed|required|necessary))",
    rf"no {_KIND}{_FACT} (?:of|about|on|regarding|that|for)",
    rf"there (?:is|are|was|were) no {_KIND}{_FACT}(?! (?:needed|required|necessary))",
    rf"(?:not|never) {_TOLD}",
    rf"^(?:it is |this is |that is )?not {_AT_HAND}$",
    rf"(?:it|this|that|which) (?:is|was) not {_AT_HAND} (?:in|by|from) the {_SOURCE}",
    rf"(?:information|answer) (?:is|was) not {_AT_HAND}",
    rf"{_SOURCE} (?:do|does|did) not (?:actually )?{_TELL}",
    rf"{_SOURCE} never {_TELL}e?s?d?",
    r"(?:do|does|did) not (?:mention|specify)",
    r"never (?:mentions|specifies)",
    rf"nothing (?:is |was )?(?:{_TOLD}|in the {_SOURCE})",
    r"(?:not enough|insufficient) (?:information|context|details?|evidence|data)",
    rf"(?:can|could) not be {_LEARNT}",
    rf"(?:impossible|not possible|no way) to {_LEARN}",
    r"(?:unanswerable|not answerable)",
    r"(?:is|are|remains?) (?:currently |still )?(?:unknown|unclear|unspecified|undisclosed)",
    r"^(?:unknown|unclear|unspecified|undisclosed|n/a)$",
    rf"(?:can|could|do|did) not (?:find|see|have|recall|locate) {_KIND}{_FACT}",
    rf"(?:i|we) have no {_KIND}(?:{_FACT}|idea)",
    r"you (?:have |had )?(?:not|never) (?:yet |ever )?(?:told|given|shown) (?:me|us)",
    r"you did not (?:ever )?(?:tell|give|show) (?:me|us)",
    r"(?:we|you and i) (?:have |had )?(?:not|never) (?:yet |ever )?(?:talked|spoken|spoke|chatted) about",
    r"we did not (?:ever )?(?:talk|speak|chat) about",
    r"(?:i|we) have nothing (?:(?:on|about|regarding) (?:that|this|it|him|her|them|file)|stored|recorded|saved)",
    r"nothing (?:is )?(?:on|in) (?:file|record|memory)",
    rf"^(?:no|not any) {_KIND}{_FACT}$",
    r"^(?:nobody|no one) (?:has |ever )?mentioned",
    r"not something (?:that )?(?:we|you) (?:have )?(?:ever )?(?:talked about|discussed|mentioned|told|shared)",
)
"""Phrases that settle it: the source holds nothing, or nobody can know."""

HEDGEABLE = (
    rf"(?:not|never) {_ADVERB} {_TOLD}",
    rf"(?:do|does|did) not {_ADVERB} {_TELL}",
    rf"(?:i|we) (?:do|did) not (?:really |actually )?(?:know|recall|remember){_OWN_LIFE}",
    rf"^(?:do not know|no idea){_OWN_LIFE}",
    r"^(?:not sure|not certain|can not (?:say|tell))",
    r"(?:i|we) (?:am|are) not (?:sure|certain|aware)",
    rf"(?:i|we) (?:am|are) (?:unsure|uncertain|unaware|unable to {_LEARN})",
    rf"(?:i|we) (?:can|could) not {_LEARN}",
    r"(?:i|we) (?:can|could) not (?:recall|remember)",
    r"^(?:i|we) do not have (?:it|that|this)$",
)
"""Phrases that an answer may follow: the speaker does not know, or it is not said in so many words."""

_CONTRACTIONS = (
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(we)'re\b"), r"\1 are"),
    (re.compile(r"\b(i|we)'ve\b"), r"\1 have"),
    (re.compile(r"\b(it|this|that|there)'s\b"), r"\1 is"),
)
_QUOTED = re.compile(r'"[^"]*"')
_SENTENCE_END = re.compile(r"[.!?:;\n]+")
_APOLOGY = re.compile(
    r"^(?:(?:i am |we are )?(?:very )?(?:sorry|afraid)|(?:my )?apologies|i apologi[sz]e|unfortunately)\b[,: ]*(?:but )?"
)
_CONTRAST_WORDS = r"\b(?:but|although|though|however|while|yet)\b"
_CONTRAST = re.compile(_CONTRAST_WORDS)
_WHOLE_SENTENCE = re.compile(r"[^.!?:;\n]*[.!?:;\n]*")
_CLAUSE = re.compile(rf"(?<=,)|(?={_CONTRAST_WORDS})", re.IGNORECASE)
_YES_OR_NO = re.compile(r"(?:\s*(?:yes|no|true|false)\s*[,–—-]+(?=\s))*", re.IGNORECASE)
_PLAIN = str.maketrans(
    {"’": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ", "*": " ", "_": " ", "`": " "}
)


def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)")


_FIRM = _any_of(FIRM)
_HEDGEABLE = _any_of(HEDGEABLE)


def refuses(text: str) -> bool:
    """Whether the answer declines to answer, by the phrase lists of this module. An empty answer does not refuse."""
    return any(_sentence_refuses(sentence) for sentence in _sentences(text))


def answering_part(text: str) -> str:
    """`text` without what declines to answer, so that "no" is not found in "no information".

    A sentence that refuses goes; of one with a contrast ("the day is not mentioned, but it was in May") only the
    clauses that refuse. An opening "Yes," or "No," is an answer and stays. A text that does not refuse is returned as
    it is.
    """
    if not refuses(text):
        return text
    return "".join(_answering(sentence) for sentence in _WHOLE_SENTENCE.findall(text))


def _answering(sentence: str) -> str:
    opening = _YES_OR_NO.match(sentence)
    begun = opening.group() if opening else ""
    statement = sentence[len(begun) :]
    if not refuses(statement):
        return sentence
    clauses = _CLAUSE.split(statement) if _CONTRAST.search(statement.casefold()) else []
    return begun + "".join(clause for clause in clauses if not refuses(clause))


def _sentences(text: str) -> list[str]:
    plain = text.translate(_PLAIN).casefold()
    spoken = _QUOTED.sub(" ", plain)
    if not any(character.isalnum() for character in spoken):
        spoken = plain.replace('"', " ")
    for contraction, written_out in _CONTRACTIONS:
        spoken = contraction.sub(written_out, spoken)
    return [" ".join(sentence.split()).strip(" ,-") for sentence in _SENTENCE_END.split(spoken)]


def _sentence_refuses(sentence: str) -> bool:
    if _FIRM.search(sentence):
        return True
    statement = _APOLOGY.sub("", sentence)
    return _HEDGEABLE.search(statement) is not None and not _CONTRAST.search(statement)
