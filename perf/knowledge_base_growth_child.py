"""A knowledge base of many documents with both indexes, built and asked: prints one line of JSON about it."""

import argparse
import asyncio
import json
import time
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from heta_framework.common.stores import LocalObjectStore
from heta_framework.kb import KnowledgeBase
from perf.knowledge_base_child import STEPS, Clocked, make_recipe
from perf.peak_memory import peak_mb


async def measure(folder: Path, questions: list[str]) -> dict[str, Any]:
    """Build from the raw documents in ``folder/objects``; ask both modes."""
    model, steps = Clocked(), (*STEPS["vector_search"], *STEPS["full_text_search"])
    recipe = make_recipe(LocalObjectStore(folder / "objects"), model, steps)
    before, start, cpu = peak_mb(), time.perf_counter(), time.process_time()
    kb = await KnowledgeBase.create(recipe=recipe, name="large")
    build, spent, built = time.perf_counter() - start, time.process_time() - cpu, peak_mb()
    queries = {mode: await _median_ms(kb, mode, questions) for mode in STEPS}
    return {
        "build_s": build,
        "build_cpu_s": spent,
        "embedding_s": model.seconds,
        "query_ms": queries,
        "peak_mb": peak_mb(),
        "peak_mb_before_and_after_build": [before, built],
        "chunks": kb.run_record.artifacts["split_documents_result"].chunk_count,
        "seconds_of_steps": {step.step_name: _seconds(step) for step in kb.run_record.step_records},
    }


async def _median_ms(kb: KnowledgeBase, mode: str, questions: list[str]) -> float:
    spent = []
    for question in questions:
        start = time.perf_counter()
        await kb.query(question, mode=mode)
        spent.append(time.perf_counter() - start)
    return median(spent) * 1_000


def _seconds(step: Any) -> float:
    finished, started = (datetime.fromisoformat(moment) for moment in (step.finished_at, step.started_at))
    return round((finished - started).total_seconds(), 3)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    questions = json.loads((options.folder / "questions.json").read_text(encoding="utf-8"))
    print(json.dumps(asyncio.run(measure(options.folder, questions))))


if __name__ == "__main__":
    main()
