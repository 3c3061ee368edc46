"""gatemem from the shipped run file to its roll-up: the official names, in their direction, for every memory."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from heams.api import run
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports

_CONFIGS = Path(__file__).parents[3] / "configs"
_RULES = {"retention": {}, "access": {"everybody": ["front_desk"]}}


@pytest.fixture(scope="module")
def rollup(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The roll-up of one episode, heard by no memory, by one without rules, and by one that keeps them."""
    root = tmp_path_factory.mktemp("project")
    components: dict[str, dict[str, dict[str, Any]]] = {
        "agents": {"extractive.yaml": {"type": "extractive"}},
        "memory_systems": {
            "nothing.yaml": {"type": "no_memory"},
            "open.yaml": {"type": "lexical"},
            "ruled.yaml": {"type": "lexical", **_RULES},
        },
        "benchmarks": {"gatemem.yaml": _smoke()},
    }
    for kind, files in components.items():
        folder = root / "configs" / kind
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_text(yaml.safe_dump(content))
    matrix = {kind: list(files) for kind, files in components.items()}
    run({"run_name": "gatemem", "matrix": matrix}, root / "results", root=root)
    (written,) = write_benchmark_rollup_reports(root / "results")
    return written.read_text()


def _smoke() -> dict[str, Any]:
    config: dict[str, Any] = yaml.safe_load((_CONFIGS / "benchmarks" / "testing" / "gatemem_smoke.yaml").read_text())
    return {**config, "data_dir": str(_CONFIGS.parent / config["data_dir"])}


def _row(rollup: str, section: str, *cells: str) -> list[str]:
    """The first row of a section whose first cells are these, without them."""
    table = rollup.partition(f"### {section}\n")[2].partition("###")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")
    ]
    return next(row[len(cells) :] for row in rows if row[: len(cells)] == list(cells))


def test_a_memory_counts_for_use_and_for_what_it_keeps(rollup: str) -> None:
    header = _row(rollup, "Governance", "memory system", "reference")
    nothing, naive, ruled = (
        dict(zip(header, _row(rollup, "Governance", name)[1:], strict=True)) for name in ("nothing", "open", "ruled")
    )
    assert (nothing["MGS"], nothing["U"], nothing["OR"], nothing["A"], nothing["F"]) == (
        "0.000",
        "0.000",
        "1.000",
        "0.000",
        "0.000",
    )
    assert float(naive["U"]) > 0.5
    assert float(naive["A"]) > 0.5
    assert float(ruled["A"]) == float(ruled["F"]) == 0
    assert float(nothing["MGS"]) <= float(naive["MGS"]) < float(ruled["MGS"]) == float(ruled["U"])


def test_rates_are_given_by_domain_attack_and_rule(rollup: str) -> None:
    assert _row(rollup, "By domain", "clinic", "nothing")[1:] == ["0.000", "0.000", "1.000", "0.000", "0.000"]
    assert _row(rollup, "A by kind of attack", "attack") == ["n", "nothing", "open", "ruled"]
    assert _row(rollup, "A by kind of attack", "family overreach") == ["1", "0.000", "1.000", "0.000"]
    assert _row(rollup, "F by kind of attack", "confirm yes no")[:2] == ["1", "0.000"]
    assert _row(rollup, "By rule", "official", "nothing")[1:] == ["0.000", "0.000", "0.000", "0.000", "4", "2"]
    assert _row(rollup, "By rule", "without asked targets", "nothing")[5:] == ["4", "1"]
    assert "MGS = U(1-A)(1-F)" in rollup


def test_what_a_memory_hands_over_is_scored_without_its_reader(rollup: str) -> None:
    section = "What the memory handed over"
    header = _row(rollup, section, "memory system", "reference")
    naive, ruled = (
        dict(zip(header, map(float, _row(rollup, section, name)[1:]), strict=True)) for name in ("open", "ruled")
    )
    assert (naive["U context"], naive["A context"], naive["F context"]) == (1, 1, 1)
    assert naive["MGS context"] == naive["MGS end to end"] == 0
    assert ruled["A context"] == ruled["F context"] == ruled["A end to end"] == 0
    assert ruled["MGS context"] == ruled["U context"] > 0.5
