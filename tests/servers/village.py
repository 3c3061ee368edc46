"""A small project on disk: a recipe of words alone, and a retrieval benchmark of five documents."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TEXTS = {
    "tides": "The harbour master keeps the tide tables in a blue cabinet.",
    "apples": "Forty apple trees stand in the orchard behind the mill.",
    "lamp": "The lantern in the stairwell burns oil, not petrol.",
    "ferry": "The ferry leaves at noon and carries bicycles.",
    "mill": "The mill grinds on Mondays, when the stream is high.",
}
CASES: list[dict[str, Any]] = [
    {"case_id": "q1", "query": "Where are the tide tables?", "expected": {"answers": ["blue cabinet"]}},
    {"case_id": "q2", "query": "What stands in the orchard?", "expected": {"answers": ["apple trees"]}},
    {"case_id": "q3", "query": "What does the lantern burn?", "expected": {"answers": ["oil"]}},
    {"case_id": "q4", "query": "What does the ferry carry?", "expected": {"answers": ["bicycles"]}},
    {"case_id": "q5", "query": "Who painted the gate?", "labels": {"kind": "nowhere"}},
]
GOLD = {"q1": "tides", "q2": "apples", "q3": "lamp", "q4": "ferry"}
RECIPE = """
name: words
stores: {objects: memory, text_index: memory}
steps:
  - parse_documents
  - split_documents: {encoding_name: unicode}
  - index_full_text
"""
BENCHMARK = """
type: jsonl
name: village
documents_jsonl: data/documents.jsonl
cases_jsonl: data/cases.jsonl
evaluators:
  - {type: beir_retrieval, metrics: [ndcg, recall], k: [3]}
  - {type: answer_contains}
"""


def write_village(root: Path) -> Path:
    """Write the project; `configs/recipes/words.yaml` and `configs/benchmarks/village.yaml` are in it."""
    documents = [
        {"document_id": name, "name": f"{name}.txt", "media_type": "text/plain", "text": text}
        for name, text in TEXTS.items()
    ]
    write_lines(root / "data/documents.jsonl", documents)
    write_lines(root / "data/cases.jsonl", [labelled(case) for case in CASES])
    write(root / "configs/recipes/words.yaml", RECIPE)
    write(root / "configs/benchmarks/village.yaml", BENCHMARK)
    return root


def labelled(case: Mapping[str, Any]) -> dict[str, Any]:
    """A case with its label: graded, where there is one."""
    gold = GOLD.get(case["case_id"])
    expected = dict(case.get("expected", {}))
    if gold is not None:
        expected["evidence"] = [{"reference_id": gold, "metadata": {"relevance": 2}}]
    return {**case, "expected": expected}


def write(path: Path, content: str) -> None:
    """A file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    """A file of JSON lines."""
    write(path, "".join(json.dumps(row) + "\n" for row in rows))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
