"""personamem: questions hear what stands before them alone, options are read safely, every defect has its name."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.benchmarks import BenchmarkSample, PersonaMemBenchmark, PersonaMemBenchmarkConfig
from heams.benchmarks.personamem.config import QUESTION_TYPES
from heams.benchmarks.personamem.options import read_options
from heams.benchmarks.personamem.questions import COLUMNS, DEFECTS
from heams.benchmarks.registry import report_info
from heams.evaluation import create_evaluator
from heams.evaluation.multiple_choice import MultipleChoiceEvaluatorConfig
from heams.scenarios.actions import SharedHistory, UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heta_framework.common.data_files import DatasetFormatError

pytestmark = pytest.mark.anyio
_SEED = Path(__file__).parents[3] / "datasets" / "personamem"
_MESSAGES = [
    {"role": "system", "content": "First session."},
    {"role": "user", "content": "I drink tea."},
    {"role": "assistant", "content": "Tea is good."},
    {"role": "system", "content": "Second session."},
    {"role": "user", "content": "Now I drink cocoa."},
]
_ROW = {
    "question_id": "q1",
    "question_type": "suggest_new_ideas",
    "topic": "drinks",
    "user_question_or_message": "What shall I drink?",
    "correct_answer": "(c)",
    "all_options": """['(a) Milk.', "(b) Water, as it's hot.", '(c) Tea.', '(d) Beer.']""",
    "shared_context_id": "c1",
    "end_index_in_shared_context": "3",
    "distance_to_ref_in_blocks": "2",
}
Build = Callable[..., PersonaMemBenchmark]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """A benchmark over rows that differ from a good one, and over contexts."""

    def made(*changes: Mapping[str, str], contexts: str | None = None, **settings: Any) -> PersonaMemBenchmark:
        with (tmp_path / "questions_32k.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(_ROW))
            writer.writeheader()
            writer.writerows({**_ROW, **change} for change in changes or ({},))
        lines = contexts if contexts is not None else json.dumps({"c1": _MESSAGES}) + "\n"
        (tmp_path / "contexts.jsonl").write_text(lines)
        return _benchmark(tmp_path / "questions_32k.csv", tmp_path / "contexts.jsonl", **settings)

    return made


def _benchmark(questions: Path, contexts: Path, **settings: Any) -> PersonaMemBenchmark:
    given_settings = {
        "prompts": {"choice": "{question}\n{options}", "option": "({letter}) {text}"},
        "evaluators": [MultipleChoiceEvaluatorConfig()],
        **settings,
    }
    files = {"questions_file": questions, "contexts_file": contexts}
    return PersonaMemBenchmark(PersonaMemBenchmarkConfig.model_validate({**files, **given_settings}))


def _asked(sample: BenchmarkSample) -> UserStimulus:
    (stimulus,) = sample.execution_sequence
    assert isinstance(stimulus, UserStimulus)
    return stimulus


def _heard(sample: BenchmarkSample) -> list[str]:
    assert isinstance(sample.history, SharedHistory)
    return [event.content for event in sample.history.events if event.type == "turn"]


def _rules(benchmark: PersonaMemBenchmark) -> list[tuple[str, str, str]]:
    return [(note.record_id, note.rule, note.kind) for note in benchmark.skipped]


def test_the_seed_set_has_every_type_and_every_letter() -> None:
    benchmark = _benchmark(_SEED / "questions.csv", _SEED / "contexts.jsonl")
    assert Counter(sample.tags["question_type"] for sample in benchmark.samples) == dict.fromkeys(QUESTION_TYPES, 4)
    letters = Counter(_asked(sample).step_evaluation_markers["right_option"] for sample in benchmark.samples)
    assert letters == dict.fromkeys("abcd", 7)
    assert not benchmark.skipped


def test_a_question_hears_only_what_stands_before_it(build: Build) -> None:
    early, late = build({}, {"question_id": "q2", "end_index_in_shared_context": "5"}).samples
    assert _heard(early) == ["First session.", "I drink tea.", "Tea is good."]
    assert _heard(late) == [message["content"] for message in _MESSAGES]
    assert late.history is not None
    assert [event.session_id for event in late.history.events if event.type == "session_boundary"] == [
        "session-1",
        "session-2",
    ]
    assert [event.id for event in late.history.events if event.type == "turn"] == ["m0", "m1", "m2", "m3", "m4"]


def test_system_messages_can_be_left_out(build: Build) -> None:
    (sample,) = build({"end_index_in_shared_context": "5"}, system_messages=False).samples
    assert _heard(sample) == ["I drink tea.", "Tea is good.", "Now I drink cocoa."]


def test_a_question_is_shown_with_its_options(build: Build) -> None:
    (sample,) = build().samples
    stimulus = _asked(sample)
    assert stimulus.content == "What shall I drink?\n(a) Milk.\n(b) Water, as it's hot.\n(c) Tea.\n(d) Beer."
    assert stimulus.recall_query == "What shall I drink?"
    assert stimulus.step_evaluation_markers["right_option"] == "c"
    assert sample.tags == {"question_type": "suggest_new_ideas", "topic": "drinks", "options": "4"}


def test_options_can_be_shuffled_by_seed(build: Build) -> None:
    rows = [{"question_id": f"q{number}"} for number in range(12)]
    shuffled = [_asked(sample).step_evaluation_markers for sample in build(*rows, option_order="per_question").samples]
    assert {markers["expected_answer"] for markers in shuffled} == {"Tea."}
    assert len({str(markers["right_option"]) for markers in shuffled}) > 1
    again = [_asked(sample).step_evaluation_markers for sample in build(*rows, option_order="per_question").samples]
    assert again == shuffled


def test_questions_with_one_history_stand_together(build: Build) -> None:
    ends = ("3", "5", "3")
    rows = [{"question_id": f"q{place}", "end_index_in_shared_context": end} for place, end in enumerate(ends)]
    assert [sample.id for sample in build(*rows).samples] == ["q0", "q2", "q1"]
    assert [sample.id for sample in build(*rows, limit=2).samples] == ["q0", "q1"]


def test_question_types_can_be_chosen(build: Build) -> None:
    rows = [{}, {"question_id": "q2", "question_type": "recall_user_shared_facts"}]
    assert [sample.id for sample in build(*rows, question_types=["recall_user_shared_facts"]).samples] == ["q2"]
    with pytest.raises(DatasetFormatError, match="did you mean 'suggest_new_ideas'"):
        build(*rows, question_types=["suggest_new_idea"])


def test_every_defect_is_named(build: Build) -> None:
    benchmark = build(
        {},
        {"question_id": "q2", "correct_answer": "(e)"},
        {"question_id": "q3", "all_options": "['Milk', 'Water', 'Tea']"},
        {"question_id": "q4", "all_options": "['(b) Milk', '(c) Tea', '(a) Beer']"},
        {"question_id": "q5", "all_options": "['(a) Tea', '(b) Milk', '(c) Tea']"},
        {"question_id": "q6", "end_index_in_shared_context": "9"},
    )
    assert _rules(benchmark) == [
        ("q2", "answer_is_no_option", "skipped"),
        ("q3", "options_without_letters", "repaired"),
        ("q4", "options_out_of_order", "repaired"),
        ("q5", "options_alike", "repaired"),
        ("q6", "end_beyond_context", "repaired"),
    ]
    assert {rule for _, rule, _ in _rules(benchmark)} == {*DEFECTS, "end_beyond_context"}
    right = {sample.id: _asked(sample).step_evaluation_markers["expected_answer"] for sample in benchmark.samples}
    assert right == {"q1": "Tea.", "q3": "Tea", "q4": "Tea", "q5": "Tea", "q6": "Tea."}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"all_options": "__import__('os').getcwd()"}, ":2: all_options: found no Python list of texts"),
        ({"all_options": "['(a) one']"}, "all_options: found 1 options; expected 2 to 26"),
        ({"all_options": "['(a) one', 2]"}, "all_options: found something else than texts"),
        ({"all_options": "[" * 5_000}, "all_options: found no Python list"),
        ({"end_index_in_shared_context": "-1"}, "end_index_in_shared_context: found '-1'"),
        ({"end_index_in_shared_context": "3.0"}, "expected how many messages come before the question"),
        ({"user_question_or_message": " "}, "user_question_or_message: found nothing"),
        (
            {"shared_context_id": "c2"},
            "shared_context_id: found 'c2', which is no context of the other file; there is: c1",
        ),
    ],
)
def test_a_bad_row_is_refused_with_its_line_and_field(build: Build, change: Mapping[str, str], message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        build(change)


def test_an_id_stands_for_one_question(build: Build) -> None:
    with pytest.raises(DatasetFormatError, match="found the id 'q1' again"):
        build({}, {})


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    (tmp_path / "q.csv").write_text(",".join(name for name in COLUMNS if name != column) + "\n")
    with pytest.raises(DatasetFormatError, match=f":1: found no column '{column}'"):
        _benchmark(tmp_path / "q.csv", tmp_path / "c.jsonl")


@pytest.mark.parametrize(
    ("contexts", "message"),
    [
        ("[1]\n", r'contexts.jsonl:1: found something else than \{"<context id>": \[messages\]\}'),
        ('{"c1": []}\n\n{"c1": []}\n', ":3: found the context 'c1' again"),
        ('{"c1": [{"role": "robot", "content": "x"}]}\n', ":1: c1, 0, role|:1: c1 0, role"),
        ('{"c1": [], "c2": []}\n', ":1: found 2 contexts in a line; expected one"),
        ('{"c1": [{"role": "user"', "cut off"),
    ],
)
def test_a_bad_context_is_refused_with_its_line(build: Build, contexts: str, message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        build(contexts=contexts)


def test_contexts_that_nobody_asks_about_are_not_read(build: Build) -> None:
    good = json.dumps({"c1": _MESSAGES})
    (sample,) = build(contexts=f'{good}\n{{"c2": [broken\n').samples
    assert len(_heard(sample)) == 3


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=6))
def test_a_python_list_of_any_texts_is_read(texts: list[str]) -> None:
    labelled = [f"({letter}) {text}" for letter, text in zip("abcdef", texts, strict=False)]
    read = read_options(repr(labelled))
    assert read.texts == tuple(text.strip() for text in texts)
    assert read.letters == tuple("abcdef"[: len(texts)])
    assert read.place_of("(b)") == 1


def test_the_size_names_the_benchmark() -> None:
    info = report_info("personamem")
    assert info.name_for({"questions_file": "x/questions_128k.csv"}) == "PersonaMem (128k)"
    assert info.context_tokens_for({"questions_file": "x/questions_1M.csv"}) == 1_000_000
    assert info.name_for({"questions_file": "x/questions.csv"}) == "PersonaMem"


@pytest.mark.parametrize(("reply", "score"), [("({right})", 1), ("{expected}", 1), ("I do not know.", 0)])
async def test_a_perfect_agent_is_right_everywhere_and_a_refusing_one_nowhere(reply: str, score: float) -> None:
    benchmark = _benchmark(_SEED / "questions.csv", _SEED / "contexts.jsonl")
    (evaluator,) = map(create_evaluator, benchmark.config.evaluators)
    for sample in benchmark.samples:
        markers = _asked(sample).step_evaluation_markers
        said = reply.format(right=markers["right_option"], expected=markers["expected_answer"])
        step = Step(0, _asked(sample), reply=said)
        (record,) = await evaluator.evaluate(ScenarioOutcome(sample.to_scenario(), [step]))
        assert record.value == score
