"""The page of judges: what they did, how far to trust them, and the answers behind every number."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from heams.browse.views.judge.enough import FINE, ROUGH, enough
from heams.browse.views.judge.matrix import matrix, verdict_classes
from heams.calibration.result import Calibration, KindResult, Rate
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heta_framework.common.statistics import cohen_kappa, wilson_interval

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202egnp"


def _path(judged: Path) -> Path:
    return judged / "judged" / "runs.jsonl"


def _change(judged: Path, sample_id: str, change: Any) -> None:
    results = [json.loads(line) for line in _path(judged).read_text().splitlines()]
    for result in results:
        if result["sample_id"] == sample_id:
            change(result, next(record for record in result["records"] if record["evaluator"] == "llm_judge"))
    _path(judged).write_text("".join(json.dumps(result) + "\n" for result in results))


def test_a_judge_is_shown_with_what_it_did(reader: Any) -> None:
    page = reader.page("/judge?run=judged")
    assert "openai:judge-1 under the policy lenient" in page
    assert "Uncalibrated." in page
    assert "Unreadable replies 37.5% 3 of 8" in page  # one answer was asked for three times in vain
    assert "well, well" in page
    assert "it names none of correct, incorrect" in page
    assert "Nobody has labelled an answer yet" in page


def test_all_judges_are_listed(browse_results: Path, judged: Path, reopened: Any) -> None:
    shutil.copytree(browse_results / "plain__lexical", judged / "plain__lexical")
    labeller = reopened()
    for experiment in labeller.library.experiments:
        experiment.digest()
    labeller.say("q1", "pass")
    assert labeller.links("/judge", "/judge?run=") == ["/judge?run=judged&metric=llm_judge%2Fjudge_lenient"]
    assert "judged judge_lenient openai:judge-1 lenient 6 0.200" in labeller.page("/judge")


def test_without_a_judge_the_page_says_how_to_add_one(browser: Any) -> None:
    response = browser.get("/judge?run=plain__lexical")
    assert response.status_code == 200
    assert "This experiment has no judge" in response.text
    assert "type: llm_judge" in response.text


def test_every_cell_leads_to_the_answers_that_it_counts(reader: Any) -> None:
    found = 0
    for href in reader.links("/judge?run=judged", "/judge/cell"):
        page = reader.browser.get(href)
        assert page.status_code == 200
        found += page.text.count("data-row>")
    assert found == 5, "five answers have a verdict of the judge and of the metric that is shown"


def test_agreement_with_people_is_the_kappa_of_their_labels(labeller: Any) -> None:
    for sample_id, verdict in (("q1", "pass"), ("q2", "pass"), ("q4", "fail"), ("q5", "fail"), ("q3", "pass")):
        labeller.say(sample_id, verdict)
    kappa = cohen_kappa([[1, 0], [1, 2]])
    page = labeller.page("/judge?run=judged")
    assert "75.0% 3 of 4" in page
    assert f"{kappa:.3f}" in page
    assert "1 label is on answers that the judge gave no verdict on" in page
    cell = labeller.page("/judge/cell?run=judged&metric=llm_judge/judge_lenient&against=people&said=fail&other=pass")
    assert "1 answer on which they differ" in cell
    assert "Where does the spare key hang?" in cell


def test_votes_that_differ_are_found(reopened: Any, judged: Path) -> None:
    def split(_: Any, record: dict[str, Any]) -> None:
        audit = record["audit"]["judge"]
        audit["models"] = ["openai:judge-1", "openai:judge-2"]
        opinion = audit["judgements"][0]["asked"][0]
        other = {**opinion["votes"][0], "model": "openai:judge-2"}
        opinion["votes"] = [opinion["votes"][0], {**other, "label": "correct", "value": 1.0}]
        opinion["agreement"] = 0.5

    for sample_id in ("q1", "q2", "q4"):
        _change(judged, sample_id, split)
    page = reopened().page("/judge?run=judged&metric=llm_judge/judge_lenient")
    assert "openai:judge-1 and openai:judge-2 3 33.3%" in page
    assert "1–2 of 2 verdicts" in page


def test_error_rates_come_from_the_file_of_the_calibration(reopened: Any, judged: Path, tmp_path: Path) -> None:
    path = next((judged / "judged").glob("experiment_config.*.yaml"))
    config = yaml.safe_load(path.read_text())
    judge = next(one for one in config["benchmark_config"]["evaluators"] if one["type"] == "llm_judge")
    judge["calibration_file"] = str(tmp_path / "calibration.json")
    path.write_text(yaml.safe_dump(config))
    identity = LLMJudgeEvaluatorConfig.model_validate(judge).identity_hash
    (tmp_path / "calibration.json").write_text(_calibration(identity).model_dump_json())
    page = reopened().page("/judge?run=judged")
    assert "All traps: false accepts rejected 25.0%" in page
    assert "near miss rejected 25.0%" in page
    (tmp_path / "calibration.json").write_text(_calibration("of another judge").model_dump_json())
    assert "written anew since, for another judge" in reopened().page("/judge?run=judged")
    (tmp_path / "calibration.json").unlink()
    assert "not here any more" in reopened().page("/judge?run=judged")


def _calibration(judge_hash: str) -> Calibration:
    wrong = Rate.of(1, 4)
    return Calibration(
        judge={},
        judge_hash=judge_hash,
        models=("openai:judge-1",),
        policy="lenient (version 1)",
        benchmark="home",
        sources={},
        seed=0,
        kinds=(KindResult(kind="near_miss", accept=False, cases=4, unscored=0, wrong=wrong),),
        false_accept=wrong,
        false_reject=Rate.of(0, 0),
        unreadable_replies=Rate.of(0, 4),
        unscored=Rate.of(0, 4),
    )


def test_hostile_texts_are_shown_and_do_nothing(reopened: Any, judged: Path) -> None:
    def spoil(result: dict[str, Any], record: dict[str, Any]) -> None:
        result["sample_name"] = HOSTILE
        record |= {"reason": HOSTILE, "observed": HOSTILE}
        audit = record["audit"]["judge"]
        audit |= {"models": [HOSTILE], "policy": HOSTILE, "calibration": HOSTILE, "policy_hashes": {HOSTILE: HOSTILE}}
        opinion = audit["judgements"][0]["asked"][0]
        opinion |= {"label": HOSTILE, "parse_failures": 1}
        opinion["votes"][0] |= {"model": HOSTILE, "raw": [HOSTILE], "failures": [HOSTILE]}

    _change(judged, "q1", spoil)
    later = reopened()
    for path in (
        "/judge?run=judged",
        "/run/judged/labels?metric=llm_judge/judge_lenient",
        "/judge/cell?run=judged&metric=llm_judge/judge_lenient&against=task_qa/contains&said=pass&other=pass",
    ):
        text = later.browser.get(path).text
        assert "&lt;script&gt;alert(1)" in text
        assert "<script>alert" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "style=" not in text


def test_audits_of_another_form_are_shown_as_far_as_they_go(reopened: Any, judged: Path) -> None:
    odd: list[Any] = [
        {"models": "one", "policy": 3, "judgements": 5},
        {
            "models": None,
            "policy_hashes": [1],
            "votes_per_model": "many",
            "judgements": [{"asked": [{"votes": "none"}]}],
        },
        {"judgements": [{"asked": [{"parse_failures": "x", "votes": [{"raw": "r", "failures": 7}, 4]}]}]},
        ["no mapping"],
    ]
    for sample_id, audit in zip(("q1", "q2", "q4", "q5"), odd, strict=True):
        _change(judged, sample_id, lambda _, record, audit=audit: record["audit"].update(judge=audit))
    assert reopened().browser.get("/judge?run=judged").status_code == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("run=nobody", 404),
        ("run=judged&metric=task_qa/contains", 404),
        ("run=judged&troubled=-1", 400),
        ("run=judged&troubled=99", 200),
        ("run=judged&against=nothing", 200),
    ],
)
def test_addresses_that_mean_nothing_are_answered_in_words(browser: Any, query: str, status: int) -> None:
    assert browser.get(f"/judge?{query}").status_code == status


def test_a_cell_needs_another_side(browser: Any) -> None:
    assert browser.get("/judge/cell?run=judged&against=x").status_code == 400
    empty = browser.get("/judge/cell?run=judged&against=task_qa/contains&said=x&other=y")
    assert "No answer has these two verdicts" in empty.text


def test_a_matrix_counts_what_both_said() -> None:
    counts = {("pass", "pass"): 20, ("pass", "fail"): 5, ("fail", "pass"): 10, ("fail", "fail"): 15}
    found = matrix(counts, verdict_classes(counts), lambda said, other: f"/{said}/{other}")
    assert found.classes == ("pass", "fail")
    assert [[cell.count for cell in row.cells] for row in found.rows] == [[20, 5], [10, 15]]
    assert [cell.heat for row in found.rows for cell in row.cells] == [5, 2, 3, 4]
    assert (found.n, found.agreed, found.totals) == (50, 35, (30, 20))
    assert found.kappa == pytest.approx(0.4)  # worked by hand: (0.7 - 0.5) / (1 - 0.5)
    assert found.rows[0].cells[1].href == "/pass/fail"
    assert verdict_classes({("partial", "pass"): 1}) == ("pass", "partial", "fail")


def test_a_matrix_without_anything_says_nothing() -> None:
    empty = matrix({}, ("pass", "fail"))
    assert (empty.n, empty.share, empty.kappa, empty.interval) == (0, None, None, None)


@pytest.mark.parametrize(("agreed", "n"), [(0, 0), (3, 4), (9, 10), (25, 50), (50, 50), (0, 30)])
def test_enough_labels_are_enough(agreed: int, n: int) -> None:
    found = enough(agreed, n)
    assert found.assumed == (n < 10)
    for needed, reach in ((found.rough, ROUGH), (found.fine, FINE)):
        bounds = wilson_interval(round(found.share * needed), needed)
        assert (bounds.high - bounds.low) / 2 <= reach


def test_an_experiment_without_results_has_no_judge(browse_results: Path, tmp_path: Path, browser_of: Any) -> None:
    from heams.browse.index import Library

    shutil.copytree(browse_results / "judged", tmp_path / "begun")
    (tmp_path / "begun" / "runs.jsonl").write_text("")
    with Library([tmp_path]) as library:
        assert "This experiment has no judge" in browser_of(library).get("/judge?run=begun").text
