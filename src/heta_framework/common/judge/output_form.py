"""The form of a judge's reply: a JSON schema, and the same in words for models that know no schemas."""

from collections.abc import Mapping
from typing import Any

from heta_framework.common.judge.policy import ClaimsPolicy, JudgePolicy, LabelPolicy, ListPolicy, ScalePolicy

REASON, VERDICT, SCORE, NUMBERS, CLAIMS, OMITTED = "reason", "verdict", "score", "numbers", "claims", "omitted"
_TEXT = {"type": "string"}
_WHOLE_NUMBERS = {"type": "array", "items": {"type": "integer"}}
_CLAIM_LIST = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"claim": _TEXT, "supported": {"type": "boolean"}},
        "required": ["claim", "supported"],
        "additionalProperties": False,
    },
}


def output_schema(policy: JudgePolicy) -> Mapping[str, Any]:
    """The JSON schema of a reply; the reason comes first, so that the verdict follows from it."""
    properties: dict[str, Any] = {REASON: _TEXT, **_fields(policy)}
    return {
        "title": "judgement",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def output_words(policy: JudgePolicy) -> str:
    """What the reply must look like, for the end of the system text."""
    return (
        "Reply with one JSON object and nothing else:\n"
        f'{{"{REASON}": "<one or two sentences>", {_example(policy)}}}{_meanings(policy)}'
    )


def _fields(policy: JudgePolicy) -> dict[str, Any]:
    if isinstance(policy, LabelPolicy):
        return {VERDICT: {"type": "string", "enum": [label.name for label in policy.labels]}}
    if isinstance(policy, ScalePolicy):
        return {SCORE: {"type": "number", "enum": list(policy.allowed)} if policy.allowed else {"type": "number"}}
    if isinstance(policy, ListPolicy):
        return {NUMBERS: _WHOLE_NUMBERS}
    return {CLAIMS: _CLAIM_LIST, OMITTED: _WHOLE_NUMBERS}


def _example(policy: JudgePolicy) -> str:
    match policy:
        case LabelPolicy():
            return f'"{VERDICT}": ' + " | ".join(f'"{label.name}"' for label in policy.labels)
        case ScalePolicy(allowed=None):
            return f'"{SCORE}": <a number from {policy.low:g} to {policy.high:g}>'
        case ScalePolicy():
            return f'"{SCORE}": ' + " | ".join(f"{value:g}" for value in policy.allowed or ())
        case ListPolicy():
            return f'"{NUMBERS}": [<numbers of entries of {policy.items}, [] for none>]'
        case ClaimsPolicy():
            claims = f'"{CLAIMS}": [{{"claim": "<a claim>", "supported": true | false}}, ...]'
            return f'{claims}, "{OMITTED}": [<numbers of entries of {policy.items}, [] for none>]'


def _meanings(policy: JudgePolicy) -> str:
    if not isinstance(policy, LabelPolicy):
        return ""
    return "".join(f"\n- {label.name}: {label.means}" for label in policy.labels if label.means)
