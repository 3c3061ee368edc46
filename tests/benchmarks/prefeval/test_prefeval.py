"""prefeval: preferences in three forms become histories with filler, options are shuffled, defects are named."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from heams.benchmarks import BenchmarkSample, PrefEvalBenchmark, PrefEvalBenchmarkConfig
from heams.benchmarks.prefeval.dataset import DEFECTS
from heams.evaluation import create_evaluator
from heams.evaluation.multiple_choice import MultipleChoiceEvaluatorConfig
from heams.scenarios.actions import SharedHistory, UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heta_framework.common.data_files import DatasetFormatError

pytestmark = pytest.mark.anyio
_PAGE = Path(__file__).parents[3] / "docs/benchmarks/prefeval.md"
_SEED = Path(__file__).parents[3] / "datasets" / "prefeval"
_TEA = {"preference": "I only drink tea.", "question": "What shall I drink?"}
_CHOICE = {
    "query": "What is there?",
    "assistant_options": "1. milk 2. tea",
    "user_selection": "2, please.",
    "assistant_acknowledgment": "Tea it is.",
}
_PERSONA = {"10": {"user": "u10", "assistant": "a10"}, "2": {"user": "u2", "assistant": "a2"}}
_OPTIONS = ["Black tea.", "Cold milk.", "Cocoa.", "Coffee."]
_FORMS = {
    "explicit_preference": _TEA,
    "implicit_preference/choice-based": {**_TEA, "conversation": _CHOICE},
    "implicit_preference/persona-driven": {**_TEA, "conversation": _PERSONA},
    "mcq_options": {**_TEA, "classification_task_options": _OPTIONS},
}
_FILLER = [
    {"conversation": [{"role": role, "content": f"{role} {number}"} for role in ("user", "assistant")] * 2}
    for number in range(2)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The published layout with one topic of one question."""
    for place, record in _FORMS.items():
        _write(tmp_path / place / "drinks.json", [record])
    _write(tmp_path / "filtered_inter_turns.json", _FILLER)
    return tmp_path


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def _benchmark(folder: Path, **settings: Any) -> PrefEvalBenchmark:
    prompts = {"choice": "{question}\n{options}\nOne!", "option": "({letter}) {text}", "generation": "{question}"}
    given = {"prompts": prompts, "evaluators": [MultipleChoiceEvaluatorConfig()], "filler_turns": 3, **settings}
    return PrefEvalBenchmark(PrefEvalBenchmarkConfig.model_validate({"data_dir": folder, **given}))


def _asked(sample: BenchmarkSample) -> UserStimulus:
    (stimulus,) = sample.execution_sequence
    assert isinstance(stimulus, UserStimulus)
    return stimulus


def _history(sample: BenchmarkSample) -> SharedHistory:
    assert sample.history is not None
    return sample.history


def _rules(benchmark: PrefEvalBenchmark) -> list[tuple[str, str, str]]:
    return [(note.record_id, note.rule, note.kind) for note in benchmark.skipped]


def test_the_seed_set_has_every_form_of_every_preference() -> None:
    benchmark = _benchmark(_SEED, filler_turns=24)
    assert Counter(sample.tags["form"] for sample in benchmark.samples) == {"explicit": 16, "choice": 16, "persona": 16}
    assert len({sample.id for sample in benchmark.samples}) == 48
    assert not benchmark.skipped


def test_a_preference_is_told_first_and_then_buried_in_filler(folder: Path) -> None:
    explicit, choice, persona = _benchmark(folder).samples
    assert [event.model_dump(include={"id", "content", "session_id"}) for event in _history(explicit).events] == [
        {"session_id": "session-1"},
        {"id": "t1", "content": "I only drink tea.", "session_id": "session-1"},
        {"session_id": "session-2"},
        {"id": "t2", "content": "user 0", "session_id": "session-2"},
        {"id": "t3", "content": "assistant 0", "session_id": "session-2"},
        {"id": "t4", "content": "user 0", "session_id": "session-2"},
        {"id": "t5", "content": "assistant 0", "session_id": "session-2"},
        {"session_id": "session-3"},
        {"id": "t6", "content": "user 1", "session_id": "session-3"},
        {"id": "t7", "content": "assistant 1", "session_id": "session-3"},
    ]
    told = [event.content for event in _history(choice).events if event.type == "turn"][:4]
    assert told == list(_CHOICE.values())
    assert [event.content for event in _history(persona).events if event.type == "turn"][:3] == ["u2", "a2", "u10"]


def test_the_turns_that_tell_the_preference_are_its_evidence(folder: Path) -> None:
    evidence = [_asked(sample).step_evaluation_markers["evidence"] for sample in _benchmark(folder).samples]
    assert evidence == [["t1"], ["t2", "t3"], ["t1", "t3"]]


