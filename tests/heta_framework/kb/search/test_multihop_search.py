"""Multi-hop search: rounds of search and reading, with a model, with a model that talks nonsense, and without one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heta_framework.kb.search.name_expansion import new_names
from heta_framework.kb.search.reasoning import LexicalReasoner
from heta_framework.kb.search.types import QueryResult

pytestmark = pytest.mark.anyio
_QUESTION = "Who commands the ferry?"
_USEFUL = {"usefulness": True, "information": "The captain commands it."}
_GO_ON = {"judge": False, "next_query": "captain harbour"}
_ANSWER = {"judge": True, "answer": "The captain."}


def _model(kit: Any, extract: Any, *judge: Any, fallback: Any = "Nobody knows.") -> Any:
    """Replies by stage; the last judgement holds for all further rounds."""

    def reply(request: Any) -> Any:
        trace = request.trace_context
        if trace["stage"] == "fallback_answer":
            return fallback
        given = extract if trace["stage"] == "extract" else judge[min(trace["round"], len(judge)) - 1]
        return given if isinstance(given, str | Exception) else json.dumps(given)

    return kit.scripted(reply)


async def test_rounds_go_on_until_the_notes_suffice(kit: Any) -> None:
    model, asked = _model(kit, _USEFUL, _GO_ON, _ANSWER)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", _QUESTION, trace=True)
    assert response.answer == "The captain."
    assert response.metadata == {
        "base_mode": "heta_rerank_search",
        "rounds": 2,
        "round_reports": (
            {
                "round": 1,
                "query": _QUESTION,
                "result_count": 3,
                "extracted_information": True,
                "answered": False,
                "next_query": "captain harbour",
            },
            {
                "round": 2,
                "query": "captain harbour",
                "result_count": 3,
                "extracted_information": True,
                "answered": True,
                "next_query": None,
            },
        ),
        "issues": (),
        "answer_generation": "generated",
    }
    assert [request.trace_context for request in asked] == [
        {"query_mode": "heta_multihop_search", "stage": stage, "round": number}
        for number in (1, 2)
        for stage in ("extract", "judge")
    ]
    assert asked[3].prompt.count("The captain commands it.") == 2
    rounds = [event.metadata for event in response.trace if event.stage == "heta_multihop_search"]
    assert [(one["round"], one["query"], one["useful"], one["answered"]) for one in rounds] == [
        (1, _QUESTION, True, False),
        (2, "captain harbour", True, True),
    ]


async def test_results_of_all_rounds_come_best_first_and_once(kit: Any) -> None:
    model, _ = _model(kit, _USEFUL, {"judge": False, "next_query": "rye bread"}, _ANSWER)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", "harbour lamp", top_k=2)
    assert [result.id for result in response.results] == ["chunk_lamp", "chunk_bread"]
    assert [citation.result_id for citation in response.citations] == ["chunk_lamp", "chunk_bread"]


async def test_after_the_last_round_the_results_are_answered_from(kit: Any) -> None:
    model, asked = _model(kit, {"usefulness": False, "information": ""}, {"judge": False})
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", _QUESTION, options={"max_rounds": 2})
    assert response.answer == "Nobody knows."
    assert response.metadata["fallback"] is True
    assert [(issue["code"], issue["round"]) for issue in response.metadata["issues"]] == [
        ("round_no_useful_information", 1),
        ("round_no_useful_information", 2),
        ("answer_not_confirmed", 2),
    ]
    assert response.metadata["issues"][-1]["action"] == "generated_fallback_answer"
    assert asked[-1].trace_context == {"query_mode": "heta_multihop_search", "stage": "fallback_answer"}


@pytest.mark.parametrize("judged", [_ANSWER, {"judge": False}])
async def test_no_answer_is_given_where_none_is_wanted(kit: Any, judged: Any) -> None:
    model, asked = _model(kit, _USEFUL, judged)
    world = await kit.make_world(kit.HARBOUR, language=model)
    options = {"generate_answer": False, "max_rounds": 1}
    response = await world.ask("heta_multihop_search", _QUESTION, options=options)
    assert (response.answer, response.metadata["answer_generation"], len(asked)) == (None, "disabled", 2)
    assert [issue["action"] for issue in response.metadata["issues"]] == (
        [] if judged is _ANSWER else ["returned_results"]
    )


async def test_a_blank_judged_answer_does_not_lose_the_case(kit: Any) -> None:
    model, _ = _model(kit, _USEFUL, {"judge": True, "answer": "  "}, fallback="The captain.")
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", _QUESTION, options={"max_rounds": 1})
    assert response.answer == "The captain."
    assert [issue["code"] for issue in response.metadata["issues"]] == ["judge_without_answer", "answer_not_confirmed"]


@pytest.mark.parametrize("stage", ["extract", "judge"])
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", "invalid_output"),
        ("Let me think about that.", "invalid_output"),
        ('{"usefulness": true, "inf', "invalid_output"),
        ("[]", "invalid_output"),
        ('{"verdict": 1}', "invalid_output"),
        (ConnectionError("down"), "failed"),
    ],
    ids=repr,
)
async def test_replies_that_cannot_be_read_degrade_with_an_issue(kit: Any, stage: str, reply: Any, kind: str) -> None:
    model, _ = _model(kit, reply, _ANSWER) if stage == "extract" else _model(kit, _USEFUL, reply)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", _QUESTION, options={"max_rounds": 1})
    assert response.results[0].id == "chunk_ferry"
    assert response.answer == ("The captain." if stage == "extract" else "Nobody knows.")
    assert response.metadata["issues"][0]["code"] == f"{stage}_{kind}"


@pytest.mark.parametrize(
    "judged",
    [{"judge": "true", "answer": "x"}, {"judge": 1, "answer": "x"}, {"judge": True, "answer": ["x"]}, {"answer": "x"}],
)
async def test_wrong_types_are_no_judgement(kit: Any, judged: Any) -> None:
    model, _ = _model(kit, {"usefulness": "yes", "information": ["a"]}, judged)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", _QUESTION, options={"max_rounds": 1})
    assert response.answer == "Nobody knows."
    assert response.metadata["fallback"] is True


async def test_a_model_that_always_fails_costs_the_answer_alone(kit: Any) -> None:
    model, _ = kit.scripted(lambda request: ConnectionError("down"))
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", _QUESTION)
    assert (response.answer, response.metadata["answer_generation"]) == (None, "empty")
    assert response.metadata["rounds"] == 3
    assert response.results


async def test_a_round_without_results_is_named_and_the_model_may_search_on(kit: Any) -> None:
    model, asked = _model(kit, _USEFUL, {"judge": False, "next_query": "rye bread"}, _ANSWER)
    world = await kit.make_world(kit.HARBOUR, language=model)
    response = await world.ask("heta_multihop_search", "Quo vadis?")
    assert [report["result_count"] for report in response.metadata["round_reports"]] == [0, 3]
    assert "round_no_results" in [issue["code"] for issue in response.metadata["issues"]]
    assert [request.trace_context["stage"] for request in asked] == ["judge", "extract", "judge"]


async def test_without_a_model_names_in_the_results_lead_on(kit: Any) -> None:
    texts = {
        "bridge": "The harbour lamp was given by Ingrid Voss.",
        "goal": "Years later Ingrid Voss moved to Bergen.",
        "decoy": "There is oil in the harbour.",
    }
    world = await kit.make_world(texts)
    question = "Where is the giver of the harbour lamp?"
    direct = await world.ask("heta_rerank_search", question)
    response = await world.ask("heta_multihop_search", question)
    assert {result.id for result in direct.results} == {"chunk_bridge", "chunk_decoy"}
    assert {result.id for result in response.results} == {"chunk_bridge", "chunk_decoy", "chunk_goal"}
    assert [report["next_query"] for report in response.metadata["round_reports"]] == [
        f"{question} Ingrid Voss",
        f"{question} Bergen",
        None,
    ]
    assert response.metadata["reasoning"] == "lexical"
    assert (response.answer, response.metadata["answer_generation"]) == (None, "missing_language_model")


async def test_without_a_model_one_name_a_round_leads_on_the_most_telling_first() -> None:
    results = [
        QueryResult("1", "The lamp of Marlstead was designed by Aldo Vosk."),
        QueryResult("2", "Lamps please everybody, says the Harbour Gazette."),
        QueryResult("3", "The Harbour Gazette was founded by Cal Harrow."),
    ]
    reasoner = LexicalReasoner("Where did the designer of the lamp of Marlstead grow up?")
    queries = [reasoner.question]
    for number in range(1, 4):
        queries.append((await reasoner.read(number, queries[-1], results)).next_query or "")
    found = [query.removeprefix(reasoner.question).strip() for query in queries[1:]]
    assert found == ["Aldo Vosk", "Harbour Gazette", "Cal Harrow"]


async def test_without_a_model_the_search_ends_where_nothing_new_is_named(kit: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    response = await world.ask("heta_multihop_search", "rye bread", options={"max_rounds": 9})
    assert response.metadata["rounds"] == 1
    assert response.metadata["issues"] == ()


def test_names_of_good_results_that_others_lack_come_first() -> None:
    results = [
        QueryResult("1", "In Oslo the lamp was made by Ingrid Voss."),
        QueryResult("2", "Oslo has a harbour."),
        QueryResult("3", "Oslo is cold, said Per Holm."),
    ]
    assert [name.text for name in new_names(results, ["the lamp"], 2)] == ["Ingrid Voss", "Oslo"]
    assert [name.text for name in new_names(results, ["Ingrid Voss of Oslo"], 5)] == ["Per Holm"]


def test_the_names_of_a_fact_are_those_that_it_states() -> None:
    entity = QueryResult("1", "entity: a ferry", kind="entity", metadata={"name": "halcyon"})
    relation = QueryResult("2", "sails", kind="relation", metadata={"names": ["halcyon", "skerry"]})
    assert {name.text for name in new_names([entity, relation], ["who"], 5)} == {"halcyon", "skerry"}


@pytest.mark.parametrize("rounds", [0, "a", True, 1.5])
async def test_rounds_are_a_whole_number(kit: Any, rounds: Any) -> None:
    world = await kit.make_world(kit.HARBOUR)
    with pytest.raises(ValueError, match="max_rounds must be a whole number of at least 1"):
        await world.ask("heta_multihop_search", "lamp", options={"max_rounds": rounds})
