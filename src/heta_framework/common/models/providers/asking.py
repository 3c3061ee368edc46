"""A request of ours in pydantic-ai's terms: messages, settings, and what kind of answer is wanted."""

import json
from collections.abc import Sequence
from typing import Any, cast

from pydantic_ai import messages as wire
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from heta_framework.common.models.errors import ModelSetupError
from heta_framework.common.models.language.schema import json_schema_of, schema_name
from heta_framework.common.models.language.types import ContentPart, ModelOptions, ModelRequest, ToolSpec, ToolTurn
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.text.surrogates import replace_surrogates

OUTPUT_TOOL = "final_answer"
"""The tool through which an answer comes where ``structured_output`` is ``tool``."""

_IN_WORDS = (
    "Reply with JSON alone, without any text around it, that follows this JSON schema (a reply of values, not the "
    "schema itself):\n{schema}"
)


def messages_of(request: ModelRequest, mode: str, turns: Sequence[ToolTurn] = ()) -> list[wire.ModelMessage]:
    """The question, and the turns of tool calls after it.

    A schema that is asked for in the ``prompt`` ends the system text: many models' templates allow only one of these.
    """
    told = _system_text(request, mode)
    system = [wire.SystemPromptPart(replace_surrogates(told))] if told else []
    asked: list[wire.ModelMessage] = [wire.ModelRequest([*system, wire.UserPromptPart(_content(request))])]
    return asked + [message for turn in turns for message in _turn(turn)]


def settings_of(options: ModelOptions | None, config: LanguageModelConfig) -> ModelSettings | None:
    """Settings of one request, over those of the configuration.

    Raises:
        ModelSetupError: the provider has no such setting.
    """
    if options is None:
        return None
    extra = {**config.provider_options, **(options.provider_options or {}), **_response_format(options, config)}
    chosen: dict[str, Any] = {
        "temperature": options.temperature,
        "max_tokens": options.max_output_tokens,
        "top_p": options.top_p,
        "stop_sequences": list(options.stop_sequences) if options.stop_sequences else None,
        "extra_body": extra or None,
    }
    return cast("ModelSettings", {name: value for name, value in chosen.items() if value is not None})


def parameters_of(schema: Any, mode: str, tools: Sequence[ToolSpec] = ()) -> ModelRequestParameters:
    """What the model may answer with: text, an answer that follows ``schema``, calls of ``tools``."""
    offered = [
        ToolDefinition(
            name=tool.name, description=tool.description or None, parameters_json_schema=dict(tool.parameters)
        )
        for tool in tools
    ]
    if schema is None or mode == "prompt":
        return ModelRequestParameters(function_tools=offered)
    form, name = json_schema_of(schema), schema_name(schema)
    if mode == "tool":
        answer = ToolDefinition(name=OUTPUT_TOOL, description=name, parameters_json_schema=form, kind="output")
        return ModelRequestParameters(
            function_tools=offered, output_mode="tool", output_tools=[answer], allow_text_output=False
        )
    wanted = OutputObjectDefinition(json_schema=form, name=name)
    return ModelRequestParameters(
        function_tools=offered, output_mode="native", output_object=wanted, allow_text_output=False
    )


def _system_text(request: ModelRequest, mode: str) -> str:
    given = request.system_prompt or ""
    if mode != "prompt" or request.response_schema is None:
        return given
    schema = json.dumps(json_schema_of(request.response_schema), ensure_ascii=False)
    return "\n\n".join(filter(None, [given, _IN_WORDS.format(schema=schema)]))


def _response_format(options: ModelOptions, config: LanguageModelConfig) -> dict[str, Any]:
    wanted = options.response_format
    if wanted is None:
        return {}
    if config.provider != "openai":
        raise ModelSetupError(
            f"'response_format' is a setting of OpenAI-compatible endpoints, not of {config.provider!r}: "
            f"give a 'response_schema' instead"
        )
    return {"response_format": {"type": "json_object"} if wanted == "json" else wanted}


def _content(request: ModelRequest) -> str | list[wire.UserContent]:
    if request.prompt is not None:
        return replace_surrogates(request.prompt)
    return [_part(part) for part in request.content or ()]


def _part(part: ContentPart) -> wire.UserContent:
    if part.type == "text" and part.text is not None:
        return replace_surrogates(part.text)
    if part.type == "image" and part.data is not None and part.media_type:
        return wire.BinaryContent(part.data, media_type=part.media_type)
    if part.type == "image" and part.url:
        return wire.ImageUrl(part.url)
    raise ValueError(
        f"a content part is 'text' with text, or 'image' with data and media_type, or with a url; found {part.type!r}"
    )


def _turn(turn: ToolTurn) -> list[wire.ModelMessage]:
    said = [wire.TextPart(turn.text)] if turn.text else []
    called = [wire.ToolCallPart(call.name, dict(call.arguments), tool_call_id=call.id) for call in turn.calls]
    returned = [
        wire.ToolReturnPart(call.name, replace_surrogates(turn.results[call.id]), tool_call_id=call.id)
        for call in turn.calls
        if call.id in turn.results
    ]
    return [wire.ModelResponse([*said, *called]), wire.ModelRequest(returned)]
