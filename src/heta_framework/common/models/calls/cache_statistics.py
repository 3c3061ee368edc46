"""What the cache holds and what it saved, model by model."""

import sqlite3
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from heta_framework.common.models.calls.cache_file import connect, existing

_BY_MODEL = """
SELECT model, kind, count(*), sum(length(body)), sum(hits),
    sum(hits * coalesce(input_tokens, 0)), sum(hits * coalesce(output_tokens, 0)),
    sum(CASE WHEN input_tokens IS NULL THEN hits ELSE 0 END), min(created), max(used)
FROM replies GROUP BY model, kind ORDER BY count(*) DESC, model, kind
"""


class ModelStatistics(BaseModel):
    """The replies of one model and kind of call.

    ``bytes`` are those of the compressed replies. ``saved_...`` are the tokens of all hits as the provider counted
    them; ``uncounted_hits`` are hits on replies for which it gave no count. ``created`` is when the oldest reply came,
    ``used`` when one was last kept or given out, both in seconds since 1970 (UTC).
    """

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    model: str
    kind: str
    entries: int
    bytes: int
    hits: int
    saved_input_tokens: int
    saved_output_tokens: int
    uncounted_hits: int
    created: float
    used: float


class CacheStatistics(BaseModel):
    """The whole cache. ``bytes_on_disk`` are those of the database file and what belongs to it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Path
    bytes_on_disk: int
    models: tuple[ModelStatistics, ...]

    @property
    def entries(self) -> int:
        """How many replies are kept."""
        return sum(model.entries for model in self.models)


def cache_statistics(directory: Path) -> CacheStatistics:
    """Statistics of the cache in ``directory``. Hits of runs under way are counted with some delay.

    Raises:
        CacheError: there is no cache, or it cannot be read.
    """
    file = existing(directory)
    with closing(connect(file)) as connection:
        models = tuple(_model(row) for row in connection.execute(_BY_MODEL))
    return CacheStatistics(file=file, bytes_on_disk=bytes_on_disk(file), models=models)


def bytes_on_disk(file: Path) -> int:
    """The size of a database with its write-ahead log."""
    parts = (file, file.with_name(f"{file.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def _model(row: sqlite3.Row | tuple[object, ...]) -> ModelStatistics:
    return ModelStatistics.model_validate(dict(zip(ModelStatistics.model_fields, row, strict=True)))
