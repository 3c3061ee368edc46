"""What is recorded is what a replay tells, wherever it came from, without asking anybody."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.cassette import CassetteError, header_line
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.replaying import ReplayLayer
from heta_framework.common.models.calls.runtime import ModelRuntime
from heta_framework.common.models.errors import CallFailed, ReplayMiss

MakeDesk = Any


async def _nobody(call: ModelCall) -> ModelReply:
    raise AssertionError("a replay asked")


def _record(path: Path, *calls: ModelCall, ask: Handler) -> list[ModelReply]:
    async def main() -> list[ModelReply]:
        async with RecordingLayer.open(path) as layer:
            return list(await asyncio.gather(*(layer(call, ask) for call in calls)))

    return asyncio.run(main())


def _replay(path: Path, *calls: ModelCall) -> list[ModelReply]:
    async def main() -> list[ModelReply]:
        async with ReplayLayer.open(path) as layer:
            return list(await asyncio.gather(*(layer(call, _nobody) for call in calls)))

    return asyncio.run(main())


def _lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".zst":
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
            data = reader.read()
    return [json.loads(line) for line in data.splitlines()]


@pytest.fixture(params=["c.jsonl.zst", "c.jsonl"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A cassette that is not there yet, compressed or plain."""
    return tmp_path / "folder" / str(request.param)


def test_replies_come_back_with_their_counts(path: Path, desk: MakeDesk) -> None:
    told = _record(path, *(desk.call(f"n{n}") for n in range(300)), ask=desk.ask)
    replayed = _replay(path, *(desk.call(f"n{n}", base_url="http://elsewhere/v1") for n in range(300)))
    assert [reply.body for reply in replayed] == [reply.body for reply in told]
    assert {(reply.source, reply.input_tokens, reply.output_tokens, reply.retries) for reply in replayed} == {
        ("cassette", 11, 7, 0)
    }
    assert len(desk.asked) == 300


def test_what_a_line_holds(path: Path, desk: MakeDesk) -> None:
    call = desk.call("what?", epoch="3")
    _record(path, call, ask=desk.ask)
    header, line = _lines(path)
    assert header == {"format": "heta-model-cassette", "version": 1}
    assert line == {
        "key": call.portable_key,
        "kind": "chat",
        "model": "openai:m",
        "role": "agent",
        "epoch": "3",
        "request": call.request,
        "reply": {
            "body": {"text": "to what?", "number": 1},
            "input_tokens": 11,
            "output_tokens": 7,
            "cached_tokens": 3,
            "seconds": 0.5,
        },
    }


def test_a_later_session_goes_on(path: Path, desk: MakeDesk) -> None:
    for name in ("a", "b", "c"):
        _record(path, desk.call(name), ask=desk.ask)
    assert [reply.body["text"] for reply in _replay(path, *map(desk.call, "abc"))] == ["to a", "to b", "to c"]
    assert sum("format" in line for line in _lines(path)) == 1


def test_cassettes_can_be_joined(path: Path, desk: MakeDesk) -> None:
    other = path.with_name(f"other-{path.name}")
    _record(path, desk.call("a"), ask=desk.ask)
    _record(other, desk.call("b"), ask=desk.ask)
    path.write_bytes(path.read_bytes() + other.read_bytes())
    assert len(_replay(path, desk.call("a"), desk.call("b"))) == 2


def test_of_several_replies_to_one_call_the_last_counts_and_equal_ones_are_written_once(
    path: Path, desk: MakeDesk
) -> None:
    async def same(text: str) -> ModelReply:
        return ModelReply(body="same")

    _record(path, desk.call(), ask=desk.ask)
    (last,) = _record(path, desk.call(), ask=desk.ask)
    assert _replay(path, desk.call())[0].body == last.body == {"text": "to hello", "number": 2}
    desk.answer = same
    _record(path, *(desk.call() for _ in range(9)), ask=desk.ask)
    assert len(_lines(path)) == 4


