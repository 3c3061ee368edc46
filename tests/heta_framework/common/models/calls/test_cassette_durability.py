"""A cassette survives whatever ends its writer: everything that was answered can be replayed and recording goes on."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.cassette import CassetteError
from heta_framework.common.models.calls.cassette_index import CassetteIndex
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.replaying import ReplayLayer

MakeDesk = Any
NAMES = pytest.mark.parametrize("name", ["c.jsonl.zst", "c.jsonl"])

RECORDER = """
import asyncio, itertools, os, sys
from pathlib import Path
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig

endpoint = LanguageModelConfig(model="m")

def call(n):
    async def send():
        return ModelReply(body=f"reply {n} " + os.urandom(600).hex())
    return ModelCall(kind="chat", endpoint=endpoint, request={"n": n}, send=send)

async def worker(layer, numbers):
    for n in numbers:
        await layer(call(n), lambda call: call.send())
        print(n, flush=True)

async def main():
    layer = RecordingLayer.open(Path(sys.argv[1]))
    numbers = itertools.count(int(sys.argv[2]))
    await asyncio.gather(*(worker(layer, numbers) for _ in range(8)))

asyncio.run(main())
"""


def _numbered(n: int, endpoint: Any) -> ModelCall:
    return ModelCall(kind="chat", endpoint=endpoint, request={"n": n}, send=_never)


async def _never() -> ModelReply:
    raise AssertionError


async def _nobody(call: ModelCall) -> ModelReply:
    raise AssertionError("a replay asked")


def _replay(path: Path, calls: list[ModelCall]) -> list[ModelReply]:
    async def main() -> list[ModelReply]:
        async with ReplayLayer.open(path, lambda text: None) as layer:
            return [await layer(call, _nobody) for call in calls]

    return asyncio.run(main())


def _killed_session(path: Path, begin: int, answers: int) -> list[int]:
    """Numbers of the calls that were answered until the recorder was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", RECORDER, str(path), str(begin)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        answered = [int(process.stdout.readline()) for _ in range(answers)]
        process.send_signal(signal.SIGKILL)
        answered += [int(line) for line in process.stdout.read().splitlines()]
    assert process.returncode == -signal.SIGKILL
    return answered


@NAMES
def test_everything_answered_survives_kills_and_later_sessions(tmp_path: Path, name: str, desk: MakeDesk) -> None:
    path = tmp_path / name
    endpoint = desk.call(model="m").endpoint
    answered: list[int] = []
    for begin, answers in ((0, 500), (100_000, 1), (200_000, 40)):
        answered += _killed_session(path, begin, answers)
        replies = _replay(path, [_numbered(n, endpoint) for n in answered])
        assert [str(reply.body).split()[1] for reply in replies] == [str(n) for n in answered]


def _recorded(path: Path, desk: MakeDesk, *texts: str, close: bool = True) -> None:
    async def main() -> None:
        layer = RecordingLayer.open(path)
        for text in texts:
            await layer(desk.call(text), desk.ask)
        if close:
            await layer.aclose()

    asyncio.run(main())


@NAMES
def test_a_file_that_ends_anywhere_keeps_whole_replies_and_can_go_on(tmp_path: Path, name: str, desk: MakeDesk) -> None:
    path = tmp_path / name
    _recorded(path, desk, "a", "b")
    _recorded(path, desk, "c")
    whole = path.read_bytes()
    lengths = []
    for end in range(1, len(whole), 37 if name.endswith("l") else 13):
        path.write_bytes(whole[:end])
        said: list[str] = []
        layer = RecordingLayer.open(path, said.append)
        asyncio.run(layer(desk.call("d"), desk.ask))  # type: ignore[arg-type]
        layer.close()
        found = CassetteIndex(path, said.append)
        kept = [text for text in "abc" if found.number_of(desk.call(text).portable_key)]
        assert kept == list("abc")[: len(kept)]
        assert found.number_of(desk.call("d").portable_key)
        assert len(said) <= 1
        lengths.append(len(kept))
        replies = _replay(path, [desk.call(text) for text in (*kept, "d")])
        assert [reply.body["text"] for reply in replies] == [f"to {text}" for text in (*kept, "d")]
    assert lengths == sorted(lengths)
    assert set(lengths) == {0, 1, 2} | ({3} if lengths[-1] == 3 else set())


@NAMES
def test_a_cut_end_is_told_to_whoever_replays(tmp_path: Path, name: str, desk: MakeDesk) -> None:
    path = tmp_path / name
    _recorded(path, desk, "a", Random(0).randbytes(500).hex())
    path.write_bytes(path.read_bytes()[:-120])
    said: list[str] = []
    layer = ReplayLayer.open(path, said.append)
    assert len(layer) == 1
    assert asyncio.run(layer(desk.call("a"), _nobody)).body == {"text": "to a", "number": 1}  # type: ignore[arg-type]
    layer.close()
    assert len(said) == 1
    assert "cut off" in said[0]


def test_a_line_without_its_newline_is_whole(tmp_path: Path, desk: MakeDesk) -> None:
    path = tmp_path / "c.jsonl"
    _recorded(path, desk, "a")
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    said: list[str] = []
    RecordingLayer.open(path, said.append).close()
    assert len(ReplayLayer.open(path)) == 1
    assert path.read_bytes().endswith(b"}\n")
    assert said == []


FULL_DISK = """
import asyncio, json, os, resource, sys
from pathlib import Path
from heta_framework.common.models.calls.cassette import CassetteError
from heta_framework.common.models.calls.recording import RecordingLayer
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig

asked = []

def call(n):
    async def send():
        asked.append(n)
        return ModelReply(body=os.urandom(2000).hex())
    return ModelCall(kind="chat", endpoint=LanguageModelConfig(model="m"), request={"n": n}, send=send)

async def main():
    layer = RecordingLayer.open(Path(sys.argv[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
    replies, error = 0, None
    for n in range(60):
        try:
            await layer(call(n), lambda call: call.send())
            replies += 1
        except CassetteError as caught:
            error = str(caught)
    await layer.aclose()
    print(json.dumps([replies, len(asked), error]))

asyncio.run(main())
"""


@NAMES
def test_a_full_disk_stops_asking_and_leaves_a_readable_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True)
    replies, asked, error = json.loads(done.stdout)
    assert replies == asked - 1, "nobody got a reply that is not in the file"
    assert asked < 60
    assert str(path) in error
    assert "cannot be written" in error
    assert len(ReplayLayer.open(path)) == replies


@pytest.mark.parametrize("name", ["c.jsonl.zst", "c.jsonl"])
@pytest.mark.parametrize(
    "content", [b"notes of mine", b'{"my": "json"}\n', b'{"format": "heta-model-cassette", "version": 7}\n', b"{" * 999]
)
def test_nothing_is_appended_to_what_is_no_cassette(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CassetteError, match=r"c\.jsonl"):
        RecordingLayer.open(path)
    assert path.read_bytes() == content
