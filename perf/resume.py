"""How long a resumed run needs, from the start of its process, until its first new sample starts.

The finished samples are one real result under many ids, written with the product's own model. The first new sample
starts at the `started_at` of its saved result. The bar is about questions that are made on demand; how long it takes
when they come from a file, whose every row is checked before anything is played, is said beside it. The peer retries a
log with fewer finished samples; ours is measured over as many, too, so that the two can be read side by side.
`python -m perf.resume`
"""

import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from heams.orchestration.results import RunResult
from perf.bars import Beside, Figure
from perf.lazy_questions import plugin_folder
from perf.ours import middle, run_child, runs_file
from perf.peer import Peer
from perf.questions import question, questions_in_file, questions_on_demand, run_config, sample_id
from perf.script import Session, run_scripts

NEW = 10


def measure(session: Session) -> Iterator[Figure]:
    """The time over the full number, and over the peer's."""
    scale = session.scale
    many, few, times = scale.resume_finished, scale.resume_finished_of_peer, scale.repetitions
    from_file = _ours(many, times, in_file=True)
    yield Figure("resume", _ours(many, times), detail=f"{from_file:.3g} s where the questions are in a file")
    if session.peer is not None:
        beside = Beside(session.peer.name, _peers(session.peer, few))
        yield Figure("resume", _ours(few, times), beside, f"{few:,} finished")


def _ours(finished: int, times: int, *, in_file: bool = False) -> float:
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        plugins = plugin_folder(folder)
        count = finished + NEW
        benchmark = questions_in_file(folder / "questions.jsonl", count) if in_file else questions_on_demand(count)
        config = run_config(benchmark)
        _write_finished(config, folder, plugins, finished)
        return middle(lambda: _resumed(config, folder, plugins, finished), times)


def _write_finished(config: Mapping[str, Any], folder: Path, plugins: Path, count: int) -> None:
    run_child(config, folder, "--cold", "--limit", "1", paths=(plugins,))
    runs = runs_file(folder)
    first = RunResult.model_validate_json(runs.read_bytes())
    with runs.open("a", encoding="utf-8") as file:
        for number in range(1, count):
            changes = {"sample_id": sample_id(number), "sample_name": question(number)}
            file.write(f"{first.model_copy(update=changes).model_dump_json(exclude_none=True)}\n")


def _resumed(config: Mapping[str, Any], folder: Path, plugins: Path, finished: int) -> float:
    """Seconds until the first new sample; its results are removed again."""
    runs = runs_file(folder)
    size = runs.stat().st_size
    began = time.time()
    run_child(config, folder, "--cold", paths=(plugins,))
    with runs.open("r+b") as file:
        file.seek(size)
        new = [RunResult.model_validate_json(line) for line in islice(file, NEW + 1)]
        file.truncate(size)
    if {result.sample_id for result in new} != {sample_id(finished + number) for number in range(NEW)}:
        raise SystemExit(f"the resumed run played {[result.sample_id for result in new]}")
    return min(result.started_at.timestamp() for result in new) - began


def _peers(peer: Peer, finished: int) -> float:
    with TemporaryDirectory(prefix="heams-perf-peer-") as place:
        log = peer.run_child("interrupt", finished, Path(place))["log"]
        began = time.time()
        first: float = peer.run_child("resume", finished, Path(place), "--log", log)["first_sample_at"]
        return first - began


if __name__ == "__main__":
    run_scripts(measure)
