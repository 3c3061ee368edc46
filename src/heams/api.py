"""The Python interface: run a matrix, or see what a run would do."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from heams.orchestration.listener import RunListener
from heams.orchestration.options import RunOptions
from heams.orchestration.resolve import ResolvedRun, resolve_run_file, resolve_run_mapping
from heams.orchestration.run import run_matrix
from heams.orchestration.survey import RunSurvey, survey
from heams.reporting.load import Results, load_results
from heta_framework.common.models.calls.cache_place import model_cache_dir

T = TypeVar("T")
RunConfig = str | Path | Mapping[str, Any]


def run(
    config: RunConfig,
    output_dir: str | Path = "results",
    *,
    root: str | Path | None = None,
    max_concurrency: int = 16,
    limit: int | None = None,
    only: str | Iterable[str] = (),
    new_run: bool = False,
    cache_dir: str | Path | None = None,
    record: str | Path | None = None,
    replay: str | Path | None = None,
    max_cost: float | None = None,
    listener: RunListener | None = None,
) -> Results:
    """Play a run matrix and return its results; finished scenarios are not played again.

    Args:
        config: path of a run file, or the same content as a mapping.
        output_dir: folder for the results, relative to the current directory.
        root: for a mapping: the folder against which component files and paths are resolved (default: here).
        max_concurrency: scenarios under way at once.
        limit: play only the first ``limit`` samples of each benchmark.
        only: name or names of the experiments to play; empty means all.
        new_run: begin another run beside the earlier ones instead of resuming.
        cache_dir: keep replies of models in this folder and answer equal calls from there (default: the folder that
            the environment variable ``HEAMS_MODEL_CACHE_DIR`` names, else no cache).
        record: record every model call with its reply to this cassette (``*.jsonl.zst`` or ``*.jsonl``).
        replay: answer model calls from this cassette; no model is called and no key is needed.
        max_cost: stop when models have cost this much (USD), counted from the beginning of this call. What is finished
            stays; the status of the experiment is ``interrupted`` and its message says why.
        listener: receives progress.

    Raises:
        heta_framework.common.config.ConfigError: the configuration has mistakes, all of them named.
        heams.orchestration.errors.RunRefused: the run cannot be done as asked.
        heams.orchestration.store.StoreError: results can no longer be written; what was counted is safe.
        ValueError: ``max_concurrency`` or ``limit`` is no whole number from 1 on.
    """
    _require_positive("max_concurrency", max_concurrency)
    _require_limit(limit)
    names = (only,) if isinstance(only, str) else tuple(only)
    resolved = _resolve(config, root)
    options = RunOptions(
        max_concurrency=max_concurrency,
        limit=limit,
        only=names,
        new_run=new_run,
        cache_dir=model_cache_dir(_path(cache_dir)),
        record=_path(record),
        replay=_path(replay),
        max_cost_usd=max_cost,
    )
    output = Path(output_dir).resolve()
    _await(lambda: run_matrix(resolved, output, options, listener))
    return load_results(output)


def validate(config: RunConfig, *, root: str | Path | None = None, limit: int | None = None) -> RunSurvey:
    """What ``run`` would do: samples, exclusions and planned work per experiment.

    Raises:
        heta_framework.common.config.ConfigError: the configuration has mistakes, all of them named.
        ValueError: ``limit`` is no whole number from 1 on.
    """
    _require_limit(limit)
    return survey(_resolve(config, root), limit=limit)


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given).expanduser()


def _require_limit(limit: int | None) -> None:
    if limit is not None:
        _require_positive("limit", limit)


def _require_positive(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a whole number from 1 on; found {value!r}")


def _resolve(config: RunConfig, root: str | Path | None) -> ResolvedRun:
    if isinstance(config, str | Path):
        return resolve_run_file(Path(config))
    return resolve_run_mapping(config, root=Path(root) if root is not None else None)


def _await(start: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, also where an event loop is running already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(start())
    outcome: list[T] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            outcome.append(asyncio.run(start()))
        except BaseException as error:  # noqa: BLE001 - handed over to the calling thread
            failure.append(error)

    thread = threading.Thread(target=target, name="heams run")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
