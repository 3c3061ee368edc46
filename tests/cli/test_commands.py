"""The commands, as a user meets them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Heams = Callable[..., tuple[int, str, str]]


def test_run_works_from_any_directory_and_writes_where_it_is_told(project: Path, heams: Heams, tmp_path: Path) -> None:
    code, out, err = heams("run", "--config", project / "configs/runs/mine.yaml", "--output-dir", "out", "--plain")
    assert code == 0, err
    folder = tmp_path / "elsewhere/out/words__none__mine"
    assert len((folder / "runs.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    assert "words__none__mine: 3/3" in err
    assert "1.000" in out
    assert "generate-report" in out


def test_limit_and_only(project: Path, heams: Heams, tmp_path: Path) -> None:
    (project / "configs/memory_systems/words.yaml").write_text("type: lexical\n", encoding="utf-8")
    run_file = project / "configs/runs/mine.yaml"
    text = run_file.read_text(encoding="utf-8").replace("[none.yaml]", "[none.yaml, words.yaml]")
    run_file.write_text(text, encoding="utf-8")
    code, _, err = heams(
        "run", "--config", run_file, "--output-dir", "out", "--plain", "--limit", "2", "--only", "words__words__mine"
    )
    assert code == 0, err
    assert [folder.name for folder in (tmp_path / "elsewhere/out").iterdir() if folder.is_dir()] == [
        "words__words__mine"
    ]
    assert "2/2" in err


def test_validate_shows_the_matrix_and_the_planned_work(project: Path, heams: Heams) -> None:
    code, out, _ = heams("validate", "--config", project / "configs/runs/mine.yaml")
    assert code == 0
    assert "words__none__mine" in out
    assert "3 answers" in out
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("benchmarks", ["locomo", "jsonl_qa"]),
        ("agents", ["extractive", "scripted", "command", "http"]),
        ("memory-systems", ["no_memory", "full_context", "oracle", "lexical", "vector", "hybrid", "command", "http"]),
        ("evaluators", ["task_qa", "locomo_qa", "evidence_recall", "llm_judge"]),
    ],
)
def test_list_names_the_types_with_a_line_each(heams: Heams, kind: str, names: list[str]) -> None:
    code, out, _ = heams("list", kind)
    assert code == 0
    rows = {line.split()[0]: line.split(maxsplit=1)[1:] for line in out.splitlines()}
    assert [name for name in rows if name in names] == names
    assert all(rows.values())


def test_schema_is_json_schema(heams: Heams) -> None:
    code, out, _ = heams("list", "--schema", "locomo")
    assert code == 0
    schema = json.loads(out)
    assert schema["additionalProperties"] is False
    assert "data_file" in schema["properties"]


def test_schema_of_an_unknown_or_ambiguous_type(heams: Heams) -> None:
    code, _, err = heams("list", "--schema", "lokomo")
    assert code == 2
    assert "'locomo'" in err
    code, _, err = heams("list", "--schema", "command")
    assert code == 2
    assert "heams list agents" in err
    assert heams("list", "agents", "--schema", "command")[0] == 0


def test_init_writes_a_project_that_runs_and_never_overwrites(
    heams: Heams, tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = heams("init", tmp_path / "x")
    assert code == 0
    assert "heams run --config configs/runs/first.yaml" in out
    assert heams("init", tmp_path / "x")[0] == 2
    recipe = "configs/recipes/documents.yaml"
    assert (tmp_path / "x" / recipe).read_bytes() == (repository / recipe).read_bytes()
    monkeypatch.chdir(tmp_path / "x")
    code, _, err = heams("run", "--config", "configs/runs/first.yaml", "--output-dir", "results/first", "--plain")
    assert code == 0, err
    assert heams("generate-report", "results/first")[0] == 0
    assert (tmp_path / "x/results/first/report.md").is_file()
    (line,) = (line.strip() for line in out.splitlines() if line.strip().startswith("heams evaluate"))
    code, out, err = heams(*line.split()[1:], "--plain")
    assert code == 0, err
    assert "documents:" in out


def test_datasets_are_listed_with_their_licence(heams: Heams) -> None:
    code, out, _ = heams("datasets", "list")
    assert code == 0
    assert "locomo:" in out
    assert "CC BY-NC 4.0" in out


def test_a_licence_must_be_accepted(heams: Heams, tmp_path: Path) -> None:
    code, _, err = heams("datasets", "fetch", "locomo", "--cache-dir", tmp_path)
    assert code == 2
    assert "--accept-licence" in err
    assert not list(tmp_path.rglob("locomo10.json"))


def test_verify_tells_missing_from_corrupt(heams: Heams, tmp_path: Path) -> None:
    code, out, _ = heams("datasets", "verify", "--cache-dir", tmp_path)
    assert code == 0
    assert "missing" in out
    file = Path(next(line.split(": ", 1)[1] for line in out.splitlines() if "locomo10.json" in line))
    file.parent.mkdir(parents=True)
    file.write_text("[]", encoding="utf-8")
    code, out, _ = heams("datasets", "verify", "locomo", "--cache-dir", tmp_path)
    assert code == 1
    assert "corrupt" in out


def test_version(heams: Heams) -> None:
    code, out, _ = heams("--version")
    assert (code, out.split()[0]) == (0, "heams")
