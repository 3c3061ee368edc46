"""What the programs beside this file are to observe: what the published package did, and where ours is better.

``observed/`` holds, program by program, what the programs printed on heta-framework 0.1.2; everything in it must be the
same on ours, but for the places that ``better.yaml`` names, with what ours does there and why. Written anew by
``python -m perf.peer_programs --record``.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
PROGRAMS = (
    "text_to_answer",
    "vector_and_sql_text",
    "graph_and_multihop",
    "parts_alone",
    "evaluation_values",
    "benchmarks_from_files",
    "benchmark_of_units",
)


@dataclass(frozen=True)
class Better:
    """A place where ours differs on purpose.

    Attributes:
        at: keys from the outside to the inside.
        ours: what stands there instead; or, in a mapping, what is there beside the peer's keys (``adds``).
        why: the fault that ours does not have, in words.
    """

    program: str
    at: tuple[str, ...]
    ours: Any
    adds: bool
    why: str

    def apply(self, observations: dict[str, Any]) -> bool:
        """Put ours into the place; whether that changed anything."""
        *outside, last = self.at
        place = observations
        for key in outside:
            place = place[key]
        before = place[last]
        place[last] = before | self.ours if self.adds else self.ours
        return bool(place[last] != before)


def published(program: str) -> dict[str, Any]:
    """What the published package did."""
    found: dict[str, Any] = json.loads((FOLDER / "observed" / f"{program}.json").read_text(encoding="utf-8"))
    return found


def better(program: str) -> list[Better]:
    """Where ours differs on purpose."""
    entries: list[dict[str, Any]] = yaml.safe_load((FOLDER / "better.yaml").read_text(encoding="utf-8"))
    return [
        Better(program, tuple(entry["at"]), entry.get("ours", entry.get("adds")), "adds" in entry, entry["why"])
        for entry in entries
        if entry["program"] == program
    ]


def expected(program: str) -> dict[str, Any]:
    """What ours must do."""
    observations = published(program)
    for difference in better(program):
        difference.apply(observations)
    return observations


def differences(found: Any, wanted: Any, at: tuple[str, ...] = ()) -> Iterator[str]:
    """One line for each place where observations differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in sorted(found.keys() | wanted.keys()):
            yield from differences(found.get(key, "nothing"), wanted.get(key, "nothing"), (*at, key))
    elif found != wanted:
        yield f"{' / '.join(at)}: {json.dumps(found)} instead of {json.dumps(wanted)}"


def record(program: str, observations: dict[str, Any]) -> None:
    """Keep what the published package did."""
    text = json.dumps(observations, indent=1, ensure_ascii=False, sort_keys=True)
    (FOLDER / "observed" / f"{program}.json").write_text(f"{text}\n", encoding="utf-8")
