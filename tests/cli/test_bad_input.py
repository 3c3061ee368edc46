"""A user's mistake: exit code 2, the place, what was found, what is allowed; never a traceback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Heams = Callable[..., tuple[int, str, str]]


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("configs/runs/mine.yaml", "run_name: mine", "run_nam: mine", ["mine.yaml:1", "run_nam", "'run_name'"]),
        ("configs/runs/mine.yaml", "[words.yaml]", "[word.yaml]", ["mine.yaml:3", "'word.yaml'", "'words.yaml'"]),
        ("configs/runs/mine.yaml", "run_name: mine", "run_name: ../mine", ["mine.yaml:1", "run_name"]),
        ("configs/runs/mine.yaml", "matrix:", "matrix:\n  repeats: 0", ["mine.yaml:3", "repeats", "0"]),
        ("configs/runs/mine.yaml", "matrix:", "matrix: [", ["mine.yaml"]),
        ("configs/agents/words.yaml", "scripted", "scriptd", ["words.yaml:1", "scriptd", "'scripted'"]),
        ("configs/agents/words.yaml", "default:", "defalt:", ["words.yaml:2", "defalt", "'default'"]),
        ("configs/agents/words.yaml", "kettle", "${NOT_SET_HERE}", ["words.yaml:2", "NOT_SET_HERE"]),
        ("configs/benchmarks/mine.yaml", "mine.jsonl", "mien.jsonl", ["mine.yaml:2", "data_file", "'mine.jsonl'"]),
        ("configs/benchmarks/mine.yaml", "contains", "contain", ["mine.yaml:6", "match_mode", "'contains'"]),
        ("configs/benchmarks/mine.yaml", "question_prompt: '{question}'\n", "", ["mine.yaml", "question_prompt"]),
        ("data/mine.jsonl", '"id": "q1"', '"id": "q0"', ["q0", "mine.jsonl"]),
        ("data/mine.jsonl", '"answer": "kettle"}\n{"id": "q2"', '"answ', ["mine.jsonl", "2"]),
    ],
)
def test_mistakes_are_named_with_their_place(
    project: Path, heams: Heams, file: str, old: str, new: str, told: list[str]
) -> None:
    _edit(project / file, old, new)
    for command in (["validate"], ["run", "--output-dir", "out", "--plain"]):
        code, out, err = heams(*command, "--config", project / "configs/runs/mine.yaml")
        assert code == 2, out + err
        assert "Traceback" not in err
        for part in told:
            assert part in err, err


def test_an_empty_data_set_is_an_error(project: Path, heams: Heams) -> None:
    (project / "data/mine.jsonl").write_text("", encoding="utf-8")
    code, _, err = heams("run", "--config", project / "configs/runs/mine.yaml", "--output-dir", "out", "--plain")
    assert code == 2
    assert "mine.jsonl" in err


def test_a_run_file_that_is_not_there(project: Path, heams: Heams) -> None:
    code, _, err = heams("run", "--config", project / "configs/runs/mime.yaml")
    assert code == 2
    assert "mine.yaml" in err


def test_an_output_folder_that_cannot_be_written(project: Path, heams: Heams, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    out = tmp_path / "file/out"
    code, _, err = heams("run", "--config", project / "configs/runs/mine.yaml", "--output-dir", out, "--plain")
    assert code == 2
    assert "cannot write" in err


def test_an_unknown_experiment_name(project: Path, heams: Heams) -> None:
    code, _, err = heams(
        "run", "--config", project / "configs/runs/mine.yaml", "--only", "words__none__mien", "--plain"
    )
    assert code == 2
    assert "'words__none__mine'" in err


def test_results_that_are_not_there(heams: Heams, tmp_path: Path) -> None:
    code, _, err = heams("generate-report", tmp_path)
    assert code == 2
    assert "no results" in err


def test_several_mistakes_are_told_at_once(project: Path, heams: Heams) -> None:
    _edit(project / "configs/agents/words.yaml", "default:", "defalt:")
    _edit(project / "configs/benchmarks/mine.yaml", "contains", "contain")
    code, _, err = heams("validate", "--config", project / "configs/runs/mine.yaml")
    assert code == 2
    assert "defalt" in err
    assert "match_mode" in err


def test_sample_ids_may_hold_anything(project: Path, heams: Heams, tmp_path: Path) -> None:
    ids = ["../../x", "a/b", "..", "\u202eabc", "x" * 5000, "\U0001f600"]
    rows = [{"id": name, "question": "What?", "answer": "kettle"} for name in ids]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (project / "data/mine.jsonl").write_text(text, encoding="utf-8")
    code, _, err = heams("run", "--config", project / "configs/runs/mine.yaml", "--output-dir", "out", "--plain")
    assert code == 0, err
    lines = (tmp_path / "elsewhere/out/words__none__mine/runs.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["sample_id"] for line in lines) == sorted(ids)
    assert not list(tmp_path.glob("x*"))


def test_a_folder_of_data_that_no_variable_names(project: Path, heams: Heams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEAMS_DATA_DIR", raising=False)
    _edit(project / "configs/benchmarks/mine.yaml", "data/mine.jsonl", "${HEAMS_DATA_DIR}/locomo_audit/errors.json")
    run_file = project / "configs/runs/mine.yaml"
    code, _, err = heams("validate", "--config", run_file)
    assert code == 2
    assert "`heams datasets fetch locomo_audit` fetches the data and prints what to set HEAMS_DATA_DIR to" in err
    _edit(project / "configs/benchmarks/mine.yaml", "locomo_audit/errors.json", "mine.jsonl")
    assert "`heams datasets fetch NAME`" in heams("validate", "--config", run_file)[2]
    _edit(project / "configs/benchmarks/mine.yaml", "HEAMS_DATA_DIR", "HEAMS_OTHER_DIR")
    assert "datasets fetch" not in heams("validate", "--config", run_file)[2]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("type: locomo\ndata_file: x\n", "the file of a benchmark (type 'locomo'), and a run file is expected; a run"),
        ("type: extractive\n", "the file of an agent (type 'extractive')"),
        ("type: lexical\n", "a run file names it under 'matrix: memory_systems:'"),
        ("type: llm_judge\n", "it belongs under 'evaluators' of a benchmark"),
    ],
)
def test_another_file_in_the_place_of_a_run_file(project: Path, heams: Heams, text: str, told: str) -> None:
    (project / "configs/other.yaml").write_text(text, encoding="utf-8")
    code, _, err = heams("validate", "--config", project / "configs/other.yaml")
    assert code == 2
    assert told in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("text", ["type: [locomo]\n", "type: nothing\n", "type: locomo\nrun_name: x\n", "[]\n"])
def test_a_wrong_run_file_is_one_all_the_same(project: Path, heams: Heams, text: str) -> None:
    (project / "configs/other.yaml").write_text(text, encoding="utf-8")
    code, _, err = heams("validate", "--config", project / "configs/other.yaml")
    assert code == 2
    assert "seems to be" not in err
    assert "Traceback" not in err
