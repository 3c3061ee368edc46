"""A replay that lacks a call says which recorded call comes nearest and in what it differs; a bad file says what is."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import zstandard

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.call_difference import CallIdentity, describe_difference
from heta_framework.common.models.calls.cassette import CassetteError, header_line, record_line
from heta_framework.common.models.calls.cassette_writer import CassetteWriter
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.replaying import ReplayLayer
from heta_framework.common.models.errors import ReplayMiss

MakeDesk = Any
TOOL = {"name": "search_memory", "description": "Searches.", "parameters_json_schema": {"type": "object"}}


async def _nobody(call: ModelCall) -> ModelReply:
    raise AssertionError("a replay asked")


@pytest.fixture
def miss(tmp_path: Path, desk: MakeDesk) -> Callable[..., str]:
    """What a replay of ``asked`` says when only ``recorded`` are there."""

    def say(recorded: list[ModelCall], asked: ModelCall) -> str:
        async def main() -> str:
            async with RecordingLayer.open(tmp_path / "c.jsonl.zst") as recording:
                for call in recorded:
                    await recording(call, desk.ask)
            async with ReplayLayer.open(tmp_path / "c.jsonl.zst") as replay:
                with pytest.raises(ReplayMiss) as caught:
                    await replay(asked, _nobody)
            return str(caught.value)

        return asyncio.run(main())

    return say


def test_the_nearest_of_the_same_model_is_named_with_the_place_and_both_texts(
    miss: Callable[..., str], desk: MakeDesk
) -> None:
    recorded = [desk.call(f"Where does number {n} live, and since when?") for n in range(200)]
    recorded.append(desk.call("Who sold the blue kettle to Ada in spring?"))
    recorded.append(desk.call("Who sold the blue kettle to Ada in summer?", model="openai:other"))
    told = miss(recorded, desk.call("Who sold the blue kettle to Ada in summer?"))
    assert "c.jsonl.zst holds no reply to this call (openai:m, agent, epoch 0)" in told
    assert "line 202" in told
    assert "message 2 (user prompt) differs" in told
    assert 'recorded "…e kettle to Ada in spring?", asked "…e kettle to Ada in summer?"' in told


def test_what_differs_beside_the_request(miss: Callable[..., str], desk: MakeDesk) -> None:
    told = miss([desk.call("a", model="openai:n", epoch="1")], desk.call("a"))
    assert "line 2; model: recorded 'openai:n', asked 'openai:m'; epoch: recorded '1', asked '0'. Replay with" in told


def test_an_empty_cassette(miss: Callable[..., str], desk: MakeDesk) -> None:
    assert miss([], desk.call()).endswith("it is empty")


def test_ten_thousand_calls_that_are_alike(tmp_path: Path, miss: Callable[..., str], desk: MakeDesk) -> None:
    def long(n: int, word: str) -> ModelCall:
        history = " ".join(Random(n % 50).choices(["kettle", "lamp", "bread", "letter", "rain"], k=120))
        return desk.call(f"{history} Question {n}: what is the {word}?")

    with CassetteWriter(tmp_path / "c.jsonl.zst", print) as writer:
        for n in range(10_000):
            writer.append(record_line(long(n, "colour"), ModelReply(body=n)))
    told = miss([], long(4_711, "weight"))
    assert "line 4713;" in told
    assert 'n 4711: what is the colour?", asked "…' in told
    assert told.endswith('n 4711: what is the weight?". Replay with what was recorded, or record again')


def test_where_everything_is_missing_the_search_ends(tmp_path: Path, miss: Callable[..., str], desk: MakeDesk) -> None:
    miss([desk.call("a")], desk.call("b"))

    async def main() -> list[Any]:
        async with ReplayLayer.open(tmp_path / "c.jsonl.zst") as replay:
            asked = (replay(desk.call(f"b{n}"), _nobody) for n in range(150))
            return await asyncio.gather(*asked, return_exceptions=True)

    told = [str(error) for error in asyncio.run(main())]
    assert sum("is in line 2; message 2" in text for text in told) == 100
    assert sum("for the first 100 misses alone" in text for text in told) == 50


def _identity(**parts: Any) -> CallIdentity:
    request = {
        "messages": [
            {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Hello"}]},
            {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "search_memory", "args": {"q": 1}}]},
        ],
        "function_tools": [TOOL],
        "settings": {"temperature": 0.0},
    }
    given = {"kind": "chat", "model": "m", "epoch": "0"} | {
        name: parts.pop(name) for name in ("kind", "model", "epoch") if name in parts
    }
    return CallIdentity(**given, request=request | parts)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (_identity(kind="rerank"), "kind: recorded 'chat', asked 'rerank'"),
        (_identity(settings={"temperature": 0.7}), 'setting temperature differs: recorded "0.0", asked "0.7"'),
        (_identity(settings={"temperature": 0.0, "seed": 3}), 'setting seed was not recorded: "3"'),
        (_identity(settings={}), 'setting temperature was recorded and is not asked: "0.0"'),
        (
            _identity(function_tools=[TOOL | {"description": "Looks for it."}]),
            'tool \'search_memory\' (description) differs: recorded "Searches.", asked "Looks for it."',
        ),
        (_identity(function_tools=[{"name": "new"}, TOOL]), 'tool \'new\' was not recorded: "{\\"name\\": \\"new\\"}"'),
        (_identity(function_tools=[]), "tool 'search_memory' was recorded and is not asked"),
        (
            _identity(messages=[{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Hallo"}]}]),
            'message 1 (user prompt) differs: recorded "Hello", asked "Hallo"',
        ),
        (_identity(messages=[_identity().request["messages"][0]]), "message 2 was recorded and is not asked"),
        (
            _identity(
                messages=[
                    _identity().request["messages"][0],
                    {"kind": "response", "parts": [{"part_kind": "text", "content": "Hi"}]},
                ]
            ),
            'message 2 (part 1, part_kind) differs: recorded "tool-call", asked "text"',
        ),
        (
            _identity(
                messages=[
                    _identity().request["messages"][0],
                    {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "s", "args": {"q": 2}}]},
                ],
                settings={},
            ),
            'message 2 (tool call, args, q) differs: recorded "1", asked "2"; also different: settings',
        ),
        (_identity(output_object={"json_schema": {}}), "output schema was not recorded"),
        (_identity(input=["one"]), "input was not recorded"),
    ],
)
def test_differences_in_words(asked: CallIdentity, told: str) -> None:
    assert told in describe_difference(_identity(), asked)


def _zst(text: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(text)


RECORD = b'{"key":"' + b"a" * 64 + b'","kind":"chat"}\n'


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("c.jsonl.zst", b"plain words, long enough to be something", "c.jsonl.zst is not compressed with zstd"),
        ("c.jsonl.zst", b"", "c.jsonl.zst is empty"),
        ("c.jsonl.zst", _zst(b"{}\n"), "c.jsonl.zst, line 1: "),
        ("c.jsonl.zst", _zst(header_line()) + b"xxxxxxxxxx", "is damaged from byte"),
        ("c.jsonl.zst", _zst(header_line()) + _zst(b"garbage\n"), "c.jsonl.zst, line 2: no JSON"),
        ("c.jsonl", b"", "c.jsonl is empty"),
        ("c.jsonl", header_line().replace(b'"version": 1', b'"version": 2'), "line 1: version 2 of the format"),
        ("c.jsonl", b'{"format": "other"}\n', "line 1: format 'other'"),
        ("c.jsonl", RECORD, "line 1: not the header of a cassette"),
        ("c.jsonl", header_line() + b"[1]\n", "line 2: a JSON object was expected, and list was found"),
        ("c.jsonl", header_line() + b'{"key": "zz"}\n', "line 2: neither a header nor a recorded call"),
        ("c.jsonl", header_line() + b"\xff\xfe\n", "line 2: no JSON"),
        ("c.jsonl", header_line() + b"[" * 100_000 + b"\n", "line 2: no JSON"),
        ("c.txt", b"", "a cassette is named *.jsonl.zst (compressed) or *.jsonl"),
    ],
)
def test_a_file_that_is_no_cassette(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CassetteError) as caught:
        ReplayLayer.open(tmp_path / name)
    assert told in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_a_cassette_that_is_not_there_and_one_with_nearly_its_name(tmp_path: Path) -> None:
    (tmp_path / "smoke.jsonl.zst").write_bytes(b"")
    with pytest.raises(CassetteError, match=r"there is no cassette .*smok\.jsonl\.zst; did you mean .*smoke\.jsonl"):
        ReplayLayer.open(tmp_path / "smok.jsonl.zst")
    with pytest.raises(CassetteError, match="there is no cassette"):
        ReplayLayer.open(tmp_path / "no folder" / "c.jsonl")


def test_a_folder_is_no_cassette(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").mkdir()
    for opening in (ReplayLayer.open, RecordingLayer.open):
        with pytest.raises(CassetteError, match=r"c\.jsonl"):
            opening(tmp_path / "c.jsonl")


def test_a_damaged_record_is_named_with_its_line(tmp_path: Path, desk: MakeDesk) -> None:
    path = tmp_path / "c.jsonl"
    key = desk.call().portable_key.encode("ascii")
    path.write_bytes(header_line() + b'{"key":"' + key + b'","kind":"chat"}\n')
    with pytest.raises(CassetteError, match=r"c\.jsonl, line 2: no recorded call \(model, role, epoch is missing\)"):
        asyncio.run(ReplayLayer.open(path)(desk.call(), _nobody))


def test_a_cassette_compressed_in_one_large_piece_says_what_to_do(tmp_path: Path) -> None:
    line = b'{"key":"' + b"a" * 64 + b'","pad":"' + b"x" * 4_000 + b'"}\n'
    (tmp_path / "c.jsonl.zst").write_bytes(_zst(header_line() + line * 20_000))
    with pytest.raises(CassetteError, match="unpack it with 'zstd -d'"):
        ReplayLayer.open(tmp_path / "c.jsonl.zst")


def test_lines_written_by_hand_are_read(tmp_path: Path, desk: MakeDesk) -> None:
    (tmp_path / "c.jsonl").write_text(
        '{"format": "heta-model-cassette", "version": 1}\n'
        f'{{ "kind": "chat", "model": "m", "role": "agent", "epoch": "0", "key": "{desk.call().portable_key}",'
        ' "request": {}, "reply": {"body": "by hand"} }\n'
    )
    reply = asyncio.run(ReplayLayer.open(tmp_path / "c.jsonl")(desk.call(), _nobody))
    assert (reply.body, reply.input_tokens, reply.source) == ("by hand", None, "cassette")
