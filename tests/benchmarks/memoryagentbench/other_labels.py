"""One row of facts and one of films for ``memoryagentbench`` whose answers and published labels are others."""

import json
from pathlib import Path
from typing import Any

_CONTEXT = "0. The fence is green.\n1. The fence is blue."


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration whose questions want this, or that."""
    labels = {
        "qa_pair_ids": ["ZEBRA_abs" if other else "no0"],
        "question_types": ["ZEBRA" if other else "update"],
        "keypoints": ["ZEBRA" if other else "a fence"],
        "outdated_answers": [["ZEBRA" if other else "green"]],
    }
    facts = _row(["Which colour is the fence?"], [["ZEBRA" if other else "blue"]], "factconsolidation_sh", labels)
    films = _row(["Which film?"], [["1" if other else "0"]], "recsys_redial", {})
    (folder / "Conflict_Resolution.jsonl").write_text(json.dumps(facts))
    (folder / "Test_Time_Learning.jsonl").write_text(json.dumps(films))
    (folder / "entity2id.json").write_text(json.dumps({"Up": 0, "ZEBRA": 1}))
    return {
        "data_dir": folder,
        "entity_file": folder / "entity2id.json",
        "prompts": {"default": "{question}"},
        "evaluators": [{"type": "memoryagentbench"}],
    }


def _row(questions: list[str], answers: list[list[str]], source: str, labels: dict[str, Any]) -> dict[str, Any]:
    return {
        "context": _CONTEXT,
        "questions": questions,
        "answers": answers,
        "metadata": {"source": source, **labels},
    }
