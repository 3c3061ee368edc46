"""``run.json``: what the run of a report is; whoever takes the run up compares, and goes on only with the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from heta_framework.evaluation.errors import ReportFileError, ReportMismatchError
from heta_framework.evaluation.runner.run_identity import differences
from heta_framework.evaluation.types.json_safe import json_safe

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

RUN_FILE = "run.json"

_DECIDING = (
    "schema_version",
    "report_id",
    "knowledge_base_name",
    "benchmark_key",
    "recipe",
    "query_modes",
    "query_engines",
    "asking",
    "cases",
    "documents",
    "units",
)
_SCORING = ("evaluators", "labels")

COMPLETE = "complete"
BEING_MADE_ANEW = "being made anew"
"""What ``scores`` says: whether all saved responses have the scores of the evaluators that the file names."""


class RunFile:
    """The file, in the folder of a report."""

    def __init__(self, objects: ObjectStoreProtocol, folder: str) -> None:
        self._objects = objects
        self._folder = folder
        self._key = f"{folder}/{RUN_FILE}"

    async def read(self) -> dict[str, Any] | None:
        """What an earlier run wrote; None where there was none.

        Raises:
            ReportFileError: the file is damaged.
        """
        try:
            data = await self._objects.get(self._key)
        except FileNotFoundError:
            return None
        try:
            found = json.loads(data)
        except ValueError as error:
            raise ReportFileError(f"{self._key} is damaged ({error}); choose another report_id") from error
        if not isinstance(found, dict):
            raise ReportFileError(f"{self._key} holds no JSON object; choose another report_id")
        if not _is_whole(found):
            raise ReportFileError(f"{self._key} is damaged (parts of it are missing); choose another report_id")
        return found

    async def write(self, run: Mapping[str, Any]) -> None:
        """Say what the run is."""
        text = json.dumps(json_safe(run), ensure_ascii=False, allow_nan=False, indent=1)
        await self._objects.put(self._key, text.encode())

    def require_same(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Compare all that decides on responses, as far as both tell it.

        Raises:
            ReportMismatchError: they differ; the message names where.
        """
        compared = [name for name in _DECIDING if name in now]
        found = list(
            differences(
                {name: before.get(name) for name in compared}, json_safe({name: now[name] for name in compared})
            )
        )
        if found:
            raise ReportMismatchError(
                f"the report {now['report_id']!r} was begun with other settings ({'; '.join(found)}); "
                f"choose another report_id, or remove what lies below {self._folder}/"
            )


def _is_whole(run: Mapping[str, Any]) -> bool:
    """Whether a run can be taken up with it."""
    needs = run.get("needs")
    counts = [needs.get(name) for name in ("results", "documents")] if isinstance(needs, dict) else [None]
    return all(type(count) is int for count in counts) and isinstance(run.get("started_at"), str)


def scores_are_old(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether saved responses have to be scored anew: by other evaluators, by other labels, or to the end."""
    changed = any(before.get(name) != json_safe(now[name]) for name in _SCORING)
    return changed or before.get("scores") != COMPLETE
