"""How the code of PrefEval and of PersonaMem finds the chosen option, reply by reply, mistakes included.

Sources: amazon-science/PrefEval at 50795054, ``utils/utils_mcq.py`` (paper: arXiv 2502.09597); bowen-upenn/PersonaMem
at 041d82ac, ``inference_standalone_openai.py`` (paper: arXiv 2504.14225). For a rule that reads replies as they are
meant see ``choice_reading``.
"""

from __future__ import annotations

import json
import re
from typing import Any

from heams.evaluation.choice_markup import only_string_of

_TAG = "choice"
_CAPITAL = re.compile(r"[ABCD]")
_WORD = re.compile(r"\b[ABCD]\b", re.IGNORECASE)
_OBJECT = re.compile(r"\{.*\}")
_OPENED, _CLOSED = "<final_answer>", "</final_answer>"


class OfficialFailure(Exception):  # noqa: N818 - reads as what happened
    """The official code raises an exception on this reply; the message names its type."""


def prefeval_tag(reply: Any) -> str | None:
    """The first of the letters A to D in the first tag ``<choice>``, capitals only, be it part of a word ("Answer").

    None without such a tag, and where the tag holds anything besides one piece of text.

    Raises:
        OfficialFailure: the reply is no text, or markup that its parser gives up.
    """
    if not isinstance(reply, str):
        raise OfficialFailure("TypeError")
    try:
        content = only_string_of(reply, _TAG)
    except AssertionError:
        raise OfficialFailure("ParserRejectedMarkup") from None
    found = _CAPITAL.search(content) if content is not None else None
    return found[0] if found else None


def prefeval_prefilled(reply: Any) -> str | None:
    """``prefeval_tag`` of a reply that goes on behind ``<choice>``, which the prompt ended with; None for no text."""
    return prefeval_tag(f"<{_TAG}>{reply}") if isinstance(reply, str) else None


def prefeval_json(reply: Any) -> str | None:
    """The key ``choice`` of the reply as JSON, or of what stands between its first and last brace of a line.

    Where there is no JSON: the first letter that stands alone, in either case ("a good idea is option C" is A).

    Raises:
        OfficialFailure: the reply is no text, or JSON without such a letter as ``choice``.
    """
    if not isinstance(reply, str):
        raise OfficialFailure("AttributeError")
    try:
        data = json.loads(reply.strip())
    except json.JSONDecodeError:
        return _embedded(reply)
    letter = _letter_of(data)
    if letter is None:
        raise OfficialFailure("UnboundLocalError")
    return letter


def personamem_is_right(reply: str, right: str) -> bool:
    """Whether the letters a to d that are named behind the last ``<final_answer>`` are just the right one.

    Letters in brackets count; without any, every letter that stands alone, so also the article "a". Where these are
    other letters, the whole reply has a second chance.
    """
    answer = reply.strip().split(_OPENED)[-1].strip() if _OPENED in reply else reply.strip()
    answer = answer.removesuffix(_CLOSED).strip()
    return {right.lower().strip("() ")} in (_letters(answer), _letters(reply))


def _embedded(reply: str) -> str | None:
    found = _OBJECT.search(reply)
    if found is not None:
        try:
            letter = _letter_of(json.loads(found[0]))
        except json.JSONDecodeError:
            letter = None
        if letter is not None:
            return letter
    alone = _WORD.search(reply)
    return alone[0].upper() if alone else None


def _letter_of(data: Any) -> str | None:
    if not isinstance(data, dict) or _TAG not in data:
        return None
    choice = data[_TAG]
    if not isinstance(choice, str):
        raise OfficialFailure("AttributeError")
    letter = choice.strip().upper()
    return letter if letter in ("A", "B", "C", "D") else None


def _letters(text: str) -> set[str]:
    lowered = text.lower()
    return set(re.findall(r"\(([a-d])\)", lowered) or re.findall(r"\b([a-d])\b", lowered))