@pytest.mark.parametrize("body", ["\ud800 lone", {"\udfff": [1.5, None, True, -0.0, "\u2028\n"]}, "x" * 500_000, None])
def test_any_text_comes_back_as_it_was(path: Path, desk: MakeDesk, body: Any) -> None:
    async def answer(text: str) -> ModelReply:
        return ModelReply(body=body)

    desk.answer = answer
    calls = [desk.call("\ud800\n"), desk.call("y" * 300_000), desk.call("z")]
    _record(path, *calls, ask=desk.ask)
    assert [repr(reply.body) for reply in _replay(path, *calls)] == [repr(body)] * 3


def test_failures_are_not_recorded(path: Path, desk: MakeDesk) -> None:
    async def refuse(text: str) -> ModelReply:
        raise CallFailed("no")

    desk.answer = refuse
    with pytest.raises(CallFailed):
        _record(path, desk.call(), ask=desk.ask)
    with pytest.raises(ReplayMiss, match="it is empty"):
        _replay(path, desk.call())


def test_a_cassette_is_complete_although_the_cache_answers(path: Path, tmp_path: Path, desk: MakeDesk) -> None:
    async def run(record: Path | None) -> tuple[int, int]:
        meter = MeterLayer()
        cache = open_cache_layer(tmp_path / "cache")
        recording = RecordingLayer.open(record) if record is not None else None
        runtime = ModelRuntime(meter=meter, recording=recording, cache=cache)
        await asyncio.gather(*(runtime.ask(desk.call(f"n{n % 20}")) for n in range(40)))
        for layer in (recording, cache):
            if layer is not None:
                await layer.aclose()
        return meter.total["agent"].calls, meter.total["agent"].cache_hits

    assert asyncio.run(run(None)) == (20, 20)
    assert asyncio.run(run(path)) == (0, 40)
    assert len(_lines(path)) == 21
    assert len(_replay(path, *(desk.call(f"n{n}") for n in range(20)))) == 20
    assert len(desk.asked) == 20


def test_a_replay_is_metered_as_saved(path: Path, desk: MakeDesk) -> None:
    _record(path, desk.call(prices={"input": 2.0, "output": 4.0}), ask=desk.ask)

    async def main() -> None:
        meter = MeterLayer()
        async with ReplayLayer.open(path) as layer:
            runtime = ModelRuntime(meter=meter, recording=layer, replaying=True)
            await runtime.ask(desk.call(prices={"input": 2.0, "output": 4.0}))
        usage = meter.total["agent"]
        assert (usage.calls, usage.replayed, usage.cost_usd) == (0, 1, 0.0)
        assert (usage.saved_input_tokens, usage.saved_output_tokens) == (11, 7)
        assert usage.saved_cost_usd == pytest.approx(50e-6)

    asyncio.run(main())


def test_keys_never_enter(path: Path, desk: MakeDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "canary-77aa")
    call = desk.call(api_key_env="MY_KEY", base_url="https://someone:canary-77aa@localhost/v1")
    assert call.endpoint.api_key() == "canary-77aa"
    _record(path, call, ask=desk.ask)
    assert "canary" not in json.dumps(_lines(path))
    with pytest.raises(ReplayMiss) as caught:
        _replay(path, desk.call("other", api_key_env="MY_KEY", base_url=call.base_url))
    assert "canary" not in str(caught.value)


def test_two_recorders_of_one_file(path: Path) -> None:
    first = RecordingLayer.open(path)
    with pytest.raises(CassetteError, match="being recorded by another process"):
        RecordingLayer.open(path)
    first.close()
    RecordingLayer.open(path).close()


def test_a_replay_while_it_is_still_recorded(path: Path, desk: MakeDesk) -> None:
    async def main() -> None:
        async with RecordingLayer.open(path) as recording:
            for n in range(3):
                await recording(desk.call(f"n{n}"), desk.ask)
                assert len(ReplayLayer.open(path)) == n + 1

    asyncio.run(main())
    assert path.read_bytes()[:4] in (header_line()[:4], b"\x28\xb5\x2f\xfd")
