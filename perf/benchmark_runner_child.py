"""One benchmark run of `BenchmarkRunner`, in a process of its own; runs on our package and on the published one.

It prints a line of JSON: seconds of the run and of the embedding model in it, peak memory of the process before and
after, bytes of what the report consists of, cases, and the means. Its neighbours are imported as a script imports them:
the other interpreter does not know this package.
"""

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import Any

from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation import (
    BeirBenchmark,
    BenchmarkRunConfig,
    BenchmarkRunner,
    BenchmarkWorkspace,
    beir_default_metrics,
)
from knowledge_base_child import STEPS, Clocked, make_recipe, refuse_network
from peak_memory import peak_mb

MODE = "vector_search"
TOP_K = 100
K_VALUES = (1, 3, 5, 10, 100)


async def measure(data: Path, folder: Path) -> dict[str, Any]:
    """Run the benchmark in ``data``, a folder in BEIR's layout; everything that is written is below ``folder``."""
    objects, model = LocalObjectStore(folder / "objects"), Clocked()
    before, start, cpu = peak_mb(), time.perf_counter(), time.process_time()
    result = await BenchmarkRunner().run(
        benchmark=BeirBenchmark("cranfield", data_root=data, download=False),
        recipe=make_recipe(objects, model, STEPS[MODE]),
        knowledge_base_name="measured",
        query_modes=(MODE,),
        workspace=BenchmarkWorkspace(folder / "work", folder / "cache"),
        evaluators=beir_default_metrics(k_values=K_VALUES),
        config=BenchmarkRunConfig(top_k=TOP_K, report_id="measured"),
    )
    spent = {"run_s": time.perf_counter() - start, "run_cpu_s": time.process_time() - cpu}
    errors = sum(case.error is not None for case in result.report.case_results)
    cases = len(result.report.case_results)
    if errors or not result.report.score_summary:
        raise SystemExit(f"{errors} of {cases} cases failed")
    return spent | {
        "embedding_s": model.seconds,
        "peak_mb": peak_mb(),
        "peak_mb_before": before,
        "report_bytes": await _bytes_of_report(objects, result.report_key),
        "cases": cases,
        "means": dict(result.report.score_summary),
    }


async def _bytes_of_report(objects: LocalObjectStore, report_key: str | None) -> int:
    assert report_key
    return sum(info.size for info in await objects.list(report_key.rpartition("/")[0]))


def main() -> None:
    """Measure what the command line names."""
    refuse_network()
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True, help="a folder in BEIR's layout")
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    print(json.dumps(asyncio.run(measure(options.data, options.folder))))


if __name__ == "__main__":
    main()
