"""The peer's side of the suite: the same work in inspect_ai. The peer's interpreter runs it; nothing of ours is used.

The model answers from memory after a given latency and states its usage itself, so nothing is counted or downloaded.
`play` measures seconds of wall and CPU time around one `eval`, after a small warm-up `eval` that loads everything, and
the peak memory of the process. `interrupt` leaves a log in which `--samples` samples are finished and ten are not;
`resume` retries that log and tells when its first new sample started. Each prints one line of JSON.
"""

import argparse
import asyncio
import json
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import inspect_ai
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, ModelAPI, ModelOutput, ModelUsage, get_model, modelapi
from inspect_ai.scorer import match
from inspect_ai.solver import generate

from perf.peak_memory import peak_mb

WARM_UP = 50
UNFINISHED = 10


@modelapi(name="steady")
class SteadyModel(ModelAPI):
    """Always the same answer; every call after the first ``fail_after`` calls raises."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        latency: float = 0.0,
        fail_after: int | None = None,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self.latency = latency
        self.calls_left = fail_after

    async def generate(self, *_: Any, **__: Any) -> ModelOutput:
        if self.calls_left is not None:
            self.calls_left -= 1
            if self.calls_left < 0:
                raise RuntimeError("the model is out of order")
        if self.latency:
            await asyncio.sleep(self.latency)
        output = ModelOutput.from_content(model="steady", content="answer")
        output.usage = ModelUsage(input_tokens=8, output_tokens=1, total_tokens=9)
        return output


@task
def questions(count: int) -> Task:
    samples = [Sample(id=f"q{n:06}", input=f"What is answer {n}?", target="answer") for n in range(count)]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=match())


def evaluate(model: Model, count: int, options: argparse.Namespace) -> EvalLog:
    (log,) = inspect_ai.eval(
        questions(count),
        model=model,
        display="none",
        log_dir=str(options.folder),
        max_connections=options.concurrency,
        max_samples=options.concurrency,
    )
    return log


def play(options: argparse.Namespace) -> dict[str, float]:
    model = get_model("steady/model", latency=options.latency, memoize=False)
    evaluate(model, WARM_UP, options)
    wall, cpu = time.perf_counter(), time.process_time()
    log = evaluate(model, options.samples, options)
    measured = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "peak_mb": peak_mb()}
    if log.status != "success":
        sys.exit(f"inspect_ai ended with status {log.status!r}: {log.error}")
    return measured


def interrupt(options: argparse.Namespace) -> dict[str, str]:
    model = get_model("steady/model", fail_after=options.samples, memoize=False)
    return {"log": evaluate(model, options.samples + UNFINISHED, options).location}


def resume(options: argparse.Namespace) -> dict[str, float]:
    (log,) = inspect_ai.eval_retry(options.log, display="none", log_dir=str(options.folder))
    began = [sample.started_at for sample in log.samples or [] if sample.id >= f"q{options.samples:06}"]
    return {"first_sample_at": min(_seconds(moment) for moment in began)}


def _seconds(moment: Any) -> float:
    return (moment if isinstance(moment, datetime) else datetime.fromisoformat(moment)).timestamp()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["play", "interrupt", "resume"])
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--log")
    options = parser.parse_args()
    print(json.dumps({"play": play, "interrupt": interrupt, "resume": resume}[options.action](options)))


if __name__ == "__main__":
    main()
