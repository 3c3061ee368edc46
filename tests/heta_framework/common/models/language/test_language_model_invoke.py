"""Language models against a real endpoint: what is asked, what is answered, and what a failure says."""

import asyncio
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pytest
from pydantic import BaseModel

from heta_framework.common.models import (
    ContentPart,
    LanguageModel,
    LanguageModelConfig,
    LanguageModelProtocol,
    ModelOptions,
    ModelRequest,
    ModelRequestError,
    ModelResponseError,
    ModelSetupError,
    open_language_model,
)
from heta_framework.common.models.calls.scope import call_scope

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]


class Verdict(BaseModel):
    """What a judge says."""

    label: Literal["right", "wrong"]
    score: float


RIGHT = {"label": "right", "score": 0.5}


def model(**fields: Any) -> LanguageModel:
    return open_language_model(LanguageModelConfig(model="openai:gpt-4o-mini", **fields), role="judge")


def ask(asked: LanguageModel, *args: Any, **fields: Any) -> Any:
    return asyncio.run(asked.invoke(ModelRequest(*args, **fields)))


def test_a_text_is_answered_with_its_tokens_and_reason(openai_server: Start) -> None:
    openai_server(brain={"fixed": "four words in all"}, cached_tokens=1)
    result = ask(model(), "What is said here?", trace_context={"stage": "test"})
    assert (result.text, result.parsed, result.finish_reason) == ("four words in all", None, "stop")
    assert (result.token_usage.input_tokens, result.token_usage.output_tokens) == (4, 4)
    assert result.token_usage.cached_tokens == 1
    assert result.trace_context == {"stage": "test"}
    assert result.model_name == "gpt-4o-mini"


def test_calls_are_metered_for_the_role(openai_server: Start) -> None:
    openai_server(brain="echo")
    asked = model(prices={"input": 1_000_000, "output": 0})

    async def two() -> Any:
        with call_scope() as scope:
            await asked.invoke_many([ModelRequest("one two"), ModelRequest("three")])
        return scope.usage

    usage = asyncio.run(two())
    assert set(usage) == {"judge"}
    assert (usage["judge"].calls, usage["judge"].input_tokens, usage["judge"].cost_usd) == (2, 3, 3.0)


def test_no_count_of_the_provider_is_no_count(openai_server: Start) -> None:
    openai_server(brain="echo", usage="none")
    assert ask(model(), "hello").token_usage is None


@pytest.mark.parametrize("way", ["json_schema", "tool", "prompt"])
@pytest.mark.parametrize("schema", [Verdict, Verdict.model_json_schema()], ids=["class", "json schema"])
def test_a_schema_is_asked_for_in_three_ways_and_read_back(openai_server: Start, way: Any, schema: Any) -> None:
    tool_call = {"tool_calls": [{"name": "final_answer", "arguments": RIGHT}]}
    server = openai_server(brain={"fixed": tool_call if way == "tool" else {"data": RIGHT}})
    result = ask(model(structured_output=way), "Is it right?", response_schema=schema)
    assert result.parsed == (Verdict(label="right", score=0.5) if schema is Verdict else RIGHT)
    body = server.log.entries[-1].body
    asked_for = {
        "json_schema": body.get("response_format", {}).get("type") == "json_schema",
        "tool": body.get("tools", [{}])[0].get("function", {}).get("name") == "final_answer",
        "prompt": "label" in str(body["messages"]) and "tools" not in body,
    }
    assert asked_for[way]
    assert [other for other, seen in asked_for.items() if seen] == [way]


