"""Judges that compare with an expected answer are asked about categories 1 to 4 only: category 5 has none."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from heams.benchmarks.locomo import LocomoBenchmarkConfig
from heams.benchmarks.locomo.benchmark import LocomoBenchmark

SHOWS_NO_GOLD = {
    "kind": "labels",
    "name": "manners",
    "version": 1,
    "system": "Is the answer polite?",
    "prompt": "{answer}",
    "labels": [{"name": "polite", "value": 1, "passes": True}, {"name": "rude", "value": 0, "passes": False}],
}


@pytest.mark.parametrize(("policy", "judges_traps"), [("strict", False), (SHOWS_NO_GOLD, True)])
def test_which_questions_a_judge_is_asked_about(repository: Path, policy: Any, judges_traps: bool) -> None:
    settings = yaml.safe_load((repository / "configs/benchmarks/locomo_mini.yaml").read_text(encoding="utf-8"))
    judge = {"type": "llm_judge", "judges": [{"model": "openai:judge-1"}], "policy": policy}
    settings |= {"data_file": repository / settings["data_file"], "evaluators": [{"type": "locomo_qa"}, judge]}
    samples = LocomoBenchmark(LocomoBenchmarkConfig.model_validate(settings)).samples
    judged = {
        sample.tags["category"] == "adversarial": any(config.type == "llm_judge" for config in sample.evaluators)  # type: ignore[attr-defined]
        for sample in samples
    }
    assert judged == {False: True, True: judges_traps}
