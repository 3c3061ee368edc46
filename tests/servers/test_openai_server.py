"""The local OpenAI-compatible server answers as scripted, seen through plain httpx and through the openai SDK."""

import base64
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from asking import Start, ask, said, send, user, with_sdk
from model_server import CANARY_KEY, ChatRequest, LocalServer, Reply, ServerProcess, ToolCall
from openai import AsyncOpenAI
from pydantic import ValidationError


def test_echo_counts_words(openai_server: Start) -> None:
    server = openai_server(cached_tokens=2)
    reply = ask(server.base_url, "one two three")
    assert said(reply) == "one two three"
    assert reply["usage"] == {
        "prompt_tokens": 3,
        "completion_tokens": 3,
        "total_tokens": 6,
        "prompt_tokens_details": {"cached_tokens": 2},
    }


def test_usage_can_be_left_out(openai_server: Start) -> None:
    server = openai_server(usage="none")
    assert "usage" not in ask(server.base_url)
    sums = server.summary().whole
    assert (sums.calls, sums.calls_without_usage, sums.prompt) == (1, 1, 2)


def test_environment_names_the_server_and_the_canary(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": "hi"}, api_key=CANARY_KEY)
    reply = with_sdk(lambda client: client.chat.completions.create(model="m", messages=user("x")))
    assert reply.choices[0].message.content == "hi"
    assert server.log.entries[0].headers["Authorization"] == f"Bearer {CANARY_KEY}"


def test_queue_goes_on_to_the_next_brain(openai_server: Start) -> None:
    url = openai_server(brain={"queue": ["first", {"data": {"n": 2}}], "then": {"fixed": "last"}}).base_url
    assert [said(ask(url)) for _ in range(4)] == ["first", '{"n": 2}', "last", "last"]


def test_rules_look_at_user_and_system(openai_server: Start) -> None:
    rules = [
        {"user": "weather", "reply": "rain"},
        {"system": "judge", "reply": {"tool_calls": [{"name": "vote", "arguments": {"label": "yes"}}]}},
        {"user": "repeat", "brain": "echo"},
    ]
    url = openai_server(brain={"rules": rules, "otherwise": {"fixed": "no rule"}}).base_url
    assert said(ask(url, "the weather?")) == "rain"
    assert said(ask(url, "repeat")) == "repeat"
    assert said(ask(url, "else")) == "no rule"
    judged = ask(url, messages=[{"role": "system", "content": "You judge."}, *user("well?")])
    assert judged["choices"][0]["message"]["tool_calls"][0]["function"] == {
        "name": "vote",
        "arguments": '{"label": "yes"}',
    }
    assert judged["choices"][0]["finish_reason"] == "tool_calls"


def test_brains_by_model_name_and_as_functions(openai_server: Start) -> None:
    def shout(request: ChatRequest) -> str:
        return request.user.upper()

    url = openai_server(brains={"judge": {"fixed": "CORRECT"}, "loud-*": shout}, brain="echo").base_url
    assert [said(ask(url, "word", model=model)) for model in ("judge", "loud-1", "other")] == [
        "CORRECT",
        "WORD",
        "word",
    ]


def test_a_failing_brain_is_a_500_that_says_so(openai_server: Start) -> None:
    def fail(request: ChatRequest) -> str:
        raise LookupError(request.user)

    server = openai_server(brain=fail)
    with pytest.raises(httpx.HTTPStatusError) as caught:
        ask(server.base_url, "lost")
    assert "LookupError('lost')" in caught.value.response.text
    assert server.summary().refused == 1


@pytest.mark.parametrize("brain", ["ecko", {"fixd": "x"}, {"queue": [{"txt": "x"}]}])
def test_wrong_scripts_are_refused(brain: Any) -> None:
    with pytest.raises(ValidationError):
        LocalServer(brain=brain)


def test_parallel_tool_calls_plain_and_streamed(openai_server: Start) -> None:
    calls = (ToolCall(name="a", arguments={"x": "one two three four five"}), ToolCall(name="b", arguments="{broken"))
    openai_server(brain={"fixed": Reply(text="Both.", tool_calls=calls)})
    tools: Any = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in "ab"]

    async def plain(client: AsyncOpenAI) -> list[tuple[str, str]]:
        reply = await client.chat.completions.create(model="m", messages=user("go"), tools=tools)
        found: Any = reply.choices[0].message.tool_calls
        return [(call.function.name, call.function.arguments) for call in found]

    async def streamed(client: AsyncOpenAI) -> list[tuple[str, str]]:
        names: dict[int, str] = {}
        arguments: dict[int, str] = {}
        stream = await client.chat.completions.create(model="m", messages=user("go"), tools=tools, stream=True)
        async for chunk in stream:
            for call in (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []:
                assert call.function is not None
                names[call.index] = names.get(call.index, "") + (call.function.name or "")
                arguments[call.index] = arguments.get(call.index, "") + (call.function.arguments or "")
        return list(zip(names.values(), arguments.values(), strict=True))

    assert with_sdk(plain) == [("a", '{"x": "one two three four five"}'), ("b", "{broken")]
    assert with_sdk(streamed) == with_sdk(plain)


@pytest.mark.parametrize("include_usage", [True, False])
def test_streamed_text_is_the_plain_text(openai_server: Start, include_usage: bool) -> None:
    text = "Roses  are red,\nviolets are blue; nine words here "
    server = openai_server(brain={"fixed": text})

    async def streamed(client: AsyncOpenAI) -> tuple[str, Any]:
        stream = await client.chat.completions.create(
            model="m", messages=user("go"), stream=True, stream_options={"include_usage": include_usage}
        )
        chunks = [chunk async for chunk in stream]
        return "".join(c.choices[0].delta.content or "" for c in chunks if c.choices), chunks[-1].usage

    got, usage = with_sdk(streamed)
    assert got == text
    assert (usage.completion_tokens if usage else None) == (9 if include_usage else None)
    assert server.quiet().entries[0].outcome == "whole"


def test_embeddings_are_near_for_texts_that_share_words(openai_server: Start) -> None:
    server = openai_server()
    texts = ["the red violin", "a red violin", "quarterly tax report"]

    async def embed(client: AsyncOpenAI) -> Any:
        return await client.embeddings.create(model="e", input=texts, dimensions=32)

    reply = with_sdk(embed)  # the SDK asks for base64
    vectors = np.array([row.embedding for row in reply.data])
    assert vectors.shape == (3, 32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3
    assert reply.usage.prompt_tokens == 9
    assert server.summary().models["e"]["whole"].prompt == 9


def test_embedding_encodings_hold_the_same_numbers(openai_server: Start) -> None:
    url = openai_server(dimensions=8).base_url
    got = [
        send(f"{url}/embeddings", {"model": "e", "input": "tea", "encoding_format": encoding}).json()
        for encoding in ("float", "base64")
    ]
    plain, packed = (reply["data"][0]["embedding"] for reply in got)
    assert np.allclose(plain, np.frombuffer(base64.b64decode(packed), "<f4"))
    assert len(plain) == 8


def test_rerank_puts_the_nearest_first(openai_server: Start) -> None:
    url = openai_server().base_url
    documents = ["tax report", "the violin is red", {"text": "a violin"}]
    body = {"model": "r", "query": "violin", "documents": documents, "top_n": 2, "return_documents": True}
    results = send(f"{url}/rerank", body).json()["results"]
    assert [row["index"] for row in results] == [2, 1]
    assert results[0]["document"] == {"text": "a violin"}
    assert 1 >= results[0]["relevance_score"] > results[1]["relevance_score"] > 0


def test_models_are_listed_and_others_are_not_found(openai_server: Start) -> None:
    url = openai_server(models=["m", "n"]).base_url
    assert [row["id"] for row in httpx.get(f"{url}/models").json()["data"]] == ["m", "n"]
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        ask(url, model="unknown")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/chat/completions", {"model": "m"}, 400),
        ("/chat/completions", {"messages": user("x")}, 400),
        ("/chat/completions", [], 400),
        ("/embeddings", {"model": "m"}, 400),
        ("/nowhere", {}, 404),
    ],
)
def test_malformed_requests_are_refused(openai_server: Start, path: str, body: Any, status: int) -> None:
    server = openai_server()
    reply = send(server.base_url + path, body)
    assert (reply.status_code, server.summary().refused) == (status, 1)
    assert reply.json()["error"]["type"] == "invalid_request_error"


