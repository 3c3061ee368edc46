"""Asks a language model, and reads what it replies however it is spelled; a failed call is a reply with a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.common.models.errors import CostLimitReached, ModelSetupError, ReplayMiss
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.models.language.types import ModelOptions, ModelRequest
from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.kb.search.prompts import RenderedPrompt

_ANSWER = ModelOptions(temperature=0.1)
_JSON = ModelOptions(temperature=0.0, max_output_tokens=1024, response_format="json")


@dataclass(frozen=True)
class Reply:
    """What a model said.

    Attributes:
        text: stripped; empty where there is none.
        fields: the JSON object that was asked for; empty where there is none.
        problem: why the reply cannot be used, in words; None where it can.
        failed: whether there is no reply at all.
    """

    text: str = ""
    fields: Mapping[str, Any] | None = None
    problem: str | None = None
    failed: bool = False


async def ask_for_text(model: LanguageModelProtocol, prompt: RenderedPrompt, trace_context: Mapping[str, Any]) -> Reply:
    """The model's words.

    Raises:
        CostLimitReached, ReplayMiss, ModelSetupError: the run may not ask, or cannot.
    """
    reply = await _invoke(model, _request(prompt, _ANSWER, trace_context))
    return reply if reply.text or reply.problem else Reply(problem="the model replied with nothing")


async def ask_for_json(
    model: LanguageModelProtocol, prompt: RenderedPrompt, trace_context: Mapping[str, Any], keys: frozenset[str]
) -> Reply:
    """A JSON object that has at least one of ``keys``; of several, the last.

    Raises:
        CostLimitReached, ReplayMiss, ModelSetupError: the run may not ask, or cannot.
    """
    reply = await _invoke(model, _request(prompt, _JSON, trace_context))
    if reply.problem or (reply.fields and keys & reply.fields.keys()):
        return reply
    fields = _object_with(keys, reply.text)
    if fields is None:
        return Reply(reply.text, problem=f"the reply holds no JSON object with {' or '.join(sorted(keys))}")
    return Reply(reply.text, fields)


def _request(prompt: RenderedPrompt, options: ModelOptions, trace_context: Mapping[str, Any]) -> ModelRequest:
    return ModelRequest(prompt.prompt, system_prompt=prompt.system, options=options, trace_context=dict(trace_context))


async def _invoke(model: LanguageModelProtocol, request: ModelRequest) -> Reply:
    try:
        result = await model.invoke(request)
    except (CostLimitReached, ReplayMiss, ModelSetupError):
        raise
    except Exception as error:  # noqa: BLE001 - the model is a plugin: its failures cost the answer, not the results
        return Reply(problem=replace_surrogates(f"the model failed: {type(error).__name__}: {error}"), failed=True)
    text, parsed = getattr(result, "text", None), getattr(result, "parsed", None)
    return Reply(
        replace_surrogates(text).strip() if isinstance(text, str) else "",
        _encodable(parsed) if isinstance(parsed, Mapping) else None,
    )


def _object_with(keys: frozenset[str], text: str) -> Mapping[str, Any] | None:
    from heta_framework.common.judge.json_objects import find_objects

    found = [one.fields for one in find_objects(text).objects if one.fields and keys & one.fields.keys()]
    return _encodable(found[-1]) if found else None


def _encodable(value: Any) -> Any:
    """The value with U+FFFD for the lone surrogates that JSON can spell and nothing can write."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    return [_encodable(one) for one in value] if isinstance(value, list) else value
