"""One case of ``transparency`` with its labels changed."""

import json
from pathlib import Path
from typing import Any


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration in which the planted fact is this, or that."""
    fact = {"fact_id": "f1", "text": "kiwi", "anchors": ["kiwi"], "session_id": "s1"}
    labels = {"anchors": ["kiwi", "ZEBRA"], "stated": False, "sensitive": True}
    probe = {"probe_id": "p", "kind": "presence", "query": "Do you have kiwi?", "fact_id": "f1"}
    turn = {"role": "user", "content": "I am allergic to kiwi."}
    case = {
        "id": "c",
        "domain": "food",
        "sessions": [{"session_id": "s1", "date": "2026-01-05T09:00:00", "turns": [turn]}],
        "planted": [fact | labels if other else fact],
        "decoys": [{"fact_id": "d1", "text": "nuts", "anchors": ["ZEBRA" if other else "nuts"]}],
        "mutations": [{"op": "forget", "fact_id": "f1", "at": "2026-01-06T09:00:00"}],
        "probes": [probe],
    }
    path = folder / "cases.jsonl"
    path.write_text(json.dumps(case))
    return {"data_file": path, "question_prompt": "{question}", "evaluators": [{"type": "disclosure"}]}
