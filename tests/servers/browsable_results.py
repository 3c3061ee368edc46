"""Results to browse: small experiments, really played, among them a judged, a hostile and a failing one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

HOSTILE = "<script>alert('x')</script> \x1b[31mred\x1b[0m \u202egnp.exe \x00 &amp; <img src=x onerror=alert(1)>"
TURNS = {
    "t1": "My sister Nadia moved to Lisbon in March.",
    "t2": "The spare key hangs behind the water butt.",
    "t3": "On Fridays I bake rye bread with caraway.",
    "t4": "Our cat Pixel is afraid of the red umbrella.",
}
QUESTIONS = (
    ("q1", "Where did Nadia move to?", "Lisbon", "t1", "place"),
    ("q2", "Where does the spare key hang?", "behind the water butt", "t2", "place"),
    ("q3", "What is baked on Fridays?", "rye bread", "t3", "habit"),
    ("q4", "What is Pixel afraid of?", "the red umbrella", "t4", "habit"),
    ("q5", "When did Nadia move?", "March", "t1", "time"),
    ("q6", "Who repaired the bicycle of the neighbour?", "Not mentioned", "t4", "time"),
)


def play(root: Path) -> None:
    """Write ``root / "results"``."""
    import heams.api

    results = root / "results"
    heams.api.run({"run_name": "browse", "experiments": list(_experiments(_conversation(root)))}, results, root=root)
    _judge(root, results)
    _evaluate(root, results)


def _conversation(root: Path) -> Path:
    turns = [{"id": key, "speaker": "Ada", "content": text} for key, text in TURNS.items()]
    rows: list[dict[str, Any]] = [{"history": {"id": "home", "turns": turns}}]
    rows += [
        {
            "id": key,
            "question": question,
            "answer": answer,
            "history": "home",
            "evidence": [turn],
            "tags": {"kind": kind},
        }
        for key, question, answer, turn, kind in QUESTIONS
    ]
    path = root / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _benchmark(data: Path, *more: dict[str, Any]) -> dict[str, Any]:
    own = [
        {"type": "task_qa", "match_mode": "contains"},
        {"type": "task_qa", "match_mode": "token_f1"},
        {"type": "evidence_recall", "k": [1, 3]},
    ]
    return {"type": "jsonl_qa", "data_file": str(data), "question_prompt": "{question}", "evaluators": [*own, *more]}


def _experiments(data: Path) -> Iterator[dict[str, Any]]:
    for memory in ("no_memory", "full_context", "lexical"):
        yield _entry(f"plain__{memory}", {"type": "extractive"}, {"type": memory}, _benchmark(data))
    yield _entry(
        "retention",
        {"type": "extractive"},
        {"type": "lexical"},
        {
            "type": "retention_policy",
            "data_file": str(Path(__file__).parents[2] / "datasets/retention_policy/seed.jsonl"),
            "question_prompt": "{question}",
            "evaluators": [{"type": "leak"}, {"type": "retention"}],
        },
    )
    yield _entry("hostile", {"type": "scripted", "default": HOSTILE}, {"type": "lexical"}, _benchmark(data))
    failing = {"type": "scripted", "fail_on": ["?"]}
    yield _entry("failing", failing, {"type": "no_memory"}, _benchmark(data))


def _entry(name: str, agent: Any, memory: Any, benchmark: Any) -> dict[str, Any]:
    return {"name": name, "agent_config": agent, "memory_system_config": memory, "benchmark_config": benchmark}


def _judge(root: Path, results: Path) -> None:
    """A judge that accepts one answer, rejects most, and cannot be read once."""
    from model_server import CANARY_KEY, LocalServer

    import heams.api

    rules = [
        {"user": "Lisbon", "reply": {"text": "CORRECT"}},
        {"user": "rye bread", "reply": {"text": "well, well"}},
    ]
    judge = {"type": "llm_judge", "judges": [{"model": "openai:judge-1"}], "policy": "lenient"}
    entry = _entry("judged", {"type": "extractive"}, {"type": "lexical"}, _benchmark(root / "questions.jsonl", judge))
    brain = {"rules": rules, "otherwise": {"fixed": {"text": "WRONG"}}}
    with pytest.MonkeyPatch.context() as patch, LocalServer(brains={"judge-1": brain}) as server:
        patch.setenv("OPENAI_API_KEY", CANARY_KEY)
        patch.setenv("OPENAI_BASE_URL", server.base_url)
        heams.api.run({"run_name": "judged", "experiments": [entry]}, results, root=root)


def _evaluate(root: Path, results: Path) -> None:
    from village import write_village

    from heams.orchestration.options import RunOptions
    from heams.recipe_evaluation.evaluating import evaluate_recipe
    from heams.recipe_evaluation.resolve import resolve_evaluation

    village = write_village(root / "village")
    recipe, benchmark = village / "configs/recipes/words.yaml", village / "configs/benchmarks/village.yaml"
    evaluation = resolve_evaluation(recipe, benchmark, ("full_text_search",))
    anyio.run(lambda: evaluate_recipe(evaluation, results, RunOptions()))
