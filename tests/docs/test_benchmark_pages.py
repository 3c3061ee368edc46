"""The pages of the benchmarks: each names every field of its configuration, and what it shows can be played."""

import re
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel, TypeAdapter

from heams.benchmarks.factory import BenchmarkConfig, create_benchmark

_ROOT = Path(__file__).parents[2]
_CONFIGS: dict[str, type[BaseModel]] = {
    one.model_fields["type"].default: one for one in get_args(get_args(BenchmarkConfig)[0])
}


def _page(benchmark: str) -> str:
    return (_ROOT / f"docs/benchmarks/{benchmark}.md").read_text(encoding="utf-8")


def _configuration(benchmark: str) -> str:
    return str(re.findall(r"^```yaml\n(type: .*?)^```$", _page(benchmark), flags=re.MULTILINE | re.DOTALL)[0])


@pytest.mark.parametrize("benchmark", sorted(_CONFIGS))
def test_every_field_is_named(benchmark: str) -> None:
    page = _page(benchmark)
    assert [name for name in _CONFIGS[benchmark].model_fields if name != "type" and f"`{name}`" not in page] == []


def _examples(benchmark: str) -> list[str]:
    """What stands under "Your own ..." as JSON."""
    own = _page(benchmark).partition("\n## Your own ")[2].partition("\n## ")[0]
    return re.findall(r"^```json\n(.*?)^```$", own, flags=re.MULTILINE | re.DOTALL)


def _own_files(benchmark: str, folder: Path) -> dict[str, object]:
    """The examples of a page as the files that it says, and the settings that name them."""
    first, *more = _examples(benchmark)
    known: dict[str, tuple[list[str], dict[str, object]]] = {
        "beam": (
            ["own/1/chat.json", "own/1/probing_questions/probing_questions.json"],
            {"data_dir": folder, "size": "own"},
        ),
        "gatemem": (
            ["own/episodes.jsonl", "own/checkpoints.jsonl"],
            {"data_dir": folder, "domains": ["own"], "policies": {"own": "Ask the board."}},
        ),
        "locomo": (["own.json"], {"data_file": folder / "own.json"}),
        "longmemeval": (["own.json"], {"data_file": folder / "own.json"}),
        "retention_policy": (["own.jsonl"], {"data_file": folder / "own.jsonl"}),
        "transparency": (["own.jsonl"], {"data_file": folder / "own.jsonl"}),
    }
    files, settings = known[benchmark]
    listed = f"[{first}]" if benchmark in ("locomo", "longmemeval") else first
    for name, text in zip(files, (listed, *more), strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return settings


@pytest.mark.parametrize(
    ("benchmark", "shipped", "samples"),
    [
        ("beam", "beam", 2),
        ("gatemem", "gatemem", 1),
        ("locomo", "locomo_mini", 2),
        ("longmemeval", "longmemeval", 1),
        ("retention_policy", "retention_policy", 1),
        ("transparency", "transparency", 1),
    ],
)
def test_what_is_shown_as_data_of_your_own_is_such_data(
    benchmark: str, shipped: str, samples: int, tmp_path: Path
) -> None:
    given = yaml.safe_load((_ROOT / f"configs/benchmarks/{shipped}.yaml").read_text("utf-8"))
    config = _CONFIGS[benchmark].model_validate({**given, **_own_files(benchmark, tmp_path)})
    found = create_benchmark(TypeAdapter(BenchmarkConfig).validate_python(config))
    assert [sample.evaluators != [] for sample in found.samples] == [True] * samples
    assert list(found.skipped) == []


@pytest.mark.parametrize("benchmark", ["retention_policy", "transparency"])
def test_the_configuration_is_one(benchmark: str) -> None:
    given = yaml.safe_load(_configuration(benchmark))
    config = _CONFIGS[benchmark].model_validate({**given, "data_file": _ROOT / given["data_file"]})
    assert len(create_benchmark(TypeAdapter(BenchmarkConfig).validate_python(config)).samples) >= 10
