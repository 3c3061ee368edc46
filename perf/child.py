"""Our side of the suite, in a process of its own: plays a run and prints one line of JSON about it.

`wall` and `cpu` (user and system, `time.process_time`) are seconds around one call of `heams.run`, after a small
warm-up run that loads everything; reading the questions, judging, and forcing the results to the disk are inside.
`--cold` leaves the warm-up out.
"""

import argparse
import json
import time
from pathlib import Path

import heams
from perf.peak_memory import peak_mb

WARM_UP = 50


def main() -> None:
    """Play what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=json.loads, required=True)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    if not options.cold:
        heams.run(options.config, options.folder / "warm_up", limit=WARM_UP)
    wall, cpu = time.perf_counter(), time.process_time()
    heams.run(options.config, options.folder / "results", max_concurrency=options.concurrency, limit=options.limit)
    measured = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "peak_mb": peak_mb()}
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
