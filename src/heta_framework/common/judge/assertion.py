"""Whether a sentence of a judge asserts the label that stands in it, of the answer as a whole.

"The answer is correct", "so it is incorrect", "I mark it correct" do; "the city is correct" is about a part, "it claims
to be correct" about what somebody says, "the correct answer" about something else, "would be correct if" about nothing.
"""

import re
from typing import Literal

Assertion = Literal["asserted", "denied", "half", "none"]

_ADVERBS = (
    r"(?:\s+(?:(?:clear|absolute|definite|factual|semantic|objective|obvious|plain"
    r"|simp|actual|real|certain|ful|complete|entire"
    r"|total|whole|exact)(?:ly|ally)|not|never|anything but|very|also|thus|hence|therefore|indeed|still|both|deemed"
    r"|judged|considered|counted|marked|rated|graded|called|found|as|to be|accurate and|complete and|wrong and)){0,3}"
)
_PART_OF = re.compile(r"\b(?:of|in|about|from|by|with|within)\s+(?:\w+\s+){0,2}$")
_RESERVED = re.compile(r"[^.!?;]*\b(?:but|however|yet|except|although|though|while|nevertheless|still)\b")
_OTHER_ANSWERS = r"(?<!expected )(?<!correct )(?<!right )(?<!gold )(?<!golden )(?<!reference )"
_NO_MERE_ANSWER = r"(?<!true )(?<!truth )(?<!\ban )(?<!any )(?<!every )(?<!no )"
_ANSWER = rf"\b{_OTHER_ANSWERS}{_NO_MERE_ANSWER}(?:answer|response|reply|prediction|output)\b"
_COPULA = r"(?:\b(?:is|was|be|being|as|seems|appears|looks|counts as|are)|'s|isn't|wasn't)"
_SUBJECT = re.compile(
    rf"(?:{_ANSWER}(?:[^\n]{{0,80}}?{_COPULA}{_ADVERBS})?"
    rf"|\bit(?:\s*{_COPULA}{_ADVERBS}|\s+gets? it)?"
    rf"|\bthis\s*{_COPULA}{_ADVERBS}"
    rf"|\bthis\s+(?:can|must|has to|will)\s*(?:not\s+)?be{_ADVERBS}"
    rf"|^\W*that\s*(?:is|'s)"
    rf"|\bi\s+(?:(?:would|will|have to|must|can|do|am|'d|'ll)\s+)?[\w' ]{{0,30}}?"
    rf"(?:judge|call|rate|mark|consider|conclude|deem|grade|score|say|go with|choose|decide)\b[^\n]{{0,40}}?)"
    r"\s*$"
)
_CONNECTIVES = r"(?:therefore|thus|hence|so|overall|consequently|ultimately|finally|in short|in conclusion|in sum)"
_OPENING = re.compile(rf"^\W*(?:{_CONNECTIVES}\W*)?$")
_CONCLUDING = re.compile(
    r"\b(?:therefore|thus|hence|so|overall|consequently)\W*"
    r"(?:judged|marked|rated|deemed|considered)?\W*(?:as|to be)?\W*$"
)
_PHRASE_GOES_ON = re.compile(
    r"\s*(?:$|[.,;!()◊—–]|-|because\b|since\b|as\b|given\b|in that\b|and\b"
    r"|:\s*(?:it|(?:the|this) (?:answer|response|reply)(?! (?:is|was|would|should)\b))\b)"
)
_LIMITED = re.compile(
    r"\W*(?:but|except|only|in part|partly|apart from|if|mostly|largely|to some|assuming|provided|as far as"
    r"|for the most|with the exception|unless|on paper|as an?\b)\b"
)
_TURNED = re.compile(r"\s*[:=?]\s*(?:no|not|false|yes|true|0|1|none)\b")
_NOUN_FOLLOWS = re.compile(r"\s+[^\W_]")
_FOLLOWERS = re.compile(
    r"\s+(?:because|since|as|and|but|given|so|due|though|although|while|here|overall|therefore|thus)\b"
)
_CLAUSE = re.compile(
    r"[,:(]|(?<!anything )\bbut\b|\b(?:because|since|while|although|though|however|so|and|therefore|thus)\b|--|—"
)
_CONCESSION = re.compile(r"\b(?:although|though|while|even if|despite|whereas)\b[^,;]*$")
_CONDITION = re.compile(r"\b(?:would|could|should|might|may|if|whether|were|had|to be|to count as|must|unless)\b")
_SAID_BY_OTHERS = re.compile(
    r"\b(?:ask|tell|instruct|claim|insist|persuad|pretend|assert|demand|order|command|want|request|urge|inject|trick|try"
    r"|tries|attempt|doubt|allege|disagree|believe|think|suppos|accord)\w*\b"
    r"|\b(?:false|untrue|wrong|incorrect|unlikely|supposedly)\b(?=\s+(?:that|to)\b)"
)
_REPORTED = re.compile(
    r"\b(?:say|said|state|contain|include|read|write|wrote|hold|quote|mention|end|declare|repeat)\w*\b"
)
_DEGREE = re.compile(
    r"\b(?:partial(?:ly)?|partly|mostly|almost|nearly|somewhat|half|quite|largely|only|just|strictly|technically|arguably"
    r"|possibly|probably|perhaps|not sure|less than)\b"
)
_WHOLLY = re.compile(r"\b(?:entirely|fully|completely|totally|wholly|exactly)\b")
_NEGATION = re.compile(
    r"\b(?:not|never|no|neither|nor|hardly|without|nothing|non|far from|anything but|fails?)\b|n't\b|\bcannot\b"
)
_NEAR = 3  # words


def assertion(before: str, label: str, after: str) -> Assertion:
    """How a sentence, cut into three, asserts ``label``; all in the spelling of ``plain``.

    ``denied`` is a plain "not"; ``half`` is whatever is softer than both, or a quotation of somebody else.
    """
    if _is_of_something_else(before, after):
        return "none"
    clause = _CLAUSE.split(before)[-1]
    if _TURNED.match(after) or _LIMITED.match(after) or _DEGREE.search(clause) or _is_reported(before, clause):
        return "half"
    negations = [found for found in _NEGATION.finditer(clause) if found.group() != label]
    if not negations:
        return "asserted" if _is_of_the_answer(before, clause, after) else "none"
    since = clause[negations[-1].end() :]
    if len(since.split()) >= _NEAR or _WHOLLY.search(since) or negations[-1].group() == "no":
        return "half"
    return "denied"


def is_with_reserve(after: str) -> bool:
    """Whether what follows an assertion takes something of it back: "correct, however the day is missing"."""
    return _RESERVED.match(after) is not None


def is_reported(before: str) -> bool:
    """Whether what follows ``before`` in a sentence is said by somebody else: "The answer says ..."."""
    return _is_reported(before, _CLAUSE.split(before)[-1])


def _is_of_something_else(before: str, after: str) -> bool:
    qualifies_noun = _NOUN_FOLLOWS.match(after) is not None and _FOLLOWERS.match(after) is None
    concession = _CONCESSION.search(before) is not None
    return concession or _CONDITION.search(before) is not None or (qualifies_noun and not _LIMITED.match(after))


def _is_reported(before: str, clause: str) -> bool:
    return _SAID_BY_OTHERS.search(before) is not None or _REPORTED.search(clause) is not None


def _is_of_the_answer(before: str, clause: str, after: str) -> bool:
    if _OPENING.match(before) or _CONCLUDING.search(before):
        return _PHRASE_GOES_ON.match(after) is not None
    subject = _SUBJECT.search(clause)
    return subject is not None and _PART_OF.search(clause[: subject.start()]) is None
