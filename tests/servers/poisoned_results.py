"""Results in which every text that a file can hold is an attack, found by trying: what may be any text, becomes one."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from heams.orchestration.results import IngestRecord, RunResult, RunStatus

_NAMED = {"run_id", "history_id"}
"""What other files are found by: a name of a file is attacked by renaming the file."""
_KINDS = "transcript/action/type"
_TEXTS_OF = "benchmark_config/type"
_PARTS_OF_NAMES = {"records/evaluator", "records/metric"}
"""A metric is named by both with a slash between them, so that neither has one."""
_RICH = {
    "tool_calls": [{"name": "search", "arguments": {"words": "harbour", "deep": ["pier"]}, "result": "found"}],
    "writes": [{"id": "w1", "content": "a note"}],
    "receipt": {"removed": ["t1"], "note": "it is gone"},
    "dump": [{"id": "m1", "text": "kept", "event_ids": ["t1"], "speaker": "Ada", "metadata": {"mood": "calm"}}],
    "note": "a note of the step",
    "principal": "Ada",
    "reply_metadata": {"model": "none", "trace": {"span": "one"}},
}
"""What a step may have besides what these agents leave behind."""


def poison(experiment: Path, payload: str, *, keep: Collection[str] = ()) -> None:
    """Put ``payload`` before every text of the files of ``experiment``, in place.

    ``keep`` names further fields that stay as they are, for example ``evaluator``.
    """
    kept = _NAMED | set(keep)
    for name, model in (("runs.jsonl", RunResult), ("ingests.jsonl", IngestRecord), ("texts.jsonl", None)):
        _rewrite(experiment / name, payload, model, kept)
    for history in experiment.glob("histories/*.jsonl"):
        _rewrite(history, payload, None, kept | {"type", "role"})
    status = experiment / "run_status.json"
    told = json.loads(status.read_text(encoding="utf-8")) | {"message": "a message"}
    status.write_text(json.dumps(_poisoned(told, payload, _free([told], payload, RunStatus, kept))), encoding="utf-8")
    (config,) = experiment.glob("experiment_config.*.yaml")
    said = yaml.safe_load(config.read_text(encoding="utf-8"))
    free = _free([said], payload, None, kept) - {_TEXTS_OF}
    config.write_text(yaml.safe_dump(_poisoned(said, payload, free), allow_unicode=False), encoding="utf-8")


def _rewrite(file: Path, payload: str, model: type[BaseModel] | None, kept: set[str]) -> None:
    if not file.exists():
        return
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if model is RunResult:
        for row in rows:
            row["transcript"] = [{**step, **_RICH} for step in row["transcript"]]
    free = _free(rows[:1], payload, model, kept) - {_KINDS}
    lines = [json.dumps(_poisoned(row, payload, free)) for row in rows]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _free(rows: list[Any], payload: str, model: type[BaseModel] | None, kept: set[str]) -> set[str]:
    """The places of texts that may be any text."""
    places = {place for row in rows for place in _places(row) if place.rpartition("/")[2] not in kept}
    return {place for place in places if model is None or _fits(_poisoned(rows[0], payload, {place}), model)}


def _fits(row: Any, model: type[BaseModel]) -> bool:
    try:
        model.model_validate_json(json.dumps(row))
    except ValidationError:
        return False
    return True


def _places(value: Any, at: str = "") -> Iterator[str]:
    """Where texts are: names of fields, without the numbers of lists."""
    if isinstance(value, str):
        yield at
    elif isinstance(value, list):
        for one in value:
            yield from _places(one, at)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _places(one, f"{at}/{name}" if at else name)


def _poisoned(value: Any, payload: str, free: set[str], at: str = "") -> Any:
    if isinstance(value, str):
        return (payload.replace("/", "|") if at in _PARTS_OF_NAMES else payload) + value if at in free else value
    if isinstance(value, list):
        return [_poisoned(one, payload, free, at) for one in value]
    if isinstance(value, dict):
        return {
            (payload + name if at in {"tags", "records/tags"} else name): _poisoned(
                one, payload, free, f"{at}/{name}" if at else name
            )
            for name, one in value.items()
        }
    return value
