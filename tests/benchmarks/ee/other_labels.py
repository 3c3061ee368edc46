"""Two streams of ``ee`` with other targets, groups and templates."""

import json
from pathlib import Path
from typing import Any


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration whose problems have these targets and labels, or those."""
    label = {"group": "ZEBRA", "template": "ZEBRA"} if other else {"group": "adding", "template": "sum"}
    phases = ("learn", "learn", "test")
    items = [
        {"id": f"i{n}", "input": f"{n} and 5?", "target": str(n + (500 if other else 5)), "phase": phase, **label}
        for n, phase in enumerate(phases)
    ]
    streams = [
        {"stream_id": name, "task": "aime", "feedback": feedback, "items": items}
        for name, feedback in (("gold", "none"), ("told", "none"))
    ]
    path = folder / "streams.jsonl"
    path.write_text("".join(json.dumps(stream) + "\n" for stream in streams))
    return {
        "streams_file": path,
        "splits": ["plain", "repeat", "isomorphic"],
        "question_prompt": "Solve: {problem}",
        "evaluators": [{"type": "aime"}],
    }
