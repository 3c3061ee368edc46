"""aime: which integer counts as the answer, by which mark, and what the verdict says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.evaluation import AimeEvaluatorConfig, EvaluationRecord, create_evaluator
from heams.evaluation.aime_reading import extract_answer
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario


async def _records(reply: str | None, expected: Any = "204", **config: Any) -> list[EvaluationRecord]:
    markers = {} if expected is None else {"expected_answer": expected}
    asked = UserStimulus(content="How many?", step_evaluation_markers=markers)
    outcome = ScenarioOutcome(Scenario(id="s", name="s", actions=[asked]), [Step(index=0, action=asked, reply=reply)])
    return list(await create_evaluator(AimeEvaluatorConfig(**config)).evaluate(outcome))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reply", "value", "reason", "rule"),
    [
        (r"So \boxed{214}.", 0, "extracted AIME answer '214', expected '204'", "boxed"),
        ("I give up.", 0, "no AIME answer found, expected '204'", "none"),
        ("<answer>204</answer>", 1, "extracted AIME answer '204', expected '204'", "answer_tag"),
        ("FINAL ANSWER: 0204", 1, "extracted AIME answer '204', expected '204'", "final_answer"),
        ("The answer is 204.", 1, "extracted AIME answer '204', expected '204'", "answer_is"),
        ("It must be 204", 1, "extracted AIME answer '204', expected '204'", "last_integer"),
    ],
)
async def test_the_verdict_names_what_was_extracted_and_the_rule(
    reply: str, value: float, reason: str, rule: str
) -> None:
    (record,) = await _records(reply)
    assert (record.metric, record.value, record.passed) == ("aime_accuracy", value, bool(value))
    assert (record.expected, record.observed, record.reason) == ("204", reply, reason)
    assert record.tags == {"extraction": rule}


@pytest.mark.anyio
async def test_leading_zeros_and_numbers_are_the_same_answer() -> None:
    (record,) = await _records(r"\boxed{025}", 25)
    assert (record.value, record.expected) == (1, "25")
    (record,) = await _records("25", "025")
    assert (record.value, record.reason) == (1, "extracted AIME answer '25', expected '25'")


@pytest.mark.anyio
@pytest.mark.parametrize("expected", [None, "1000", "", "x", "20.4", ["204", "205"]])
async def test_a_label_that_is_no_aime_answer_gives_no_verdict(expected: Any) -> None:
    records = await _records("204", expected, legacy=True)
    assert [record.outcome for record in records] == ["unscored", "unscored"]


@pytest.mark.anyio
async def test_the_legacy_verdict_stands_beside_the_corrected_one() -> None:
    corrected, legacy = await _records("<answer>20.4</answer>", legacy=True)
    assert (corrected.metric, corrected.value) == ("aime_accuracy", 0)
    assert (legacy.metric, legacy.value) == ("aime_accuracy_legacy", 1)
    assert legacy.reason == "the official extractor gives '20.4'"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"\boxed{204} <answer>17</answer> The answer is 5.", 204),
        ("<answer>17</answer> FINAL ANSWER: 204", 17),
        ("The answer is 5. FINAL ANSWER: 204", 204),
        ("The answer is 204. I needed 3 steps.", 204),
        (r"\boxed{17} no, \boxed{204}", 204),
        (r"\boxed{\text{204}}", 204),
        (r"\boxed{m+n = 200 + 4 = 204}", 204),
        ("\\boxed{\n204\n}", 204),
        (r"\boxed{} so 5", 5),
        (r"\boxed{1000}, from 3 cases", None),
        (r"\boxed{\frac{204}{5}}", None),
        (r"\boxed{1{,}204}", None),
        ("$2^{10}=1024$ and thus $m+n=204$", 204),
        ("The answer is 100 + 104 = 204.", 204),
        ("The answer is not 204.", None),
        ("The final answer will be m+n with m = 3.\nSo m+n = 204.", 204),
        ("**Final Answer:** $73$", 73),
        ("In 2031 we computed 204", 204),
        ("I got 204 in 2031", 204),
        ("x = 20⁴", None),
        ("20.4 or 2:04 or 5/7 or 204% or x_12 or a 17-gon", None),
    ],
)
def test_the_mark_that_says_most_decides(reply: str, answer: int | None) -> None:
    assert extract_answer(reply).answer == answer


_FORMS = [r"\boxed{%s}", "<answer> %s </answer>", "FINAL ANSWER: %s", "The answer is %s.", "thus %s", "**%s**", "$%s$"]


@settings(max_examples=50)
@given(st.integers(0, 999), st.sampled_from(_FORMS), st.sampled_from(["", "0", "00"]), st.text("ab \n", max_size=20))
def test_any_answer_is_read_in_any_form(number: int, form: str, zeros: str, before: str) -> None:
    assert extract_answer(f"{before} {form % (zeros + str(number))}").answer == number


@settings(max_examples=50)
@given(st.text(alphabet=st.sampled_from(r"09 .,:<>/{}\$*-+=%`'" + "\nansweroxdFINALANSWER"), max_size=60))
def test_whatever_is_said_an_answer_is_an_integer_from_0_to_999(reply: str) -> None:
    found = extract_answer(reply)
    assert found.answer is None or 0 <= found.answer <= 999
    assert (found.rule == "none") <= (found.answer is None)