def test_script_changes_at_run_time(openai_server: Start) -> None:
    server = openai_server(brain={"fixed": "before"})
    assert said(ask(server.base_url)) == "before"
    server.play(brain={"fixed": "after"})
    assert said(ask(server.base_url)) == "after"


def test_process_form() -> None:
    with ServerProcess({"brain": {"rules": [{"user": "^h", "reply": "from afar"}]}}) as server:
        assert said(ask(server.base_url)) == "from afar"
        assert server.log()[0]["outcome"] == "whole"
        assert server.summary()["outcomes"]["whole"]["calls"] == 1
        server.reset()
        assert server.log() == []
        server.play({"faults": ["server_error"]})
        with pytest.raises(httpx.HTTPStatusError, match="500"):
            ask(server.base_url)
        wrong = send(server.base_url.removesuffix("/v1") + "/_script", {"brian": "echo"})
        assert wrong.status_code == 400
        assert "brian" in wrong.text


def test_process_reads_a_script_file_and_ends_with_its_starter(tmp_path: Path, repository: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"brain": {"fixed": "filed"}}', encoding="utf-8")
    command = [sys.executable, str(repository / "tests/servers/openai_server.py"), "--script", str(script)]
    with subprocess.Popen(
        [*command, "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert said(ask(process.stdout.readline().strip())) == "filed"
        process.stdin.close()
        assert process.wait(20) == 0
