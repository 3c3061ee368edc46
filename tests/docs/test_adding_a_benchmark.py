"""The guide "Adding a benchmark", followed step by step in a copy of the repository, and from an outside package."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from model_server import LocalServer

BLOCK = re.compile(r'^```(?P<language>\w+) title="(?P<title>[^"]+)"\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL)
OFFLINE_RUN_FILE = "configs/runs/testing/example_offline.yaml"
KEY = "a-dummy-key"


class Walked(NamedTuple):
    """A copy of the repository in which the guide was followed up to its reports, and the endpoint that answered."""

    copy: Path
    server: LocalServer


def _blocks(repository: Path) -> dict[str, str]:
    guide = (repository / "docs/guides/adding_a_benchmark.md").read_text(encoding="utf-8")
    return {match["title"]: match["body"] for match in BLOCK.finditer(guide)}


def _copy(repository: Path, target: Path) -> Path:
    keep_out = shutil.ignore_patterns(
        ".git", ".venv", "results", "site", "dist", "__pycache__", ".*_cache", ".hypothesis"
    )
    shutil.copytree(repository, target, ignore=keep_out)
    return target


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{file}: nothing like {old!r}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def _wire(copy: Path) -> None:
    """Step 3, by its words: import, union, branch, ``__all__``, and the two re-exports."""
    factory = copy / "src/heams/benchmarks/factory.py"
    names = "ExampleBenchmark, ExampleBenchmarkConfig"
    _edit(
        factory,
        "from heams.benchmarks.jsonl_qa",
        f"from heams.benchmarks.example import {names}\nfrom heams.benchmarks.jsonl_qa",
    )
    _edit(factory, "    LocomoBenchmarkConfig\n", "    ExampleBenchmarkConfig\n    | LocomoBenchmarkConfig\n")
    branch = "        case ExampleBenchmarkConfig():\n            return ExampleBenchmark(config)\n"
    _edit(factory, "        case LocomoBenchmarkConfig():\n", f"{branch}        case LocomoBenchmarkConfig():\n")
    _edit(factory, "__all__ = [\n", '__all__ = [\n    "ExampleBenchmark",\n    "ExampleBenchmarkConfig",\n')
    package = copy / "src/heams/benchmarks/__init__.py"
    _edit(package, "from heams.benchmarks.", f"from heams.benchmarks.example import {names}\nfrom heams.benchmarks.")
    _edit(package, "__all__ = [\n", '__all__ = [\n    "ExampleBenchmark",\n    "ExampleBenchmarkConfig",\n')


def _run(copy: Path, *arguments: str, paths: tuple[Path, ...] = (), env: Mapping[str, str] | None = None) -> str:
    source = os.pathsep.join(str(path) for path in (*paths, copy / "src"))
    keyless = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    environment = {**keyless, "PYTHONPATH": source, **(env or {})}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _heams(block: str) -> list[str]:
    """A command of the guide, with this interpreter in place of ``uv run heams``."""
    words = block.split()
    assert words[:3] == ["uv", "run", "heams"]
    return ["-c", "from heams.cli.main import main; main()", *words[3:]]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walked]:
    """Every file and command of the guide, with a local endpoint in the place of OpenAI's."""
    repository = Path(__file__).parents[2]
    copy = _copy(repository, tmp_path_factory.mktemp("walk") / "repository")
    blocks = _blocks(repository)
    for title, body in blocks.items():
        if "/" in title and not title.startswith("heams_example"):
            (copy / title).parent.mkdir(parents=True, exist_ok=True)
            (copy / title).write_text(body, encoding="utf-8")
    _wire(copy)
    replies = {"rules": [{"user": "legs does a spider", "reply": "8"}], "otherwise": "echo"}
    with LocalServer(brain=replies, api_key=KEY, models=("gpt-4o-mini",)) as server:
        endpoint = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": KEY}
        _run(copy, *_heams(blocks["run"]), env=endpoint)
        _run(copy, *_heams(blocks["report"]))
        _run(copy, *_heams(blocks["run offline"]))
        yield Walked(copy, server)


def _saved_config(experiment: Path) -> dict[str, object]:
    (config_file,) = experiment.glob("experiment_config.*.yaml")
    config: dict[str, object] = yaml.safe_load(config_file.read_text(encoding="utf-8"))
    return config


def _only_result(experiment: Path) -> dict[str, object]:
    (line,) = (experiment / "runs.jsonl").read_text(encoding="utf-8").splitlines()
    result: dict[str, object] = json.loads(line)
    return result


