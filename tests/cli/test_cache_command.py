"""`heams cache`: what it shows and removes, and what it says to nonsense."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.settings import LanguageModelConfig

Heams = Callable[..., tuple[int, str, str]]


def _call(n: int, model: str) -> ModelCall:
    async def send() -> ModelReply:
        return ModelReply(body=f"reply {n} " * 100, input_tokens=100 if n else None, output_tokens=10)

    return ModelCall(kind="chat", endpoint=LanguageModelConfig(model=model), request={"n": n}, send=send)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six replies of two models, three of which were given out again."""
    monkeypatch.delenv("HEAMS_MODEL_CACHE_DIR", raising=False)

    async def main() -> None:
        async with open_cache_layer(tmp_path / "cache") as layer:
            for n in (0, 1, 2, 1, 2, 0):
                await layer(_call(n, "openai:small"), lambda call: call.send())
            for n in range(3):
                await layer(_call(n, "mistral:large"), lambda call: call.send())

    asyncio.run(main())
    return tmp_path / "cache"


def test_statistics_by_model(heams: Heams, cache: Path) -> None:
    code, out, err = heams("cache", "stats", "--cache-dir", cache)
    assert (code, err) == (0, "")
    assert f"{cache}/model_calls.sqlite: 6 replies, " in out
    small = next(line.split() for line in out.splitlines() if line.startswith("openai:small"))
    assert (small[1], small[4], small[5]) == ("3", "3", "≥230")
    assert "for which the provider gave no token counts" in out


def test_statistics_for_programs(heams: Heams, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAMS_MODEL_CACHE_DIR", str(cache))
    code, out, _ = heams("cache", "stats", "--json")
    assert code == 0
    large, small = json.loads(out)["models"]
    assert (large["model"], large["entries"], large["hits"]) == ("mistral:large", 3, 0)
    assert (small["hits"], small["saved_input_tokens"], small["saved_output_tokens"], small["uncounted_hits"]) == (
        3,
        200,
        30,
        1,
    )
    assert 0 < small["created"] <= small["used"]


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (["--model", "openai:small"], "3 replies, 3 stay"),
        (["--older-than", "30d"], "0 replies, 6 stay"),
        (["--older-than", "0s"], "6 replies, 0 stay"),
        (["--max-size", "1GB"], "0 replies, 6 stay"),
        (["--max-size", "0.5KB"], "6 replies, 0 stay"),
        (["--all"], "6 replies, 0 stay"),
    ],
)
def test_what_was_removed_is_said(heams: Heams, cache: Path, named: list[str], told: str) -> None:
    code, out, _ = heams("cache", "prune", "--cache-dir", cache, *named, "--dry-run")
    assert code == 0
    assert f"would remove {told}" in out
    assert len(json.loads(heams("cache", "stats", "--json", "--cache-dir", cache)[1])["models"]) == 2
    code, out, _ = heams("cache", "prune", "--cache-dir", cache, *named)
    assert code == 0
    assert f"removed {told}" in out
    assert f" {told.split()[2]} replies, " in heams("cache", "stats", "--cache-dir", cache)[1]


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ([], "say what to remove"),
        (["--all", "--model", "m"], "--all removes everything"),
        (["--max-size", "1MB", "--model", "m"], "cannot be combined with --model"),
        (["--older-than", "30"], "a number and a unit (s, m, h, d, w) are expected"),
        (["--older-than", "-3d"], "--older-than"),
        (["--max-size", "big"], "such as 500MB"),
        (["--model", "openai:smal"], "did you mean 'openai:small'?"),
    ],
)
def test_nonsense_is_refused_and_removes_nothing(heams: Heams, cache: Path, named: list[str], told: str) -> None:
    code, out, err = heams("cache", "prune", "--cache-dir", cache, *named)
    assert code == 2, out
    assert told in err
    assert "Traceback" not in err
    assert "6 replies" in heams("cache", "stats", "--cache-dir", cache)[1]


@pytest.mark.parametrize("words", [["stats"], ["prune", "--all"]])
def test_without_a_folder_or_without_a_cache_in_it(
    heams: Heams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.delenv("HEAMS_MODEL_CACHE_DIR", raising=False)
    code, _, err = heams("cache", *words)
    assert code == 2
    assert "--cache-dir" in err
    assert "HEAMS_MODEL_CACHE_DIR" in err
    code, _, err = heams("cache", *words, "--cache-dir", tmp_path / "none")
    assert code == 2
    assert "there is no model cache in" in err


@pytest.mark.parametrize("words", [["stats"], ["prune", "--all"]])
def test_a_damaged_cache(heams: Heams, cache: Path, words: list[str]) -> None:
    (cache / "model_calls.sqlite").write_bytes(b"damaged " * 1000)
    code, _, err = heams("cache", *words, "--cache-dir", cache)
    assert code == 2
    assert "model_calls.sqlite cannot be read" in err
    assert "move it away" in err
    assert "Traceback" not in err


def test_names_stay_whole_at_eighty_columns(heams: Heams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    short, long = "openai:gpt-4o-mini", "openai:organisation/a-model-with-a-name-of-many-words-2024-07-18"

    async def keep(*models: str) -> None:
        async with open_cache_layer(tmp_path / "cache") as layer:
            for model in models:
                await layer(_call(1, model), lambda call: call.send())

    asyncio.run(keep(short))
    lines = heams("cache", "stats", "--cache-dir", tmp_path / "cache")[1].splitlines()[1:]
    assert any(line.startswith(f"{short} ") for line in lines)
    assert max(map(len, lines)) <= 80
    asyncio.run(keep(long))
    lines = heams("cache", "stats", "--cache-dir", tmp_path / "cache")[1].splitlines()[1:]
    assert any(line.startswith(f"{long} ") for line in lines)
