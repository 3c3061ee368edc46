"""Reads a judge's reply under a policy: the verdict is the judge's own, or the reply is unreadable.

The order: JSON before prose; of several objects the last that has all fields, else the last that has a verdict; objects
and words that merely repeat the material never count. An unreadable reply is no verdict at all.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.common.judge import output_form
from heta_framework.common.judge.announcements import boxed_written_out, written_out
from heta_framework.common.judge.fencing import Material
from heta_framework.common.judge.json_objects import FoundObjects, find_objects
from heta_framework.common.judge.policy import JudgePolicy, LabelPolicy, ListPolicy, ScalePolicy
from heta_framework.common.judge.prose_label import LabelReader
from heta_framework.common.judge.prose_score import number_of, score_in
from heta_framework.common.judge.quotations import GONE, OwnWords, without_quotations, without_thoughts
from heta_framework.common.judge.verdict_object import own_fields, verdict_in
from heta_framework.common.judge.words import folded, plain

LONGEST_REPLY = 50_000
"""Characters, from the end, that are looked at."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that an answer claims, and whether the entries support it."""

    text: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A verdict as one reply gave it.

    ``value`` is None only where no claim was found. ``chosen`` are places of entries, counted from 0: those listed, or
    those that were left out (claims).
    """

    value: float | None
    label: str | None = None
    chosen: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why there is no verdict in a reply; the words repeat nothing of the reply."""

    problem: str


def read_reply(policy: JudgePolicy, text: str, material: Material) -> Reading | Unreadable:
    """The verdict in ``text``. Never raises, whatever the text."""
    said = without_thoughts(text[-LONGEST_REPLY:])
    if said is None or not said.strip():
        return Unreadable("it was empty" if said is not None else "it ended in the middle of a thought")
    own = OwnWords(material)
    said = boxed_written_out(_unwrapped(_without_invisible(said)), own)
    found = find_objects(said)
    fields = own_fields(policy.kind, found.objects, own)
    if fields is not None:
        return _from_fields(policy, fields, material)
    if found.cut_at is not None:
        return Unreadable("it was cut off, or its JSON is broken")
    return _from_prose(policy, said, found, own)


def _from_fields(policy: JudgePolicy, fields: Mapping[str, Any], material: Material) -> Reading | Unreadable:
    given = verdict_in(policy.kind, fields)
    reason = str(fields.get(output_form.REASON) or "")
    if isinstance(policy, LabelPolicy):
        return _label(policy, _reader(policy).read(plain(_word(given))), reason)
    if isinstance(policy, ScalePolicy):
        spelled = isinstance(given, str) and number_of(given) is None
        return _score(policy, score_in(plain(given), policy.high) if spelled else number_of(given), reason)
    entries = material[policy.items]
    count = 1 if isinstance(entries, str) else len(entries)
    if isinstance(policy, ListPolicy):
        chosen = _places(given, count)
        if chosen is None:
            return Unreadable("its numbers are not those of entries")
        return Reading(policy.value_of(len(chosen), count), chosen=chosen, reason=reason)
    return _claims(given, _places(fields.get(output_form.OMITTED, []), count), reason)


def _from_prose(policy: JudgePolicy, said: str, found: FoundObjects, own: OwnWords) -> Reading | Unreadable:
    if not isinstance(policy, LabelPolicy | ScalePolicy):
        return Unreadable("it holds no JSON object")
    text = said
    for each in reversed(found.objects):
        text = text[: each.start] + GONE + text[each.end :]
    text = written_out(text, own)
    if isinstance(policy, ScalePolicy):
        words = own.without_copies(plain(without_quotations(text)))
        return _score(policy, score_in(words, policy.high, own.copies), "")
    reader = _reader(policy, own)
    whole = reader.whole(text)
    if whole is not None:
        return _label(policy, whole, "")
    words = own.without_copies(plain(_announced_unquoted(text, reader)))
    return _label(policy, reader.read(words), "")


def _announced_unquoted(text: str, reader: LabelReader) -> str:
    """Quotations left out, but for a label alone behind a lead-in such as ``Verdict: "correct"``."""
    lead_in = r"((?:verdict|label|judge?ment|grade|answer|decision)\W{0,4}(?:\s*(?:is|:|=)\W{0,4})\s*)"
    unquoted = re.sub(
        lead_in + r"[\"“'«]([^\"”'»\n]{1,40})[\"”'»]",
        lambda match: match[1] + match[2] if reader.whole(match[2]) is not None else match[0],
        text,
        flags=re.IGNORECASE,
    )
    return without_quotations(unquoted)


def _reader(policy: LabelPolicy, own: OwnWords | None = None) -> LabelReader:
    forms = {folded(form): label.name for label in policy.labels for form in label.forms}
    opposite: dict[str, str] = {}
    if len(policy.labels) == 2:
        one, other = policy.labels
        opposite = {a.name: b.name for a, b in ((one, other), (other, one)) if a.passes and not b.passes}
    return LabelReader(forms, opposite, own.copies) if own else LabelReader(forms, opposite)


def _label(policy: LabelPolicy, name: str | None, reason: str) -> Reading | Unreadable:
    if name is None:
        allowed = ", ".join(label.name for label in policy.labels)
        return Unreadable(f"it names none of {allowed}, or more than one")
    return Reading(policy.label(name).value, label=name, reason=reason)


def _score(policy: ScalePolicy, value: float | None, reason: str) -> Reading | Unreadable:
    allowed = policy.allowed
    if value is None or not policy.low <= value <= policy.high or (allowed is not None and value not in allowed):
        numbers = ", ".join(f"{each:g}" for each in allowed) if allowed else f"{policy.low:g} to {policy.high:g}"
        return Unreadable(f"it gives no score of {numbers}")
    return Reading(float(int(value)) if policy.truncate else value, reason=reason)


def _claims(given: Any, omitted: tuple[int, ...] | None, reason: str) -> Reading | Unreadable:
    claims = _claim_list(given)
    if claims is None or omitted is None:
        return Unreadable("its claims or its omitted entries are not in the form that was asked for")
    supported = sum(claim.supported for claim in claims)
    return Reading(supported / len(claims) if claims else None, chosen=omitted, claims=claims, reason=reason)


def _claim_list(given: Any) -> tuple[Claim, ...] | None:
    if not isinstance(given, list | tuple):
        return None
    claims = []
    for each in given:
        if not isinstance(each, Mapping) or not isinstance(each.get("supported"), bool):
            return None
        claims.append(Claim(str(each.get("claim", "")), each["supported"]))
    return tuple(claims)


def _places(given: Any, count: int) -> tuple[int, ...] | None:
    """Numbers of entries as places; None where one is no number of an entry."""
    if not isinstance(given, list | tuple):
        return None
    numbers = [number_of(each) for each in given]
    if any(number is None or number != int(number) or not 1 <= number <= count for number in numbers):
        return None
    return tuple(sorted({int(number) - 1 for number in numbers if number is not None}))


def _word(given: Any) -> str:
    if isinstance(given, str):
        return given
    return str(given).lower() if isinstance(given, bool | int | float) else ""


_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def _unwrapped(text: str) -> str:
    """The text inside of a JSON string, as some gateways send it."""
    if not text.strip().startswith('"{'):
        return text
    try:
        inside = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text
    return inside if isinstance(inside, str) else text


def _without_invisible(text: str) -> str:
    return _INVISIBLE.sub("", text)
