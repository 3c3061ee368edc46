"""Asks a language model for JSON until it can be used, and reads it however it is spelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from heta_framework.common.models.errors import CostLimitReached, ModelSetupError, ReplayMiss
from heta_framework.common.models.language.types import ModelOptions, ModelRequest

if TYPE_CHECKING:
    from heta_framework.common.judge.fencing import Material
    from heta_framework.common.models.language.protocol import LanguageModelProtocol
    from heta_framework.kb.graphing.prompts import GraphPrompt

T = TypeVar("T")
Reply = Mapping[str, Any]


class UnusableReplyError(ValueError):
    """A reply is not what was asked for; the message says what is missing, in words that the model can follow."""


class NoUsableReplyError(RuntimeError):
    """All attempts are used up.

    Attributes:
        unanswered: whether the model never replied at all.
    """

    def __init__(self, problem: str, *, unanswered: bool) -> None:
        super().__init__(problem)
        self.unanswered = unanswered


async def ask_until_usable(
    model: LanguageModelProtocol,
    prompt: GraphPrompt,
    material: Material,
    read: Callable[[Reply], T],
    *,
    keys: tuple[str, ...],
    trace_context: Mapping[str, Any],
    max_attempts: int,
    temperature: float,
) -> T:
    """What ``read`` makes of the first reply that it takes.

    Args:
        read: raises UnusableReplyError for a reply that it cannot take.
        keys: the reply must hold one of them; a bare list counts as the first. Without keys any object will do.
        trace_context: ``attempt`` (from 1) is added.

    Raises:
        NoUsableReplyError: no attempt gave a reply that can be used.
        CostLimitReached, ReplayMiss, ModelSetupError: the run may not ask, or cannot.
    """
    problem: str | None = None
    answered = False
    for attempt in range(1, max_attempts + 1):
        rendered = prompt.render(material, problem)
        request = ModelRequest(
            rendered.prompt,
            system_prompt=rendered.system,
            options=ModelOptions(temperature=temperature, response_format="json"),
            trace_context={**trace_context, "attempt": attempt},
        )
        try:
            result = await model.invoke(request)
            answered = True
            return read(_reply(result, keys))
        except (CostLimitReached, ReplayMiss, ModelSetupError):
            raise
        except UnusableReplyError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - the model is a plugin: its failures cost this reply, not the build
            problem = f"the model failed: {type(error).__name__}: {error}"
    raise NoUsableReplyError(problem or "no attempt was made", unanswered=not answered)


def _reply(result: Any, keys: tuple[str, ...]) -> Reply:
    parsed = getattr(result, "parsed", None)
    if isinstance(parsed, Mapping) and _holds(parsed, keys):
        return parsed
    text = getattr(result, "text", None)
    if not isinstance(text, str) or not text.strip():
        raise UnusableReplyError("the reply is empty")
    return _read(text, keys)


def _read(text: str, keys: tuple[str, ...]) -> Reply:
    """The last object with one of the keys; else a bare list of objects under the first key."""
    from heta_framework.common.judge.json_objects import find_objects

    found = find_objects(text)
    objects = [one.fields for one in found.objects if one.fields is not None]
    if objects and not keys:
        return objects[-1]
    fitting = [fields for fields in objects if _holds(fields, keys)]
    if fitting:
        return fitting[-1]
    if objects and "[" in text[: found.objects[0].start]:
        return {keys[0]: objects}
    cut = " and ends in the middle" if found.cut_at is not None else ""
    wanted = f" with {' or '.join(keys)}" if keys else ""
    raise UnusableReplyError(f"it holds no JSON object{wanted}{cut}")


def _holds(fields: Mapping[str, Any], keys: tuple[str, ...]) -> bool:
    return not keys or any(key in fields for key in keys)


def records_of(reply: Reply, key: str) -> list[Mapping[str, Any]]:
    """The records under a key; null counts as none, and what is no object is passed over.

    Raises:
        UnusableReplyError: there is no list under the key.
    """
    value = reply.get(key)
    if value is None and key in reply:
        return []
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        raise UnusableReplyError(f'"{key}" must be a list')
    return [record for record in value if isinstance(record, Mapping)]


def text_of(record: Mapping[str, Any], *names: str) -> str | None:
    """The first of these fields that is a text or a number, its spaces joined; None where none is."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return " ".join(str(value).split())
    return None


def attributes_of(record: Mapping[str, Any], *names: str) -> dict[str, str]:
    """The first of these fields that is an object, its values as texts; lists are joined, nested objects left out."""
    for name in names:
        value = record.get(name)
        if isinstance(value, Mapping):
            return {str(key): text for key, item in value.items() if (text := _attribute(item)) is not None}
    return {}


def _attribute(value: object) -> str | None:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value if isinstance(item, str | int | float)) or None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None
