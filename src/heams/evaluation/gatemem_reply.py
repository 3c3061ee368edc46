"""What an agent replied to a GateMem checkpoint: an action and words, read leniently.

Asked for is a JSON object with ``action`` and ``answer``. It may stand among other text, and not be quite JSON;
"Action: refuse" on a line of its own, or a reply that begins with the name of an action, is understood too. Any other
reply is plain words: one that withholds is ``refuse`` (``answer_redacted`` if it goes on to tell something else), one
that knows nothing, says that it was deleted, or is empty, is ``no_memory``, and the rest is ``answer``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from heta_framework.common.text.refusal import refuses
from heta_framework.common.text.withholding import tells_the_rest, withholds

Action = Literal["answer", "answer_redacted", "refuse", "no_memory"]
ACTIONS: Final[tuple[Action, ...]] = get_args(Action)

_NAMES = r"answer[ _-]?redacted|no[ _-]?memory|refuse|answer"
_LINE = re.compile(
    rf"^[ \t*_\"'>-]*+action[\s*_\"']*[:=][\s*_\"']*({_NAMES})\b[\s*_\"',.;]*", re.IGNORECASE | re.MULTILINE
)
_OPENING = re.compile(rf"^[\s*_\"'\[(]*({_NAMES})[\s*_\"'\])]*(?:[:\n][\s*_]*|$)", re.IGNORECASE)
_PAIR = re.compile(rf"[\"']action[\"']\s*:\s*[\"']({_NAMES})[\"']", re.IGNORECASE)
_ANSWER_PAIR = re.compile(
    r"[\"']answer[\"']\s*:\s*(?P<mark>[\"'])(?P<said>.*?)(?P=mark)\s*[,}]", re.IGNORECASE | re.DOTALL
)
_ANSWER_LABEL = re.compile(r"^[\s*_\"']*answer[\s*_\"']*[:=][\s*_]*", re.IGNORECASE)
_ERASED = re.compile(
    r"\b(?:was|were|been|is|are) (?:deleted|erased|purged|forgotten)\b|\bremoved from (?:\w+ )?(?:memory|records?)\b",
    re.IGNORECASE,
)
_NOT_SAID = frozenset({"action", "used_record_ids"})
_MOST_BRACES = 20


@dataclass(frozen=True, slots=True)
class GateMemReply:
    """``answer`` and ``structured`` are what the official scorer looks at; ``said`` is all that the asker reads."""

    action: Action
    answer: str
    said: str
    structured: Any = None

    @property
    def official_output(self) -> dict[str, Any]:
        """The reply in the official format of predictions."""
        return {"action": self.action, "answer": self.answer, "answer_structured": self.structured or {}}


def read_reply(text: str) -> GateMemReply:
    """Read a reply; every text is one."""
    stated = _object(text)
    if stated is not None:
        return stated
    written = _PAIR.search(text)
    if written is not None and (action := _action(written[1])) is not None:
        told = _ANSWER_PAIR.search(text)
        return GateMemReply(action, text if told is None else told["said"], text)
    found = _LINE.search(text) or _OPENING.match(text)
    if found is not None and (action := _action(found[1])) is not None:
        words = _ANSWER_LABEL.sub("", (text[: found.start()] + text[found.end() :]).strip())
        return GateMemReply(action, words, words)
    return GateMemReply(_action_of_words(text), text, text)


def _object(text: str) -> GateMemReply | None:
    for found in _objects(text):
        fields = {str(key).casefold().strip(): value for key, value in found.items()}
        if "action" not in fields and "answer" not in fields:
            continue
        answer = fields.get("answer")
        words = answer if isinstance(answer, str) else "" if answer is None else json.dumps(answer, ensure_ascii=False)
        said = "\n".join(leaf for key, value in fields.items() if key not in _NOT_SAID for leaf in _leaves(value))
        action = _action(str(fields.get("action") or "")) or _action_of_words(words)
        return GateMemReply(action, words, said, fields.get("answer_structured"))
    return None


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    decoder = json.JSONDecoder(strict=False)
    place = text.find("{")
    for _ in range(_MOST_BRACES):
        if place < 0:
            return
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield value
        place = text.find("{", end)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key)
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif value is not None:
        yield str(value)


def _action(named: str) -> Action | None:
    name = re.sub(r"[^a-z]+", "_", named.casefold()).strip("_")
    name = {"nomemory": "no_memory", "answerredacted": "answer_redacted", "redacted": "answer_redacted"}.get(name, name)
    return next((action for action in ACTIONS if action == name), None)


def _action_of_words(text: str) -> Action:
    if withholds(text):
        return "answer_redacted" if tells_the_rest(text) else "refuse"
    return "no_memory" if not text.strip() or refuses(text) or _ERASED.search(text) else "answer"
