"""`heams compare`: what it prints, its exit codes, gates, JSON and Markdown, whole runs, and mistakes."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import heams as package

Heams = Callable[..., tuple[int, str, str]]
QUESTIONS = 12
FILES = {
    "configs/agents/right.yaml": "type: scripted\ndefault: kettle\n",
    "configs/agents/wrong.yaml": "type: scripted\ndefault: pot\n",
    "configs/memory_systems/none.yaml": "type: no_memory\n",
    "configs/benchmarks/mine.yaml": (
        "type: jsonl_qa\ndata_file: data/mine.jsonl\nquestion_prompt: '{question}'\n"
        "evaluators:\n  - type: task_qa\n    match_mode: contains\n"
    ),
    "configs/runs/mine.yaml": (
        "run_name: mine\nmatrix:\n  agents: [right.yaml, wrong.yaml]\n  memory_systems: [none.yaml]\n"
        "  benchmarks: [mine.yaml]\n"
    ),
}


class Played(NamedTuple):
    """Two experiments on the same questions: all answers right, and all wrong."""

    root: Path
    right: Path
    wrong: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Results of a small run, to be read only."""
    root = tmp_path_factory.mktemp("compare")
    rows = [
        {"id": f"q{n}", "question": f"What is {n}?\x1b[31m", "answer": "kettle", "tags": {"half": str(n % 2)}}
        for n in range(QUESTIONS)
    ]
    data = {"data/mine.jsonl": "".join(json.dumps(row) + "\n" for row in rows)}
    for name, content in {**FILES, **data}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    package.run(root / "configs/runs/mine.yaml", root / "results")
    return Played(root / "results", *(root / f"results/{name}__none__mine" for name in ("right", "wrong")))


@pytest.fixture(autouse=True)
def terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_a_worse_experiment_is_called_so(heams: Heams, played: Played) -> None:
    code, out, err = heams("compare", played.wrong, played.right, "--different", "1")
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert 'agent: default is "pot" in A and "kettle" in B.' in words
    assert "contains: B is better by 100.0 points (p < 0.001, 12 pairs)." in words
    assert "contains 12 0.000 1.000 +1.000 — < 0.001 B better" in words
    assert "Passed by both 0, by A alone 0, by B alone 12, by neither 0." in words
    assert "There is no interval: all pairs differ by the same." in words
    assert "most improved A B A was B was" in words
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_a_gate_that_fails_gives_exit_code_1_and_says_by_how_much(heams: Heams, played: Played) -> None:
    code, out, _ = heams("compare", played.right, played.wrong, "--fail-if", "delta < -0.02", "--fail-if", "n < 3")
    assert code == 1
    assert "gate FAILED: fail if delta < -0.02: delta is -1, 0.98 beyond -0.02\n" in out
    assert "gate held: fail if n < 3: n is 12\n" in out
    assert out.splitlines()[-1].startswith("gate FAILED"), "where a log ends"


def test_a_gate_that_holds_gives_exit_code_0(heams: Heams, played: Played) -> None:
    gate = "contains.delta < -0.02 and upper < 0"
    code, out, _ = heams("compare", played.right, played.right, "--fail-if", gate)
    assert code == 0
    assert "A and B are the same run." in out
    assert f"gate held: fail if {gate}: contains.delta is 0\n" in out


def test_a_gate_that_cannot_be_told_fails(heams: Heams, played: Played) -> None:
    code, out, _ = heams("compare", played.right, played.right, "--fail-if", "lower < -0.02")
    assert code == 1
    assert "lower cannot be told: there is no interval, because all pairs have the same value on both sides" in out


def test_json_on_standard_output_is_alone_there(heams: Heams, played: Played) -> None:
    code, out, err = heams("compare", played.right, played.wrong, "--json", "-", "--by", "half", "--fail-if", "p < 1")
    assert code == 1
    report = json.loads(out)
    (line,) = report["comparisons"]
    (metric,) = line["metrics"]
    assert (metric["n"], metric["delta"], metric["outcome"], metric["interval"]) == (QUESTIONS, -1, "worse", None)
    assert metric["two_by_two"] == {"both": 0, "only_a": QUESTIONS, "only_b": 0, "neither": 0}
    assert [(group["value"], group["n"]) for group in metric["groups"]] == [("0", 6), ("1", 6)]
    assert (report["failed"], line["gates"][0]["failed"]) == (True, True)
    assert err.startswith("gate FAILED")


