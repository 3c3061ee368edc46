"""The section "With a model" of the quickstart: its commands, as they stand there, against a local endpoint."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from memory_brains import facts_brain
from model_server import ChatRequest, LocalServer, Reply

from heams.cli.main import main
from heams.orchestration.model_checks import planned_models
from heams.orchestration.resolve import resolve_run_file
from heta_framework.common.models.pricing import has_price

ROOT = Path(__file__).parents[2]
RUN_FILE = "configs/runs/models_quickstart.yaml"
SECTION = (ROOT / "docs/quickstart.md").read_text(encoding="utf-8").split("\n## With a model\n")[1].split("\n## ")[0]
COMMANDS = [
    shlex.split(words) for words in re.findall(r"^ *\$ uv run heams (.*)$", SECTION, re.MULTILINE)
]  # validate, run, generate-report, calibrate-judge
LIMIT = 20

Heams = Callable[..., str]


def brain(request: ChatRequest) -> Reply:
    """A model that plays all three parts."""
    if "<<<events" in request.user:
        return facts_brain(request)
    if request.wants_json:
        return Reply(data={"reason": "It says something else.", "verdict": "incorrect"})
    return Reply(text=request.user.splitlines()[1])  # the first memory


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the repository ships to run, with prices beside each model, as the page says."""
    for folder in ("configs", "datasets"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (prices,) = re.findall(r"^prices: \{.*?\}", SECTION, re.MULTILINE)
    for file in set(re.findall(r"`(configs/(?:agents|memory_systems|benchmarks)/\S+\.yaml)`", SECTION)):
        text = (tmp_path / file).read_text(encoding="utf-8")
        before, indent, model, after = re.split(r"^([ -]*)(model: .*\n)", text, flags=re.MULTILINE)
        (tmp_path / file).write_text(f"{before}{indent}{model}{' ' * len(indent)}{prices}\n{after}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def heams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Heams:
    """Calls a command, expects it to end well, and returns what it printed."""

    def call(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["heams", *words])
        with pytest.raises(SystemExit) as ending:
            main()
        said = capsys.readouterr()
        assert not ending.value.code, said.err
        return said.out

    return call


def _lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for file in folder.glob(f"*/{name}"):
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def test_every_model_has_a_list_price_so_that_the_cost_can_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    models = planned_models(resolve_run_file(ROOT / RUN_FILE).experiments)
    assert len(models) == 3
    assert all(has_price(model.endpoint) for model in models)


def test_the_judge_is_that_of_the_calibration() -> None:
    (judge,) = [
        evaluator
        for evaluator in yaml.safe_load((ROOT / "configs/benchmarks/locomo_mini_judged.yaml").read_bytes())[
            "evaluators"
        ]
        if evaluator["type"] == "llm_judge"
    ]
    calibrated = COMMANDS[3][COMMANDS[3].index("--judge") + 1]
    assert judge == yaml.safe_load((ROOT / calibrated).read_bytes())


def test_the_commands_do_what_the_page_says(
    openai_server: Callable[..., LocalServer], project: Path, heams: Heams
) -> None:
    server = openai_server(brain=brain)
    validate, run, report, calibrate = COMMANDS
    assert "price: known" in heams(*validate)
    said = _in_one_line(heams(*run))
    assert f"Together: {server.summary().whole.calls} model calls" in said
    assert re.search(r"facts 0\.\d+ \(answering 0\.\d+, judging 0\.\d+, ingestion 0\.\d+\)", said)
    assert "judge_lenient is judged by openai:gpt-4o-mini under the policy lenient" in said
    assert "uncalibrated" in said

    output = project / "results/models_quickstart"
    results = list(_lines(output, "runs.jsonl"))
    assert len(results) == 3 * LIMIT
    assert {result["status"] for result in results} == {"completed"}
    used = [usage for line in (*results, *_lines(output, "ingests.jsonl")) for usage in line["usage"].values()]
    assert 0 < sum(usage["cost_usd"] for usage in used) < 1
    shown = re.search(r"about one conversation: at most (\d+) calls", SECTION)
    assert shown is not None
    assert sum(usage["calls"] + usage["cache_hits"] for usage in used) == int(shown[1])

    heams(*report)
    page = (output / "report.md").read_text(encoding="utf-8")
    assert "| judge_lenient |" in page
    assert re.search(r"\| facts \| ingestion \| memory \| \d+ \|", page)

    heams(*calibrate)
    assert (project / "calibration.json").is_file()


def test_a_second_run_with_the_calibration_pays_nothing_and_says_how_good_the_judge_is(
    openai_server: Callable[..., LocalServer], project: Path, heams: Heams
) -> None:
    server = openai_server(brain=brain)
    _, run, _, calibrate = COMMANDS
    few = [*run[: run.index("--limit")], "--limit", "2", *run[run.index("--limit") + 2 :]]
    heams(*few)
    heams(*calibrate, "--n", "20")
    calls = server.summary().whole.calls
    file = project / "configs/benchmarks/locomo_mini_judged.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("policy: lenient\n", "policy: lenient\n    calibration_file: calibration.json\n"))
    again = ["results/again" if word.startswith("results/") else word for word in few]
    said = _in_one_line(heams(*again))
    assert server.summary().whole.calls == calls
    assert "calibrated on locomo_mini: false accept" in said
    assert "uncalibrated" not in said
