"""One preference of ``prefeval`` whose right option is another one.

Of the options the first is right, so another gold is another order of the file; the official order of what is shown
undoes just that here.
"""

import json
from pathlib import Path
from typing import Any

_QUESTION = {"preference": "I only drink tea.", "question": "What shall I drink?"}
_OPTIONS = ["Drink black tea.", "Drink cold milk."]
_FILLER = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello to you."}]


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration in which this option is right, or the other; ``seed`` 0 swaps two options, 2 leaves them."""
    options = _OPTIONS[::-1] if other else _OPTIONS
    written = {
        "explicit_preference/drinks.json": [_QUESTION],
        "mcq_options/drinks.json": [{**_QUESTION, "classification_task_options": options}],
        "filtered_inter_turns.json": [{"conversation": _FILLER}],
    }
    for name, content in written.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))
    return {
        "data_dir": folder,
        "forms": ["explicit"],
        "filler_turns": 1,
        "option_order": "official",
        "seed": 0 if other else 2,
        "prompts": {"choice": "{question}\n{options}", "option": "({letter}) {text}", "generation": "{question}"},
        "evaluators": [{"type": "multiple_choice"}],
    }
