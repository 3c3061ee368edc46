"""`import heams` and `heams --help` load none of the heavy libraries."""

import subprocess
import sys

import pytest

HEAVY = (
    "numpy",
    "duckdb",
    "scipy",
    "tantivy",
    "wordllama",
    "nltk",
    "pooch",
    "httpx",
    "pydantic_ai",
    "starlette",
    "jinja2",
    "altair",
    "vl_convert",
)


@pytest.mark.parametrize(
    ("what", "forbidden"),
    [
        ("import heams", (*HEAVY, "pydantic", "rich", "typer")),
        ("import heams.cli.main", (*HEAVY, "pydantic")),
        ("import heams.benchmarks, heams.evaluation, heams.orchestration.run", HEAVY),
        ("import heams.agents.factory, heams.memory.factory", HEAVY),
    ],
)
def test_heavy_libraries_stay_out(what: str, forbidden: tuple[str, ...]) -> None:
    script = f"{what}\nimport sys\nprint([name for name in {forbidden!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
