"""`AnswerCorrectness` and `Faithfulness`: what judges are shown, what a verdict is worth, and when there is none."""

from __future__ import annotations

import json
from collections.abc import Callable

import anyio
import pytest
from scoring import answered, case, is_unlabelled, result, score

from heta_framework.common.judge import LabelPolicy, built_in_policy
from heta_framework.common.models.calls.scope import active_scope, call_scope
from heta_framework.common.models.errors import CostLimitReached, ModelRequestError
from heta_framework.common.models.language.function import FunctionLanguageModel
from heta_framework.common.models.language.types import ModelRequest
from heta_framework.common.models.usage import Usage
from heta_framework.evaluation import AnswerCorrectness, Faithfulness
from heta_framework.kb import QueryCitation, QueryResponse


def saying(*replies: str) -> FunctionLanguageModel:
    """A judge that gives these replies in turn, the last one for ever."""
    left = list(replies)
    return FunctionLanguageModel(lambda _: left.pop(0) if len(left) > 1 else left[0], model_name="judge")


def verdict(label: str) -> str:
    return json.dumps({"reason": "because", "verdict": label})


def claims(*supported: bool, omitted: tuple[int, ...] = ()) -> str:
    listed = [{"claim": f"claim {number}", "supported": each} for number, each in enumerate(supported)]
    return json.dumps({"reason": "because", "claims": listed, "omitted": omitted})


def listening(reply: str) -> tuple[FunctionLanguageModel, list[ModelRequest]]:
    heard: list[ModelRequest] = []

    def answer(request: ModelRequest) -> str:
        heard.append(request)
        return reply

    return FunctionLanguageModel(answer), heard


def raising(error: Exception) -> FunctionLanguageModel:
    def answer(_: ModelRequest) -> str:
        raise error

    return FunctionLanguageModel(answer)


RESPONSE = QueryResponse(
    "m",
    (result("Ada lives in Oslo.", "r1"), result("Ben lives in Bergen.", "r2"), result("Ada lives in Oslo.", "r3")),
    answer="In Oslo.",
    citations=(QueryCitation("c", "r2"),),
)


def test_a_verdict_is_worth_what_the_policy_says() -> None:
    right = answered(AnswerCorrectness(saying(verdict("correct"))), "In Oslo.", "Oslo")
    assert (right.name, right.value, right.passed) == ("answer_correctness", 1.0, True)
    wrong = answered(AnswerCorrectness(saying(verdict("incorrect"))), "In Bergen.", "Oslo")
    assert (wrong.value, wrong.passed, wrong.metadata["reason"]) == (0.0, False, "because")
    assert wrong.metadata["judge"]["policy"] == "strict"
    assert wrong.metadata["judge"]["models"] == ["judge"]
    json.dumps(wrong.to_dict(), allow_nan=False)


def test_the_judge_of_correctness_sees_question_gold_and_answer() -> None:
    model, heard = listening(verdict("correct"))
    score(AnswerCorrectness(model), case("Oslo", "Kristiania"), RESPONSE)
    (request,) = heard
    for shown in ("Which pier is it?", "1. Oslo\n2. Kristiania", "In Oslo."):
        assert shown in (request.prompt or "")


def test_an_unreadable_reply_is_unscored_and_never_0() -> None:
    model = saying("well ...", "hm", "who knows")
    unread = answered(AnswerCorrectness(model), "In Oslo.", "Oslo")
    metadata = is_unlabelled(unread)
    assert "no readable verdict" in metadata["reason"]
    assert metadata["parse_failures"] == 3
    assert metadata["votes"][0]["raw"] == ["well ...", "hm", "who knows"]
    assert not metadata["to_be_repeated"]
    later = answered(AnswerCorrectness(saying("hm", verdict("correct"))), "In Oslo.", "Oslo")
    assert (later.value, later.metadata["parse_failures"]) == (1.0, 1)


def test_a_judge_that_cannot_be_reached_is_unscored() -> None:
    metadata = is_unlabelled(answered(AnswerCorrectness(raising(ModelRequestError("down"))), "Oslo", "Oslo"))
    assert "no answer: down" in metadata["reason"]
    assert metadata["to_be_repeated"]


def test_a_run_that_spent_what_it_may_is_told_so() -> None:
    with pytest.raises(CostLimitReached):
        answered(AnswerCorrectness(raising(CostLimitReached("spent"))), "Oslo", "Oslo")


def test_a_panel_votes() -> None:
    models = [saying(verdict(label)) for label in ("correct", "incorrect", "correct")]
    found = answered(AnswerCorrectness(models), "Oslo", "Oslo")
    assert (found.value, found.metadata["judge"]["agreement"]) == (1.0, pytest.approx(2 / 3))
    tied = AnswerCorrectness(models[:2], tie="stricter")
    assert answered(tied, "Oslo", "Oslo").value == 0.0
    is_unlabelled(answered(AnswerCorrectness(models[:2]), "Oslo", "Oslo"))