def test_a_schema_in_the_prompt_needs_nothing_of_the_endpoint_but_one_system_message(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": {"data": RIGHT}})
    asked = model(structured_output="prompt")
    assert ask(asked, "Right?", system_prompt="You judge.", response_schema=Verdict).parsed == Verdict(**RIGHT)
    body = server.log.entries[-1].body
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"].startswith("You judge.\n\nReply with JSON alone")
    assert '"wrong"' in body["messages"][0]["content"]
    assert "response_format" not in body
    assert ask(asked, "Right?", system_prompt="You judge.").text
    assert server.log.entries[-1].body["messages"][0]["content"] == "You judge."


def test_another_schema_in_the_prompt_is_another_call(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": {"data": RIGHT}})
    asked = model(structured_output="prompt")
    ask(asked, "Right?", response_schema=Verdict)
    ask(asked, "Right?", response_schema={"type": "object", "properties": {"label": {"type": "string"}}})
    first, second = (entry.body["messages"] for entry in server.log.entries)
    assert first != second


@pytest.mark.parametrize("text", ["It is right.", '{"label": "maybe", "score": 1}', "", '{"label": "right"'])
def test_text_that_breaks_the_schema_is_kept_and_not_parsed(openai_server: Start, text: str) -> None:
    openai_server(brain={"fixed": text})
    result = ask(model(max_attempts=1), "Is it right?", response_schema=Verdict)
    assert (result.text, result.parsed) == (text, None)


def test_broken_arguments_of_the_answer_tool_are_the_raw_text(openai_server: Start) -> None:
    openai_server(brain={"fixed": {"tool_calls": [{"name": "final_answer", "arguments": '{"label": '}]}})
    result = ask(model(structured_output="tool"), "Is it right?", response_schema=Verdict)
    assert (result.text, result.parsed) == ('{"label": ', None)


def test_options_of_a_request_stand_above_the_configuration(openai_server: Start) -> None:
    server = openai_server(brain="echo")
    asked = model(temperature=0.9, max_tokens=5, seed=3, provider_options={"user": "ada", "top_k": 2})
    options = ModelOptions(
        temperature=0.0, max_output_tokens=7, top_p=0.5, stop_sequences=["END"], provider_options={"top_k": 4}
    )
    ask(asked, "hello", system_prompt="Be brief.", options=options)
    body = server.log.entries[-1].body
    assert (body["temperature"], body["max_completion_tokens"], body["top_p"], body["stop"]) == (0.0, 7, 0.5, ["END"])
    assert (body["seed"], body["user"], body["top_k"]) == (3, "ada", 4)
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}


def test_response_format_is_passed_on(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": "{}"})
    ask(model(), "hello", options=ModelOptions(response_format="json"))
    assert server.log.entries[-1].body["response_format"] == {"type": "json_object"}


def test_images_are_sent_by_value_and_by_address(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": "a dot"})
    parts = [
        ContentPart("text", text="What is this?"),
        ContentPart("image", data=b"\x89PNG", media_type="image/png"),
        ContentPart("image", url="https://example.com/dot.png"),
    ]
    assert ask(model(), content=parts).text == "a dot"
    sent = server.log.entries[-1].body["messages"][-1]["content"]
    assert [part["type"] for part in sent] == ["text", "image_url", "image_url"]
    assert sent[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert sent[2]["image_url"]["url"] == "https://example.com/dot.png"


def test_a_content_part_that_is_nothing_says_so(openai_server: Start) -> None:
    openai_server(brain="echo")
    with pytest.raises(ValueError, match="a content part is 'text' with text"):
        ask(model(), content=[ContentPart("image")])


def test_results_of_many_keep_their_order(openai_server: Start) -> None:
    openai_server(brain="echo", latency=(0.0, 0.05))
    asked = model()
    results = asyncio.run(asked.invoke_many([ModelRequest(f"number {n}") for n in range(20)]))
    assert [result.text for result in results] == [f"number {n}" for n in range(20)]


def test_one_failure_of_many_is_raised_as_itself(openai_server: Start) -> None:
    openai_server(brain="echo", faults=[{"fault": "context_length", "text": "number 3"}])
    with pytest.raises(ModelRequestError, match="400"):
        asyncio.run(model().invoke_many([ModelRequest(f"number {n}") for n in range(6)]))


def test_a_refusal_is_a_request_error_with_the_trace(openai_server: Start) -> None:
    openai_server(faults=["context_length"])
    with pytest.raises(ModelRequestError) as caught:
        ask(model(), "hello", trace_context={"round": 2})
    assert caught.value.trace_context == {"round": 2}


@pytest.mark.parametrize("fault", ["malformed_json", "no_choices", "empty_choices", "html"])
def test_garbage_to_the_end_is_a_response_error(openai_server: Start, fault: str) -> None:
    openai_server(faults=[fault])
    with pytest.raises(ModelResponseError):
        ask(model(max_attempts=1), "hello")


@pytest.mark.parametrize("fault", ["malformed_json", "no_choices", "empty_choices", "html"])
def test_passing_garbage_is_survived_and_counted(openai_server: Start, fault: str) -> None:
    openai_server(brain="echo", faults=[{"fault": fault, "times": 1}])

    async def run() -> Any:
        with call_scope() as scope:
            assert (await model().invoke(ModelRequest("hello"))).text == "hello"
        return scope.usage["judge"]

    usage = asyncio.run(run())
    assert (usage.calls, usage.retries, usage.possibly_billed) == (1, 1, 1)


def test_half_characters_are_sent_as_replacement_characters(openai_server: Start) -> None:
    openai_server(brain="echo")
    assert ask(model(), "half \ud83d here", system_prompt="\udc00").text == "half \ufffd here"


def test_repetitions_are_asked_anew_and_told_apart(openai_server: Start) -> None:
    server = openai_server(brain={"queue": ["first", "second"]})
    asked = model()
    assert [ask(asked, "vote", vote=vote).text for vote in (0, 1)] == ["first", "second"]
    assert server.log.summary().whole.calls == 2


def test_the_published_constructor_reaches_the_endpoint_with_its_own_key(openai_server: Start) -> None:
    server = openai_server(brain="echo", api_key="given-key-123456")
    asked = LanguageModel(
        model_name="openai/gpt-4o-mini", api_key="given-key-123456", api_base=server.base_url, max_retries=0
    )
    assert isinstance(asked, LanguageModelProtocol)
    assert asked.model_name == "openai/gpt-4o-mini"
    assert ask(asked, "hello").text == "hello"
    assert server.log.entries[-1].body["model"] == "gpt-4o-mini"


def test_a_given_key_is_in_no_representation_and_no_configuration(openai_server: Start) -> None:
    server = openai_server(faults=["unauthorised"])
    key = "given-key-123456"
    asked = LanguageModel(model_name="openai/gpt-4o-mini", api_key=key, api_base=server.base_url)
    assert key not in repr(asked) + repr(vars(asked)) + asked._config.model_dump_json()
    with pytest.raises(ModelRequestError) as caught:
        ask(asked, "hello")
    assert "401" in str(caught.value)
    assert key not in "".join(traceback.format_exception(caught.value))


def test_a_slash_in_the_model_of_a_compatible_endpoint_stays(openai_server: Start) -> None:
    server = openai_server(brain="echo")
    asked = LanguageModel(model_name="meta-llama/Llama-3", api_base=server.base_url)
    ask(asked, "hello")
    assert server.log.entries[-1].body["model"] == "meta-llama/Llama-3"


def test_no_key_says_which_variable_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY is not set"):
        LanguageModel(model_name="openai/gpt-4o-mini")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            {"max_concurrent_requests": 0},
            "max_concurrent_requests: Input should be greater than or equal to 1; found 0",
        ),
        ({"max_retries": -1}, "max_retries must be at least 0; found -1"),
        ({"request_timeout": 0}, "request_timeout: Input should be greater than 0; found 0"),
        ({"temperature": -1.0}, "temperature: Input should be greater than or equal to 0; found -1.0"),
        ({"api_base": "nowhere"}, "api_base: "),
        ({"model_name": "opnai:gpt"}, "model_name: unknown provider 'opnai'"),
    ],
)
def test_arguments_out_of_range_are_refused_by_their_names(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=r"^\w+") as refused:
        LanguageModel(**{"model_name": "openai/gpt-4o-mini", **wrong})
    assert str(refused.value).startswith(words)
