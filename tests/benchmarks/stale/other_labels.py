"""Two scenarios of ``stale`` with their labels changed: type, uid, states, phrases, evidence and the marks in turns."""

import json
from pathlib import Path
from typing import Any

_PHRASES = {"dim1": {"must_any": ["Oslo"], "must_not": ["Riga"]}, "dim2": {"must_any": ["Oslo"]}}
_FIRST = {"uid": "T1_1", "type": "T1", "M_old": "Riga", "M_new": "Oslo", "explanation": "moved"}
_OTHER = {"uid": "control_ZEBRA", "type": "control", "M_old": "ZEBRA", "M_new": "ZEBRA", "explanation": "ZEBRA"}


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration in which a state has ended, or in which it holds."""
    turn = {"role": "user", "content": "I live in Riga."}
    marks: dict[str, Any] = {"has_answer": "ZEBRA"} if other else {"has_answer": True}
    scenario = {
        **(_OTHER if other else _FIRST),
        "relevant_session_index": [1, 0] if other else [0, 1],
        "timestamps": ["2025-01-01 09:00:00", "2025-02-01 09:00:00"],
        "haystack_session": [[turn | marks], [{"role": "user", "content": "From my window I see Oslo."}]],
        "probing_queries": {"dim1_query": "Where?", "dim2_query": "Where in Riga?", "dim3_query": "Plan."},
        "phrases": {"dim1": {"must_any": ["ZEBRA"], "says": "no"}} if other else _PHRASES,
    }
    path = folder / "scenarios.json"
    path.write_text(json.dumps([scenario]))
    return {"data_file": path, "question_prompt": "{question}", "evaluators": [{"type": "stale"}]}
