"""Programs that were written for heta-framework 0.1.2 run unchanged on ours and observe the same, or what is better.

They stand in ``programs/`` and import nothing but the interface. What the published package did was recorded by
running them there (``python -m perf.peer_programs --record``).
"""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_PROGRAMS = Path(__file__).parent / "programs"
_NAMES = (
    "text_to_answer",
    "vector_and_sql_text",
    "graph_and_multihop",
    "parts_alone",
    "evaluation_values",
    "benchmarks_from_files",
    "benchmark_of_units",
)


@pytest.fixture(autouse=True)
def _beside_the_programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Programs import their neighbours, as scripts do."""
    monkeypatch.syspath_prepend(str(_PROGRAMS))
    yield
    for name in ("observing", "offline_models", "expectations", "benchmarks_from_files"):
        sys.modules.pop(name, None)


def _observed(program: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    runpy.run_path(str(_PROGRAMS / f"{program}.py"), run_name="__main__")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("program", _NAMES)
def test_a_program_for_the_published_package_observes_the_same_or_better(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import expectations

    found = _observed(program, capsys)
    assert list(expectations.differences(found, expectations.expected(program))) == []


def test_every_named_improvement_is_one_and_says_why() -> None:
    import expectations

    assert expectations.PROGRAMS == _NAMES
    for program in expectations.PROGRAMS:
        observations = expectations.published(program)
        for difference in expectations.better(program):
            assert difference.apply(observations), f"{program}: the published package does the same at {difference.at}"
            assert len(difference.why) > len("better")


def test_programs_import_nothing_but_the_published_interface() -> None:
    import expectations

    allowed = (
        "heta_framework.kb",
        "heta_framework.evaluation",
        "heta_framework.common.stores",
        "heta_framework.common.models",
    )
    for program in expectations.PROGRAMS:
        lines = (_PROGRAMS / f"{program}.py").read_text("utf-8").splitlines()
        imported = [line.split()[1] for line in lines if line.startswith(("from heta", "import heta"))]
        assert imported
        assert {name for name in imported if not name.startswith(allowed)} == set()
