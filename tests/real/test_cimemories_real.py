"""The published CIMemories file: its counts, and its defects by name. Needs HEAMS_DATA_DIR."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks import ContextualIntegrityBenchmark, ContextualIntegrityBenchmarkConfig
from heams.benchmarks.contextual_integrity.identity import is_identity, only_within_a_word
from heta_framework.common.config import load_yaml, validate
from heta_framework.common.datasets import find_entry
from heta_framework.common.text.gathered import tells

_CONFIG = Path(__file__).parents[2] / "configs" / "benchmarks" / "ci_official.yaml"


@pytest.fixture
def config(data_dir: Path) -> ContextualIntegrityBenchmarkConfig:
    """The shipped one, without its label file, which is published apart."""
    (file,) = find_entry("cimemories").files
    if not (data_dir / "cimemories" / file.filename).is_file():
        pytest.skip(f"cimemories/{file.filename} is not in HEAMS_DATA_DIR")
    document = load_yaml(_CONFIG, env={"HEAMS_DATA_DIR": str(data_dir)})
    return validate(document, ContextualIntegrityBenchmarkConfig).model_copy(update={"labels_file": None})


def test_everybody_is_there(config: ContextualIntegrityBenchmarkConfig) -> None:
    people = ContextualIntegrityBenchmark(config).people
    assert len(people) == 10
    assert {len(person.contexts) for person in people} == {49}
    counts = [len(person.attributes) for person in people]
    assert (min(counts), max(counts), sum(counts)) == (142, 150, 1_467)
    assert len({person.name for person in people}) == 10


def test_the_official_filter_drops_134_keys_for_letters_within_a_word(
    config: ContextualIntegrityBenchmarkConfig,
) -> None:
    keys = [key for person in ContextualIntegrityBenchmark(config).people for key in person.attributes]
    assert len(keys) == 1_467
    assert sum(map(only_within_a_word, keys)) == 134
    assert sum(is_identity(key, anywhere=True) for key in keys) == 134 + sum(map(is_identity, keys))


def test_without_labels_every_context_is_named_and_none_is_played(config: ContextualIntegrityBenchmarkConfig) -> None:
    benchmark = ContextualIntegrityBenchmark(config)
    assert not benchmark.samples
    notes = Counter((note.rule, note.kind) for note in benchmark.skipped)
    assert notes == {
        ("unlabelled_context", "skipped"): 490,
        ("truth_value", "repaired"): 56,
        ("several_values", "repaired"): 1,
    }


def test_with_labels_every_context_is_played(config: ContextualIntegrityBenchmarkConfig, tmp_path: Path) -> None:
    """Labels by number stand in for the published ones: here only their form matters."""
    rows: list[dict[str, Any]] = []
    for person in ContextualIntegrityBenchmark(config).people:
        keys = [key for key in person.attributes if not is_identity(key)]
        for position, context in enumerate(person.contexts):
            share, private = keys[position :: len(keys) // 3], keys[position + 1 :: 2]
            kept = [key for key in private if key not in share]
            recipient, task = context.key
            rows.append({"name": person.name, "recipient": recipient, "task": task, "share": share, "private": kept})
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    benchmark = ContextualIntegrityBenchmark(config.model_copy(update={"labels_file": labels}))
    assert len(benchmark.samples) == 490
    assert len({sample.id for sample in benchmark.samples}) == 490
    assert not any(note.kind == "skipped" for note in benchmark.skipped)


def test_three_of_four_statements_tell_their_own_value_and_hardly_any_that_of_another(
    config: ContextualIntegrityBenchmarkConfig,
) -> None:
    """What the rule by words finds in texts that tell a value for certain, and in texts that tell another."""
    people = ContextualIntegrityBenchmark(config).people
    attributes = [one for person in people for one in person.attributes.values()]
    told = sum(tells(one.statement, one.value, one.beside) for one in attributes)
    assert 0.7 < told / len(attributes) < 0.8
    first = list(people[0].attributes.values())
    pairs = [(one, other) for one in first for other in first if one is not other]
    mistaken = sum(tells(other.statement, one.value, one.beside) for one, other in pairs)
    assert mistaken / len(pairs) < 0.005