def test_markdown_and_a_json_file(heams: Heams, played: Played, tmp_path: Path) -> None:
    file = tmp_path / "new/report.json"
    options = ("--markdown", "--json", file, "--different", "1", "--by", "half", "--fail-if", "n > 0")
    code, out, _ = heams("compare", played.wrong, played.right, *options)
    assert code == 1
    assert out.startswith("## wrong__none__mine (A) and right__none__mine (B)\n")
    assert "| contains | 12 | 0.000 | 1.000 | +1.000 |" in out
    assert "### Most improved" in out
    assert "- failed: fail if n &gt; 0 (wrong__none__mine: n is 12, 12 beyond 0)" in out
    assert json.loads(file.read_text())["comparisons"][0]["different"]["improved"][0]["value_b"] == 1


def test_whole_runs_are_compared_line_by_line(heams: Heams, played: Played, tmp_path: Path) -> None:
    shutil.copytree(played.right, tmp_path / "b/right__none__mine")
    shutil.copytree(played.wrong, tmp_path / "b/other")
    shutil.copytree(played.right, tmp_path / "b/third")
    config = next((tmp_path / "b/third").glob("experiment_config.*.yaml"))
    config.write_text(config.read_text().replace("agent: right", "agent: third"))
    code, out, _ = heams("compare", played.root, tmp_path / "b", "--fail-if", "delta < 0")
    assert code == 0
    words = " ".join(out.split())
    assert "right__none__mine: contains 12 1.000 1.000 0.000 — 1 alike" in words
    assert "Only in B: third." in words
    assert out.count("gate held:") == 2
    code, _, err = heams("compare", played.root, tmp_path / "b", "--by", "half")
    assert code == 2
    assert "--by looks into one comparison, and these are 2" in err
    assert heams("compare", played.wrong, tmp_path / "b")[0] == 0


def test_two_runs_of_one_experiment(heams: Heams, played: Played, tmp_path: Path) -> None:
    folder = tmp_path / "one"
    shutil.copytree(played.right, folder)
    old = next(folder.glob("experiment_config.*.yaml"))
    run_id = old.name.split(".")[1]
    newer = f"9{run_id[1:]}"
    old.with_name(old.name.replace(run_id, newer)).write_text(old.read_text().replace(run_id, newer))
    with (folder / "runs.jsonl").open("a") as file:
        file.write((played.wrong / "runs.jsonl").read_text().replace(_run_id(played.wrong), newer))
    code, out, _ = heams("compare", folder, "--run-a", run_id)
    assert code == 0
    assert "Agent and memory system have the same settings in A and B." in out
    assert "B is worse by 100.0 points" in out
    code, _, err = heams("compare", folder, "--run-b", run_id[:-1])
    assert code == 2
    assert f"no run {run_id[:-1]}; did you mean {run_id}?" in err


def _run_id(folder: Path) -> str:
    return next(folder.glob("experiment_config.*.yaml")).name.split(".")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{right}",), "name a second folder to compare with, or two runs of this one with --run-a and --run-b"),
        (("{root}/rigt__none__mine", "{right}"), "no such folder; did you mean '{right}'?"),
        (("{right}", "{right}", "--metric", "contain"), "no metric on both sides is called 'contain'; did you mean"),
        (("{right}", "{right}", "--fail-if", "delta << 1"), "at character 8: expected a number\n  delta << 1\n"),
        (("{right}", "{right}", "--fail-if", "f1.n < 1"), "names a metric that is not on both sides; it names f1"),
        (("{right}", "{right}", "--allow", "data,budge"), "called 'budge'; did you mean 'budget'?"),
    ],
)
def test_mistakes_are_answered_with_what_is_possible(
    heams: Heams, played: Played, arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = heams("compare", *(argument.format(**played._asdict()) for argument in arguments))
    assert (code, out) == (2, "")
    assert said.format(**played._asdict()) in err


def test_folders_with_nothing_in_common_are_refused_with_a_hint(heams: Heams, played: Played, tmp_path: Path) -> None:
    shutil.copytree(played.wrong, tmp_path / "wrong__none__stale")
    shutil.copytree(played.wrong, tmp_path / "wrong__none__mine")
    config = next((tmp_path / "wrong__none__stale").glob("experiment_config.*.yaml"))
    config.write_text(config.read_text().replace("type: jsonl_qa", "type: stale"))
    code, _, err = heams("compare", played.right, tmp_path / "wrong__none__stale")
    assert code == 2
    assert "nothing in common: right__none__mine was made with the benchmark jsonl_qa" in err
    assert f"did you mean '{tmp_path / 'wrong__none__mine'}'?" in err
    _, _, err = heams("compare", tmp_path / "wrong__none__mine", tmp_path / "wrong__none__stale")
    assert "nothing in common" in err
    assert "did you mean" not in err, "A beside itself is no comparison"
