"""Which chat requests are the same: those that the model could not tell apart."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import (
    BinaryContent,
    ImageUrl,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from heta_framework.common.models.providers.identity import chat_identity

NAMES = st.text("abcdef_", min_size=1, max_size=6)
TEXTS = st.text(max_size=12)
ARGUMENTS = st.dictionaries(NAMES, st.integers(-9, 9) | TEXTS | st.booleans(), max_size=3)
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


def identity(
    messages: list[ModelMessage], settings: Any = None, parameters: ModelRequestParameters | None = None
) -> str:
    found = chat_identity(messages, settings, parameters or ModelRequestParameters())
    return json.dumps(found, sort_keys=True)


@st.composite
def conversations(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """Turns as plain data: what was said, called and returned."""
    turns: list[tuple[str, Any]] = [("system", draw(TEXTS)), ("user", draw(TEXTS))]
    for _ in range(draw(st.integers(0, 3))):
        calls = draw(st.lists(st.tuples(NAMES, ARGUMENTS, TEXTS), min_size=1, max_size=3))
        turns.append(("calls", (draw(TEXTS), calls)))
    return turns


def built(turns: list[tuple[str, Any]], mark: str, *, as_text: bool) -> list[ModelMessage]:
    """The conversation with ids, times and metadata that ``mark`` decides; arguments as text or as objects."""
    time = LONG_AGO + timedelta(seconds=len(mark) * 1000)
    messages: list[ModelMessage] = [
        ModelRequest(
            [
                SystemPromptPart(turns[0][1], timestamp=time),
                UserPromptPart(turns[1][1], timestamp=time),
            ],
            timestamp=time,
            run_id=mark,
            metadata={"mark": mark},
        )
    ]
    for number, (_, (said, calls)) in enumerate(turns[2:]):
        ids = [f"{mark}-{number}-{index}" for index in range(len(calls))]
        parts = [
            ToolCallPart(name, json.dumps(arguments) if as_text else arguments, tool_call_id=ids[index])
            for index, (name, arguments, _) in enumerate(calls)
        ]
        seal = ThinkingPart("hm", signature=mark, id=mark, provider_name=mark)
        messages.append(
            ModelResponse([seal, TextPart(said, id=mark), *parts], timestamp=time, provider_response_id=mark)
        )
        returns = [
            ToolReturnPart(name, result, tool_call_id=ids[index], timestamp=time, metadata=mark)
            for index, (name, _, result) in enumerate(calls)
        ]
        messages.append(ModelRequest([*returns], timestamp=time))
    return messages


@given(conversations())
def test_ids_times_and_notes_make_no_difference(turns: list[tuple[str, Any]]) -> None:
    assert identity(built(turns, "a", as_text=True)) == identity(built(turns, "other", as_text=False))


@given(conversations(), conversations())
def test_different_conversations_differ(one: list[tuple[str, Any]], other: list[tuple[str, Any]]) -> None:
    same = identity(built(one, "a", as_text=True)) == identity(built(other, "a", as_text=True))
    assert same == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


def test_which_call_a_result_belongs_to_makes_a_difference() -> None:
    def told(first: str, second: str) -> list[ModelMessage]:
        calls = ModelResponse([ToolCallPart("look", {}, tool_call_id="1"), ToolCallPart("look", {}, tool_call_id="2")])
        returns = [ToolReturnPart("look", "x", tool_call_id=first), ToolReturnPart("look", "y", tool_call_id=second)]
        return [calls, ModelRequest([*returns])]

    assert identity(told("1", "2")) != identity(told("2", "1"))


PARAMETERS = {"type": "object", "properties": {"q": {"type": "string"}}}


def tool(**changed: Any) -> ToolDefinition:
    return ToolDefinition(**{"name": "find", "parameters_json_schema": PARAMETERS, "description": "Finds."} | changed)


CHANGED_TOOLS = [
    tool(name="seek"),
    tool(description="Finds it."),
    tool(description=None),
    tool(parameters_json_schema={"type": "object", "properties": {"q": {"type": "integer"}}}),
    tool(strict=True),
    tool(strict=False),
    tool(kind="external"),
    tool(return_schema={"type": "string"}),
]
SCHEMA = OutputObjectDefinition(json_schema={"type": "object"}, name="Answer", description="What to say", strict=True)
ASKED: list[ModelMessage] = [ModelRequest([UserPromptPart("hello")])]
VARIANTS = {
    "nothing": ModelRequestParameters(),
    "a tool": ModelRequestParameters(function_tools=[tool()]),
    "a tool twice": ModelRequestParameters(function_tools=[tool(), tool()]),
    **{f"tool {n}": ModelRequestParameters(function_tools=[changed]) for n, changed in enumerate(CHANGED_TOOLS)},
    "output tool": ModelRequestParameters(output_tools=[tool()]),
    "output tool forced": ModelRequestParameters(output_tools=[tool()], output_mode="tool", allow_text_output=False),
    "output tool offered": ModelRequestParameters(output_tools=[tool()], output_mode="tool"),
    "schema": ModelRequestParameters(output_object=SCHEMA, output_mode="native"),
    "schema in the prompt": ModelRequestParameters(output_object=SCHEMA, output_mode="prompted"),
    "with a template": ModelRequestParameters(
        output_object=SCHEMA, output_mode="prompted", prompted_output_template="As JSON: {schema}"
    ),
    **{
        f"schema, other {name}": ModelRequestParameters(
            output_mode="native",
            output_object=OutputObjectDefinition(
                **{"json_schema": {"type": "object"}, "name": "Answer", "description": "What to say", "strict": True}
                | {name: value}
            ),
        )
        for name, value in {
            "json_schema": {"type": "object", "properties": {}},
            "name": "Reply",
            "description": "Say it",
            "strict": False,
        }.items()
    },
    "image output": ModelRequestParameters(allow_image_output=True),
    "instructions": ModelRequestParameters(instruction_parts=[InstructionPart("Be brief.")]),
    "other instructions": ModelRequestParameters(instruction_parts=[InstructionPart("Be kind.")]),
}


def test_every_change_of_what_is_offered_makes_a_difference() -> None:
    found = {name: identity(ASKED, None, parameters) for name, parameters in VARIANTS.items()}
    assert len(set(found.values())) == len(found)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "temperature": st.sampled_from([0.0, 0.5]),
            "top_p": st.sampled_from([0.1, 0.9]),
            "max_tokens": st.integers(1, 3),
            "seed": st.integers(0, 2),
            "stop_sequences": st.lists(NAMES, max_size=2),
            "tool_choice": st.sampled_from(["auto", "required"]),
            "parallel_tool_calls": st.booleans(),
            "extra_body": st.dictionaries(NAMES, st.integers(0, 3), max_size=2),
            "thinking": st.sampled_from(["low", "high"]),
        },
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "extra_headers": st.dictionaries(NAMES, st.just("secret-header")),
            "timeout": st.integers(1, 9),
            "max_retries": st.integers(0, 3),
        },
    ),
    st.fixed_dictionaries({}, optional={"temperature": st.just(0.7), "seed": st.just(9), "top_k": st.just(3)}),
)
def test_sampling_makes_a_difference_and_transport_none(
    sampling: dict[str, Any], transport: dict[str, Any], changed: dict[str, Any]
) -> None:
    plain = identity(ASKED, sampling)
    assert identity(ASKED, sampling | transport) == plain
    assert "secret-header" not in identity(ASKED, sampling | transport)
    assert (identity(ASKED, sampling | changed) == plain) == (sampling | changed == sampling)


def image(data: bytes, media_type: str = "image/png") -> list[ModelMessage]:
    return [ModelRequest([UserPromptPart(["Look:", BinaryContent(data, media_type=media_type)])])]


def test_images_count_by_their_bytes_but_are_not_kept() -> None:
    big = bytes(range(256)) * 400
    assert identity(image(big)) == identity(image(big))
    assert identity(image(big)) != identity(image(big[:-1] + b"x"))
    assert identity(image(big)) != identity(image(big, "image/jpeg"))
    assert len(identity(image(big))) < 1000
    one, other = (
        [ModelRequest([UserPromptPart([ImageUrl(f"https://example.com/{name}.png")])])] for name in ("a", "b")
    )
    assert identity([*one]) != identity([*other])
