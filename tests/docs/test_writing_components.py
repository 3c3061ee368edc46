"""The guide "Your own memory system or agent": its packages, installed beside heams, play a run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

import heams

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
RUN_FILE = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _install(site: Path, package: str, group: str, entry: str) -> None:
    info = site / f"{package}-1.0.dist-info"
    info.mkdir(parents=True)
    name = package.replace("_", "-")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry} = {package}:plugin\n", encoding="utf-8")


def test_memory_and_agent_of_the_guide_play_a_run(tmp_path: Path) -> None:
    page = (ROOT / "docs/guides/writing_components.md").read_text(encoding="utf-8")
    site = tmp_path / "site"
    for title, body in BLOCK.findall(page):
        if title.endswith(".py"):
            (site / title).parent.mkdir(parents=True)
            (site / title).write_text(body, encoding="utf-8")
    _install(site, "recent_memory", "heams.memory_systems", "recent")
    _install(site, "first_hit", "heams.agents", "first_hit")
    run_file = RUN_FILE.search(page)
    assert run_file is not None
    run = yaml.safe_load(run_file[1])
    agent_of_guide = {"agent_config": {"type": "first_hit"}, "name": "own_agent"}
    shared = {key: value for key, value in run["experiments"][0].items() if key != "agent_config_file"}
    run["experiments"].append(shared | agent_of_guide)

    script = (
        "import json, sys, heams\n"
        "heams.run(json.loads(sys.argv[1]), sys.argv[2], root=sys.argv[3], limit=3, only=tuple(sys.argv[4:]))\n"
    )
    arguments = [json.dumps(run), str(tmp_path / "out"), str(ROOT), "recent", "own_agent"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT / "src")])}

    def play() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    done = play()
    assert done.returncode == 0, done.stderr
    results = list(heams.load_results(tmp_path / "out"))
    assert len(results) == 6
    assert {result.status for result in results} == {"completed"}
    assert {result.isolation for result in results} == {"fork"}
    assert all(result.transcript[0].recalls for result in results)

    code = site / "recent_memory/__init__.py"
    code.write_text(code.read_text(encoding="utf-8").replace("reversed(self._heard)", "iter(self._heard)"), "utf-8")
    changed = play()
    assert "the configuration of experiment 'recent' changed" in changed.stderr
