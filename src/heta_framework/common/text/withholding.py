"""Does an answer withhold something: not for want of knowledge, but because whoever asks may not have it?

A phrase rule for English, the counterpart of `refusal` ("I don't know"): "I can't share that", "you are not authorised
to see it", "that is confidential", "I cannot help with that". A phrase counts in any clause of the answer.
"""

from __future__ import annotations

import re

from heta_framework.common.text.clauses import clauses
from heta_framework.common.text.normalise import tokens

_SHARE = (
    r"(?:share|disclose|reveal|release|discuss|give out|hand out|give you|tell you|show you|provide|pass on|pass along"
    r"|divulge|confirm or deny)"
)
_REQUEST = r"(?:that|this|it|these|those|such|your|the (?:request|question))"
_HELP = rf"(?:(?:help|assist)(?: you)?(?: (?:with|on) {_REQUEST}|$)|comply)"
_NOT = r"(?:can ?not|cant|could not|couldnt|will not|wont|may not|must not|should not|do not|dont|not)"
_RIGHT = r"(?:allowed|permitted|authori[sz]ed|cleared|entitled|at liberty|able|supposed)"
_IT = r"(?:that|this|it|which|these|those|they|(?:that |this |the )?(?:information|details?|answer|question))"
_PHRASES = (
    rf"(?:i|we) (?:am |are |really |just )?{_NOT} (?:be able to )?(?:{_SHARE}|{_HELP})",
    rf"(?:(?:i|we) (?:am|are)|im) (?:not {_RIGHT}|unable) to (?:{_SHARE}|{_HELP})",
    rf"(?:(?:i|we) would|id|wed) (?:rather not|prefer not to) (?:say|{_SHARE})",
    rf"you (?:are )?{_NOT} (?:be )?(?:{_RIGHT}|have (?:access|permission))",
    r"you (?:arent|have no (?:access|permission|right))",
    rf"{_IT} {_NOT} be (?:shared|disclosed|revealed|released|given out|passed on)",
    rf"{_IT} (?:is not|isnt) something i (?:can|could|may|am able to|will)",
    rf"{_IT} (?:is|are|remains?|stays?) (?:strictly )?(?:confidential|private|restricted)",
    r"(?:access|permission) (?:is |was )?denied",
    r"(?:i|we) (?:have to |must |need to |will |am going to |would rather )?(?:decline|refuse)",
)
_WITHHOLDS = re.compile(rf"(?<!\w)(?:{'|'.join(_PHRASES)})(?!\w)")
_EXCEPTION = re.compile(r"(?<!\w)(?:but|however|although|though|instead|only)(?!\w)")


def withholds(text: str) -> bool:
    """Whether the answer keeps something back from who asks. An empty answer does not."""
    return any(_clause_withholds(clause) for clause in clauses(text))


def tells_the_rest(text: str) -> bool:
    """Whether an answer that withholds something goes on, after a contrast, to tell something else."""
    parts = clauses(text)
    withheld = [_clause_withholds(part) for part in parts]
    return any(withheld) and any(
        not kept and _EXCEPTION.match(" ".join(tokens(part))) is not None
        for part, kept in zip(parts, withheld, strict=True)
    )


def _clause_withholds(clause: str) -> bool:
    return _WITHHOLDS.search(" ".join(tokens(clause))) is not None
