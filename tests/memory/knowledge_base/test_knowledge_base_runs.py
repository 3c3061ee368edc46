"""Runs with knowledge bases as memories: from files to results, checked before anything is played."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import heams
from heams.cli.main import main
from heams.orchestration.errors import RunRefused
from heams.orchestration.model_checks import planned_models
from heams.orchestration.resolve import resolve_run_mapping
from heta_framework.common.config import ConfigError, load_yaml

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
RECIPE: dict[str, Any] = {
    "name": "inline",
    "stores": {"objects": "memory", "text_index": "memory"},
    "steps": ["parse_documents", {"split_documents": {"encoding_name": "wordllama"}}, "index_full_text"],
}


@pytest.fixture
def project(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the repository ships to run."""
    for folder in ("configs", "datasets"):
        shutil.copytree(repository / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _memory(recipe: Any = None, mode: str = "full_text_search", **settings: Any) -> dict[str, Any]:
    return {"type": "knowledge_base", "recipe": recipe or RECIPE, "mode": mode, **settings}


def _ingests(output: Path) -> list[dict[str, Any]]:
    (file,) = output.rglob("ingests.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_run_file_plays_knowledge_bases_beside_the_hybrid_memory(project: Path) -> None:
    run_file = "configs/runs/knowledge_bases.yaml"
    names = [experiment.name for experiment in heams.validate(run_file).run.experiments]
    assert len(names) == 3
    results = heams.run(run_file, project / "out", limit=12, only=[name for name in names if "graph" not in name])
    assert {result.status for result in results} == {"completed"}
    rows = results.relation().filter("metric = 'recall@10' AND outcome = 'scored'")
    means = dict(rows.aggregate("memory_system, avg(value)", "memory_system").fetchall())
    assert set(means) == {"hybrid", "knowledge_base"}
    assert means["knowledge_base"] == means["hybrid"] > 0.5


def test_a_knowledge_base_with_a_graph_is_played(questions: Build, one_experiment: Build, project: Path) -> None:
    agent = {"type": "scripted", "default": "x", "recall": True}
    written = load_yaml(project / "configs/memory_systems/knowledge_base_graph.yaml").data
    results = list(heams.run(one_experiment(questions(3, history=6), agent=agent, memory=written), project / "out"))
    assert {result.status for result in results} == {"completed"}
    assert all(result.sample_id.replace("q", "t") in result.transcript[0].recalls[0].ids for result in results)


def test_a_broken_recipe_file_is_named_with_its_line_before_a_run(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = project / "configs/recipes/hybrid.yaml"
    text = recipe.read_text("utf-8").replace("embed_chunks", "embed_chunk")
    recipe.write_text(text, "utf-8")
    line = text[: text.index("embed_chunk:")].count("\n") + 1
    monkeypatch.setattr("sys.argv", ["heams", "validate", "--config", "configs/runs/knowledge_bases.yaml"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code != 0
    said = capsys.readouterr().err
    assert f"hybrid.yaml:{line}: steps.2" in said
    assert "did you mean 'embed_chunks'?" in said


@pytest.mark.parametrize(
    ("memory", "problem"),
    [
        (_memory(query_options={"rrf_k": -1}), r"query_options\.rrf_k: option rrf_k must be a whole number"),
        (_memory(query_options={"rrfk": 5}), r"query_options\.rrfk: no query mode has .*did you mean 'rrf_k'"),
        (_memory(mode="hybrid_search"), r"memory_system_config\.mode: .*serves: full_text_search"),
        (_memory("configs/recipes/nothing.yaml"), r"recipe: no such file or folder"),
        (
            _memory(
                {**RECIPE, "stores": {"objects": {"type": "local", "path": "/srv/objects"}, "text_index": "memory"}}
            ),
            r"recipe\.stores\.objects\.path: found '/srv/objects'; .* relative path",
        ),
        (
            _memory(
                {**RECIPE, "steps": ["parse_documents", {"split_documents": {"chunk_sise": 3}}, "index_full_text"]}
            ),
            r"recipe\.steps\.1\.split_documents\.chunk_sise: .* did you mean 'chunk_size'\?",
        ),
        (_memory({**RECIPE, "stores": {"objects": "memory"}}), r"recipe\.steps\.2: .*stores\.text_index"),
    ],
)
def test_what_cannot_work_is_refused_with_its_field(
    questions: Build, one_experiment: Build, memory: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        heams.validate(one_experiment(questions(1), memory=memory))


def test_a_run_is_not_resumed_under_another_recipe(questions: Build, one_experiment: Build, project: Path) -> None:
    recipe = "configs/recipes/testing/full_text.yaml"
    config = one_experiment(questions(3, history=4), memory=_memory(recipe))
    heams.run(config, project / "out", limit=1)
    heams.run(config, project / "out", limit=2)
    (project / recipe).write_text((project / recipe).read_text("utf-8").replace("wordllama", "characters"), "utf-8")
    with pytest.raises(RunRefused, match="recipe"):
        heams.run(config, project / "out")


def test_a_resumed_run_restores_the_knowledge_base(questions: Build, one_experiment: Build, tmp_path: Path) -> None:
    agent = {"type": "scripted", "default": "x", "recall": True}
    config = one_experiment(questions(3, history=6), agent=agent, memory=_memory())
    heams.run(config, tmp_path / "out", limit=1)
    results = heams.run(config, tmp_path / "out")
    assert [ingest["restored"] for ingest in _ingests(tmp_path / "out")] == [False, True]
    assert _ingests(tmp_path / "out")[0]["tallies"] == {"documents": 6, "issues": 0}
    recalled = {result.sample_id: result.transcript[0].recalls[0].ids[0] for result in results}
    assert recalled == {"q0": "t0", "q1": "t1", "q2": "t2"}


def test_models_of_a_recipe_are_known_before_and_metered_by_what_they_do(
    openai_server: Callable[..., LocalServer], questions: Build, one_experiment: Build, tmp_path: Path
) -> None:
    openai_server(brain={"fixed": '{"queries": ["box"]}'})
    models = {
        "embedding": {"model": "openai:embedder", "prices": {"input": 1.0}},
        "language": {"model": "openai:writer", "prices": {"input": 1.0, "output": 1.0}},
    }
    steps = ["parse_documents", "split_documents", "embed_chunks", "index_vectors", "index_full_text"]
    recipe = {**RECIPE, "models": models, "steps": steps, "stores": {**RECIPE["stores"], "vector": "memory"}}
    agent = {"type": "scripted", "default": "x", "recall": True}
    config = one_experiment(
        questions(2, history=4), agent=agent, memory=_memory(recipe, "heta_rewrite_search"), isolation="fork"
    )
    resolved = resolve_run_mapping(config)
    fields = {model.used.field for model in planned_models(resolved.experiments)}
    assert fields == {"recipe.models.embedding", "recipe.models.language"}
    results = list(heams.run(config, tmp_path / "out"))
    assert {result.status for result in results} == {"completed"}
    (ingest,) = _ingests(tmp_path / "out")
    assert ingest["usage"]["embedding"]["calls"] >= 1
    assert "memory" not in ingest["usage"]
    for result in results:
        assert result.usage["memory"].calls == 1
        assert result.usage["embedding"].calls >= 1


def test_an_address_with_a_password_never_reaches_an_artifact(
    questions: Build, one_experiment: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_URL", "postgresql://ada:sesame-open@127.0.0.1:9/kb")
    stores = {**RECIPE["stores"], "sql": {"type": "postgresql", "url_env": "KB_URL"}}
    config = one_experiment(questions(1), memory=_memory({**RECIPE, "stores": stores}))
    (experiment,) = resolve_run_mapping(config).experiments
    assert "sesame-open" in experiment.memory_system.secrets
    assert "sesame-open" not in str(experiment)
    assert "sesame-open" not in json.dumps(experiment.memory_system.saved)


def test_variables_in_a_recipe_file_count_as_those_of_the_configuration(
    questions: Build, one_experiment: Build, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = project / "configs/recipes/mine.yaml"
    text = (project / "configs/recipes/testing/full_text.yaml").read_text("utf-8")
    recipe.write_text(text.replace("testing_full_text", "${MY_RECIPE}"), "utf-8")
    config = one_experiment(questions(1), memory=_memory("configs/recipes/mine.yaml"))
    monkeypatch.setenv("MY_RECIPE", "renamed")
    (experiment,) = resolve_run_mapping(config).experiments
    assert experiment.memory_system.environment == {"MY_RECIPE": "renamed"}
    assert experiment.memory_system.config.recipe.name == "renamed"  # type: ignore[attr-defined]
