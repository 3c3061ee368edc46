"""Model calls through the whole path: wall and CPU time, and how a storm of refusals ends. `python -m perf.model_calls`

The test server answers on the other side of a socket, in a process of its own. The ideal is all calls in full batches
of the limit, and nothing else. CPU per call is the client's, printed beside that of pydantic-ai without the path.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perf.bars import Beside, Figure
from perf.ours import Measured, run_child, runs_file
from perf.places import ROOT, environment
from perf.questions import question, questions_in_file, run_config
from perf.script import Session, run_scripts
from perf.serving import running

BATCHES = 10
STORM_BATCHES = 15
STORM_CONCURRENCY = 100
ROUND_TRIP_S = 0.5
"""Refusals that come within so much of each other are one storm."""


def measure(session: Session) -> Iterator[Figure]:
    """Wall time of direct requests and of an agent, CPU per call, and what is refused after a storm."""
    limit, latency = session.scale.model_concurrency, session.scale.model_latency_s
    count, ideal = BATCHES * limit, BATCHES * latency
    with running(brain="echo", latency=latency) as server:
        direct = _calls("direct", count, limit, server.base_url)
        bare = _calls("bare", count, limit, server.base_url)
        agent = _agent(count, limit, server.base_url)
    what = f"{count:,} of {latency:g} s, {limit} at once"
    yield Figure("model_calls", direct.wall / ideal, Beside("bare pydantic-ai", bare.wall / ideal), what)
    detail = f"all of a run included, {agent.cpu / count * 1_000:.1f} ms CPU each"
    yield Figure("model_agent", agent.wall / ideal, Beside("bare requests", bare.wall / ideal), detail)
    yield Figure("model_cpu", direct.cpu / count * 1_000, Beside("bare pydantic-ai", bare.cpu / count * 1_000))
    yield from _storms(session)


def _storms(session: Session) -> Iterator[Figure]:
    quota, latency = session.scale.model_quota, session.scale.model_latency_s
    window = 2 * latency
    quotas = {
        f"{quota} requests in {window:g} s": ({"requests": quota, "window": window}, window),
        f"{quota} requests at once": ({"concurrent": quota}, latency),
    }
    for name, (granted, span) in quotas.items():
        count = STORM_BATCHES * quota
        with running(brain="echo", latency=latency, quotas=[granted]) as server:
            spent = _calls("direct", count, STORM_CONCURRENCY, server.base_url)
            refused = [entry["arrived"] for entry in server.log() if entry["outcome"] == "refused"]
        first, after = _after_storm(refused)
        detail = f"quota {name}: the storm {first}, then {len(after)} of {count:,} in {spent.wall:.1f} s"
        yield Figure("model_storm", 100 * _most_within(after, span) / quota, detail=detail)


def _calls(way: str, count: int, limit: int, base_url: str) -> Measured:
    command = [sys.executable, "-m", "perf.model_calls_child", way, "--calls", str(count)]
    options = ["--concurrency", str(limit), "--base-url", base_url]
    done = subprocess.run(
        [*command, *options], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    return Measured(**json.loads(done.stdout))


def _agent(count: int, limit: int, base_url: str) -> Measured:
    """The same number of questions in a run of heams, answered by a ``tool_use`` agent with one request each."""
    agent: dict[str, Any] = {
        "type": "tool_use",
        "model": "openai:measured",
        "base_url": base_url,
        "max_concurrency": limit,
        "policy": "Answer.",
        "answer_prompt": "{principal}, at {now}: {question}",
        "tools": {},
    }
    with TemporaryDirectory(prefix="heams-perf-") as place:
        folder = Path(place)
        config = run_config(questions_in_file(folder / "questions.jsonl", count))
        config["experiments"][0]["agent_config"] = agent
        measured = run_child(config, folder, "--concurrency", str(limit))
        answered = runs_file(folder).read_text(encoding="utf-8").count(question(0)[:-2])
    if answered < count:
        sys.exit(f"only {answered} of {count} questions were answered")
    return measured


def _after_storm(refused: Sequence[float]) -> tuple[int, Sequence[float]]:
    """How many refusals the first storm had, and the times of all after it."""
    end = next(
        (index for index in range(1, len(refused)) if refused[index] - refused[index - 1] > ROUND_TRIP_S), len(refused)
    )
    return end, refused[end:]


def _most_within(times: Sequence[float], seconds: float) -> int:
    """The most of the ascending ``times`` in any span of ``seconds``."""
    return max((sum(start <= time < start + seconds for time in times) for start in times), default=0)


if __name__ == "__main__":
    run_scripts(measure)
