"""What is removed from the cache is what was named, and the file shrinks."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from heta_framework.common.models.calls.cache import open_cache_layer
from heta_framework.common.models.calls.cache_file import CACHE_FILE, CacheError
from heta_framework.common.models.calls.cache_pruning import Pruned, PruneRequest, prune_cache
from heta_framework.common.models.calls.cache_statistics import cache_statistics
from heta_framework.common.models.calls.call import ModelReply

DAY = 86_400.0


@pytest.fixture
def cache(tmp_path: Path, desk: Any) -> Path:
    """Forty replies of two models; reply ``n`` of each was last used ``n`` days ago."""

    async def answer(text: str) -> ModelReply:
        return ModelReply(body=Random(text).randbytes(5_000).hex(), input_tokens=10, output_tokens=1)

    async def main() -> None:
        async with open_cache_layer(tmp_path) as layer:
            for model in ("openai:small", "openai:large"):
                for n in range(20):
                    await layer(desk.call(f"{n}", model=model), desk.ask)

    desk.answer = answer
    asyncio.run(main())
    with closing(sqlite3.connect(tmp_path / CACHE_FILE)) as connection, connection:
        connection.execute("UPDATE replies SET used = ? - 86400.0 * ((rowid - 1) % 20)", (time.time(),))
    return tmp_path


def _left(cache: Path) -> dict[str, int]:
    return {model.model: model.entries for model in cache_statistics(cache).models}


def _prune(cache: Path, **named: Any) -> Pruned:
    return prune_cache(cache, PruneRequest(**named))


@pytest.mark.parametrize(
    ("named", "left"),
    [
        ({"older_than_s": 9.5 * DAY}, {"openai:small": 10, "openai:large": 10}),
        ({"model": "openai:small"}, {"openai:large": 20}),
        ({"model": "openai:small", "older_than_s": 9.5 * DAY}, {"openai:small": 10, "openai:large": 20}),
        ({"everything": True}, {}),
        ({"older_than_s": 99 * DAY}, {"openai:small": 20, "openai:large": 20}),
        ({"max_bytes": 10**9}, {"openai:small": 20, "openai:large": 20}),
        ({"max_bytes": 0}, {}),
    ],
)
def test_what_is_named_goes(cache: Path, named: dict[str, Any], left: dict[str, int]) -> None:
    foretold = prune_cache(cache, PruneRequest(**named), dry_run=True)
    assert _left(cache) == {"openai:small": 20, "openai:large": 20}
    pruned = _prune(cache, **named)
    assert _left(cache) == left
    assert (pruned.entries, pruned.kept) == (40 - sum(left.values()), sum(left.values()))
    assert (foretold.entries, foretold.kept) == (pruned.entries, pruned.kept)
    assert (pruned.bytes_after < pruned.bytes_before) == (pruned.entries > 0)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_file_gets_small_enough_and_keeps_what_was_used_last(cache: Path, share: float) -> None:
    limit = round(cache_statistics(cache).bytes_on_disk * share)
    pruned = _prune(cache, max_bytes=limit)
    assert (cache / CACHE_FILE).stat().st_size == pruned.bytes_after <= limit
    assert pruned.kept >= 40 * share * 0.5 - 1
    with closing(sqlite3.connect(cache / CACHE_FILE)) as connection:
        ages = [age for (age,) in connection.execute("SELECT (? - used) / 86400 FROM replies", (time.time(),))]
    assert max(ages) <= pruned.kept / 2 + 1


def test_age_counts_from_the_last_hit(cache: Path, desk: Any) -> None:
    async def main() -> None:
        async with open_cache_layer(cache) as layer:
            assert (await layer(desk.call("19", model="openai:small"), desk.ask)).source == "cache"

    asyncio.run(main())
    _prune(cache, older_than_s=0.5 * DAY)
    assert _left(cache) == {"openai:small": 2, "openai:large": 1}


def test_an_unknown_model_is_named_with_the_nearest(cache: Path) -> None:
    with pytest.raises(CacheError, match="did you mean 'openai:small'") as caught:
        _prune(cache, model="openai:smal")
    assert "openai:large" in str(caught.value)
    assert sum(_left(cache).values()) == 40


def test_a_cache_that_is_not_there(tmp_path: Path) -> None:
    for command in (lambda: _prune(tmp_path / "no", everything=True), lambda: cache_statistics(tmp_path / "no")):
        with pytest.raises(CacheError, match="there is no model cache in"):
            command()
    assert not (tmp_path / "no").exists()


def test_pruning_beside_a_run(cache: Path, desk: Any) -> None:
    async def main() -> None:
        async with open_cache_layer(cache) as layer:
            assert (await layer(desk.call("1", model="openai:small"), desk.ask)).source == "cache"
            await asyncio.to_thread(_prune, cache, everything=True)
            assert (await layer(desk.call("1", model="openai:small"), desk.ask)).source == "provider"
            assert (await layer(desk.call("1", model="openai:small"), desk.ask)).source == "cache"

    asyncio.run(main())
    assert _left(cache) == {"openai:small": 1}
