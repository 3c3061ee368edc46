"""Evaluations that are killed in their query phase: a program that reads plans, a JSON list a line, and tells the ends.

It imports everything and starts nothing, so that it can fork a fresh process for each part in a moment. That process
runs the evaluation below its folder and, where the plan says so, gets SIGKILL so many seconds after its first query was
asked, wherever it is then. ``asked.txt`` holds every query that any process asked.
"""

import json
import os
import signal
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from tiny_benchmarks import FULL_TEXT, VECTOR, Bench, Finds, tiny
from tiny_recipes import SharedStores

from heta_framework.common.stores import DiskVectorStore, TantivyTextIndexStore
from heta_framework.evaluation.types import BenchmarkRunUnit, EvaluationReport
from heta_framework.kb import QueryContext, QueryEngineRegistry, QueryRequest, QueryResponse

CASES = 40
_SECONDS_A_QUERY = 0.004
_IMPORTED_BEFORE_FORKING = (
    "numpy",
    "tantivy",
    "scipy.special",
    "semantic_text_splitter",
    "stamina",
    "anyio._backends._asyncio",
    "heta_framework.kb.validation",
    "heta_framework.evaluation.records",
    "heta_framework.evaluation.runner.execution",
    "heta_framework.evaluation.runner.rescoring",
)


class Mortal:
    """An engine that writes down what it is asked and takes its time; the first query sets the clock."""

    def __init__(self, engine: Any, log: Path, lives: float | None) -> None:
        self._engine = engine
        self._log = log
        self._lives = lives
        self.mode = engine.mode
        self.required_assets = engine.required_assets

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        if self._lives is not None:
            threading.Thread(target=_die, args=(self._lives,), daemon=True).start()
            self._lives = None
        with self._log.open("a") as file:
            file.write(f"{self.mode} {request.text}\n")
        await anyio.sleep(_SECONDS_A_QUERY)
        response: QueryResponse = await self._engine.query(request, context)
        return response


def _die(after: float) -> None:
    time.sleep(after)
    os.kill(os.getpid(), signal.SIGKILL)


async def evaluate(root: Path, lives: float | None) -> EvaluationReport:
    """Two units, two modes, on stores that outlive a process."""
    defaults = QueryEngineRegistry.defaults()
    engines = QueryEngineRegistry(
        [Mortal(defaults.get(mode), root / "asked.txt", lives) for mode in (VECTOR, FULL_TEXT)]
    )
    bench = Bench(root)
    recipe = SharedStores(root).recipe(
        vector=DiskVectorStore(root / "vectors"), text_index=TantivyTextIndexStore(root / "texts")
    )
    half = CASES // 2
    units = tuple(
        BenchmarkRunUnit(unit_id, tuple(f"d{n}" for n in own), tuple(f"c_d{n}" for n in own))
        for unit_id, own in (("north", range(half)), ("south", range(half, CASES)))
    )
    scoring = (Finds(), Finds("finds it among 3 documents", required_top_k=3, counts_documents=True))
    benchmark = tiny(CASES, units=units, scoring=scoring)
    result = await bench.run(benchmark, VECTOR, FULL_TEXT, recipe=recipe, query_engines=engines, top_k=3)
    return result.report


async def play(root: Path, lives: float | None) -> None:
    report = (await evaluate(root, lives)).to_dict()
    for case in report["case_results"]:
        del case["latency_ms"]
    told = {name: report[name] for name in ("case_results", "score_summary", "score_details")}
    (root / "told.json").write_text(json.dumps(told))


def in_a_process(root: Path, lives: float | None) -> int:
    """Run the evaluation in a process of its own; how the process ended (-9: killed)."""
    child = os.fork()
    if child == 0:
        try:
            anyio.run(play, root, lives)
        except BaseException:  # noqa: BLE001 - the parent must see it, whatever it is
            import traceback

            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    for module in _IMPORTED_BEFORE_FORKING:
        import_module(module)
    QueryEngineRegistry.defaults()
    for line in sys.stdin:
        ends = []
        for folder, lives in json.loads(line):
            Path(folder).mkdir(parents=True, exist_ok=True)
            ends.append(in_a_process(Path(folder), lives))
        print(json.dumps(ends), flush=True)


if __name__ == "__main__":
    main()