def test_options_are_shown_with_letters_and_the_bare_question_recalls(folder: Path) -> None:
    stimulus = _asked(_benchmark(folder, option_order="official", seed=41).samples[0])
    shown = "(a) Coffee.\n(b) Cold milk.\n(c) Black tea.\n(d) Cocoa."
    assert stimulus.content == f"What shall I drink?\n{shown}\nOne!"
    assert stimulus.recall_query == "What shall I drink?"
    assert stimulus.step_evaluation_markers["right_option"] == "c"
    assert stimulus.step_evaluation_markers["expected_answer"] == "Black tea."
    capitals = _asked(_benchmark(folder, option_order="official", seed=41, capital_letters=True).samples[0])
    assert "(C) Black tea." in capitals.content


def test_the_order_is_drawn_for_each_question_and_stays(folder: Path) -> None:
    def letters(seed: int) -> list[Any]:
        samples = _benchmark(_SEED, seed=seed).samples
        return [_asked(sample).step_evaluation_markers["right_option"] for sample in samples]

    assert letters(0) == letters(0) != letters(1)
    assert min(Counter(letters(0)).values()) >= 6
    assert len(Counter(letters(0))) == 4


def test_an_open_question_offers_no_options(folder: Path) -> None:
    with pytest.raises(ValidationError, match="offers no options to 'multiple_choice'"):
        _benchmark(folder, task="generation")
    (block,) = re.findall(r"```yaml\n(task: generation.*?)```", _PAGE.read_text("utf-8"), re.DOTALL)
    sample = _benchmark(folder, **yaml.safe_load(block)).samples[0]
    assert _asked(sample).content == "What shall I drink?"
    assert set(_asked(sample).step_evaluation_markers) == {"preference", "evidence"}
    assert "options" not in sample.tags


def test_every_defect_is_named(folder: Path) -> None:
    other = {"preference": "I only drink tea!", "question": "What shall I drink?"}
    _write(
        folder / "explicit_preference/drinks.json",
        [_TEA, {**_TEA, "question": "Where?"}, other, _TEA, _TEA],
    )
    offered = [_OPTIONS, _OPTIONS, _OPTIONS, ["Tea."], ["Tea.", " Tea."]]
    _write(folder / "mcq_options/drinks.json", [{**_TEA, "classification_task_options": texts} for texts in offered])
    _write(folder / "mcq_options/drinks copy.json", [])
    benchmark = _benchmark(folder, forms=["explicit"])
    assert _rules(benchmark) == [
        ("mcq_options/drinks copy.json", "options_of_no_topic", "skipped"),
        ("explicit/drinks#1", "options_of_another_question", "skipped"),
        ("explicit/drinks#2", "preference_in_other_words", "repaired"),
        ("explicit/drinks#3", "too_few_options", "skipped"),
        ("explicit/drinks#4", "options_alike", "repaired"),
    ]
    assert {rule for _, rule, _ in _rules(benchmark)} == set(DEFECTS)
    assert [sample.id for sample in benchmark.samples] == [f"explicit/drinks#{place}" for place in (0, 2, 4)]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("mcq_options/drinks.json", [], "found 1 preferences, and 0 lists of options"),
        ("explicit_preference/drinks.json", [{"preference": "Tea."}], "entry 0, question"),
        ("implicit_preference/choice-based/drinks.json", [_TEA], "entry 0, conversation"),
        ("implicit_preference/persona-driven/drinks.json", [{**_TEA, "conversation": {"x": {}}}], "conversation"),
        ("filtered_inter_turns.json", _FILLER[:1], "found 2 exchanges; expected at least 3"),
        ("filtered_inter_turns.json", [{"conversation": [{"role": "user", "content": "?"}] * 6}], "do not alternate"),
    ],
)
def test_a_bad_file_is_refused_with_its_name(folder: Path, file: str, content: Any, message: str) -> None:
    _write(folder / file, content)
    with pytest.raises(DatasetFormatError, match=message) as refused:
        _benchmark(folder)
    assert file in str(refused.value)


def test_what_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(DatasetFormatError, match=r"no topic 'drink' .*did you mean 'drinks'"):
        _benchmark(folder, topics=["drink"])
    with pytest.raises(DatasetFormatError, match="expected PrefEval's folders here"):
        _benchmark(folder / "explicit_preference")
    (folder / "implicit_preference/choice-based/drinks.json").unlink()
    with pytest.raises(DatasetFormatError, match="cannot be read"):
        _benchmark(folder)


@pytest.mark.parametrize(("reply", "score"), [("({right})", 1), ("{expected}", 1), ("I do not know.", 0)])
async def test_a_perfect_agent_is_right_everywhere_and_a_refusing_one_nowhere(reply: str, score: float) -> None:
    (evaluator,) = map(create_evaluator, _benchmark(_SEED).config.evaluators)
    for sample in _benchmark(_SEED).samples:
        scenario, markers = sample.to_scenario(), _asked(sample).step_evaluation_markers
        said = reply.format(right=markers["right_option"], expected=markers["expected_answer"])
        (record,) = await evaluator.evaluate(ScenarioOutcome(scenario, [Step(0, _asked(sample), reply=said)]))
        assert record.value == score