def test_no_answer_is_wrong_and_nobody_is_asked() -> None:
    model, heard = listening(verdict("correct"))
    silent = answered(AnswerCorrectness(model), None, "Oslo")
    assert (silent.value, silent.passed, heard) == (0.0, False, [])
    is_unlabelled(answered(AnswerCorrectness(model), "Oslo"))
    assert heard == []


def test_faithfulness_is_the_share_of_supported_claims() -> None:
    whole = score(Faithfulness(saying(claims(True, True, omitted=(1,)))), case(), RESPONSE)
    assert (whole.name, whole.value, whole.passed) == ("faithfulness", 1.0, True)
    half = score(Faithfulness(saying(claims(True, False))), case(), RESPONSE)
    assert (half.value, half.passed) == (0.5, False)
    assert [claim["supported"] for claim in half.metadata["votes"][0]["claims"]] == [True, False]


def test_the_judge_of_faithfulness_sees_each_source_once() -> None:
    model, heard = listening(claims(True))
    score(Faithfulness(model), case("never shown"), RESPONSE)
    score(Faithfulness(model, sources="citations"), case(), RESPONSE)
    results, citations = (request.prompt or "" for request in heard)
    assert "1. Ada lives in Oslo.\n2. Ben lives in Bergen.\n<<<" in results
    assert "1. Ben lives in Bergen.\n<<<" in citations
    assert "Ada lives" not in citations
    assert "never shown" not in results


@pytest.mark.parametrize("answer", [None, "I don't know.", "The sources do not mention it."])
def test_who_claims_nothing_cannot_be_unfaithful(answer: str | None) -> None:
    model, heard = listening(claims(True))
    is_unlabelled(score(Faithfulness(model), case(), QueryResponse("m", RESPONSE.results, answer)))
    assert heard == []
    is_unlabelled(score(Faithfulness(saying(claims())), case(), RESPONSE))


def test_an_answer_without_sources_is_judged_too() -> None:
    unsupported = score(Faithfulness(saying(claims(False))), case(), QueryResponse("m", answer="Oslo."))
    assert unsupported.value == 0.0


def test_what_the_calls_cost_is_in_the_score_and_counted_outside() -> None:
    def answer(_: ModelRequest) -> str:
        scope = active_scope()
        assert scope is not None
        scope.add("judge", Usage(calls=1, input_tokens=10, cost_usd=0.25))
        return verdict("correct")

    evaluator = AnswerCorrectness(FunctionLanguageModel(answer), votes=2)

    async def inside() -> None:
        with call_scope() as outer:
            scores = [await evaluator.evaluate(case=case("Oslo"), response=RESPONSE) for _ in range(2)]
        assert [one.metadata["usage"] for one in scores] == [
            {"judge": {"calls": 2, "input_tokens": 20, "cost_usd": 0.5}}
        ] * 2
        assert outer.usage["judge"].calls == 4

    anyio.run(inside)


def test_its_text_tells_judges_apart_and_is_the_same_in_every_process() -> None:
    one, same = AnswerCorrectness(saying("")), AnswerCorrectness(saying(""))
    assert repr(one) == repr(same)
    assert "'judge'" in repr(one)
    assert repr(AnswerCorrectness(saying(""), "lenient")) != repr(one)
    assert repr(AnswerCorrectness(saying(""), votes=3)) != repr(one)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: AnswerCorrectness(saying(""), "strikt"), "no judge policy is named 'strikt'; did you mean 'strict'"),
        (lambda: AnswerCorrectness(()), "needs at least one model"),
        (lambda: AnswerCorrectness(saying(""), "grounded"), "shows {sources}; AnswerCorrectness can show: question"),
        (lambda: Faithfulness(saying(""), "strict"), "shows {expected}; Faithfulness can show: question, sources"),
        (lambda: Faithfulness(saying(""), sources="web"), "sources must be one of"),  # type: ignore[arg-type]
    ],
)
def test_settings_are_checked(make: Callable[[], object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        make()


def test_a_policy_of_ones_own() -> None:
    strict = built_in_policy("strict")
    assert isinstance(strict, LabelPolicy)
    own = strict.model_copy(update={"name": "tone", "prompt": "Is {answer} polite?"})
    polite = answered(AnswerCorrectness(saying(verdict("correct")), own, name="politeness"), "Please.", "Oslo")
    assert (polite.name, polite.metadata["judge"]["policy"]) == ("politeness", "tone")