def test_the_run_leaves_the_promised_artifacts(walked: Walked) -> None:
    experiment = walked.copy / "results/example_smoke/gpt4o_mini_no_memory_example"
    config = _saved_config(experiment)
    assert {"run_id", "name", "agent_config", "memory_system_config", "benchmark_config", "provenance"} <= set(config)
    assert config["benchmark_config"]["examples_file"] == "datasets/example/seed.json"
    result = _only_result(experiment)
    assert (result["sample_id"], result["status"]) == ("e1", "completed")
    assert (result["records"][0]["expected"], result["records"][0]["observed"]) == ("8", "8")
    status = json.loads((experiment / "run_status.json").read_text(encoding="utf-8"))
    assert (status["state"], status["finished"], status["total"]) == ("completed", 1, 1)


def test_the_model_was_asked_with_the_tools_of_the_shipped_configuration(walked: Walked) -> None:
    shipped = yaml.safe_load((walked.copy / "configs/agents/testing/gpt4o_mini_tool_use.yaml").read_text())
    (asked,) = walked.server.log.entries
    offered = {tool["function"]["name"]: tool["function"]["description"] for tool in asked.body["tools"]}
    assert asked.body["messages"][0]["content"] == shipped["policy"].strip()
    assert offered == shipped["tools"]
    assert (asked.body["model"], asked.body["temperature"]) == ("gpt-4o-mini", 0)
    assert "How many legs does a spider have?" in asked.body["messages"][1]["content"]


def test_the_key_is_in_no_artifact(walked: Walked) -> None:
    for file in (walked.copy / "results").rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


def test_the_offline_stand_in_needs_no_key(walked: Walked) -> None:
    result = _only_result(walked.copy / "results/example_offline/extractive_no_memory_example")
    assert (result["sample_id"], result["status"]) == ("e1", "completed")


def test_reports_come_only_from_generate_report_and_use_report_info(walked: Walked) -> None:
    results = walked.copy / "results/example_smoke"
    assert "Example" in (results / "gpt4o_mini_no_memory_example/report.md").read_text(encoding="utf-8")
    assert (results / "report.md").is_file()
    assert not list((walked.copy / "results/example_offline").rglob("report.md"))


@pytest.mark.long
def test_the_wiring_tests_and_the_benchmarks_own_test_pass(walked: Walked) -> None:
    tests = ["tests/benchmarks/test_info.py", "tests/benchmarks/example/test_example_benchmark.py"]
    _run(walked.copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


@pytest.mark.long
def test_the_documentation_builds_with_the_new_page(walked: Walked) -> None:
    (walked.copy / "docs/benchmarks/example.md").write_text(
        "# Example\n\nQuestions with one answer.\n", encoding="utf-8"
    )
    _edit(
        walked.copy / "zensical.yml",
        "      - LoCoMo: benchmarks/locomo.md\n",
        "      - LoCoMo: benchmarks/locomo.md\n      - Example: benchmarks/example.md\n",
    )
    zensical = Path(sys.executable).with_name("zensical")
    done = subprocess.run(
        [zensical, "build", "-f", "zensical.yml", "--strict"],
        cwd=walked.copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_the_same_benchmark_works_from_an_outside_package(repository: Path, tmp_path: Path) -> None:
    blocks = _blocks(repository)
    package = tmp_path / "site/heams_example"
    package.mkdir(parents=True)
    config = blocks["src/heams/benchmarks/example/config.py"]
    benchmark = blocks["src/heams/benchmarks/example/benchmark.py"]
    own_import = "from heams.benchmarks.example.config import ExampleBenchmarkConfig\n"
    (package / "benchmark.py").write_text(config + benchmark.replace(own_import, ""), encoding="utf-8")
    (package / "__init__.py").write_text(blocks["heams_example/__init__.py"], encoding="utf-8")
    _install(tmp_path / "site", blocks["pyproject.toml"])

    project = tmp_path / "project"
    for title in ("datasets/example/seed.json", "configs/benchmarks/testing/example_smoke.yaml", OFFLINE_RUN_FILE):
        (project / title).parent.mkdir(parents=True, exist_ok=True)
        (project / title).write_text(blocks[title], encoding="utf-8")
    for kind in ("agents/testing/extractive.yaml", "memory_systems/testing/no_memory.yaml"):
        (project / "configs" / kind).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / "configs" / kind, project / "configs" / kind)

    outside = (repository / "src", tmp_path / "site")
    _run(project, *_heams(blocks["run offline"]), paths=outside)
    _run(project, *_heams(blocks["report"].replace("example_smoke", "example_offline")), paths=outside)
    report = project / "results/example_offline/extractive_no_memory_example/report.md"
    assert "Example" in report.read_text(encoding="utf-8")
    listed = _run(project, *_heams("uv run heams list benchmarks"), paths=outside)
    assert "example" in listed


def _install(site: Path, project_table: str) -> None:
    """What an installer leaves behind for an entry point: a ``.dist-info`` folder beside the package."""
    entry = project_table.strip().splitlines()[-1].replace('"', "")
    info = site / "heams_example-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heams-example\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[heams.benchmarks]\n{entry}\n", encoding="utf-8")
