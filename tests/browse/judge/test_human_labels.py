"""Labels by people: saved beside the results, never lost, and never taken for something that they are not."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.browse.labels import FILE, LabelNotSaved, SavedLabel, labels_for, read_labels, write_label
from heams.browse.labels.choices import policy_choices
from heams.browse.labels.saved import SeenResult
from heams.browse.queries import LabelKey, Metric
from heta_framework.common.judge import LabelPolicy, built_in_policy

METRIC = Metric("llm_judge", "judge_lenient")
IN_PLACE = {"HX-Request": "true"}


def _lines(labeller: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (labeller.directory / FILE).read_text().splitlines()]


def _counted(labeller: Any) -> dict[LabelKey, str]:
    with labeller.experiment.tables() as tables:
        return dict(labels_for(labeller.experiment, tables, METRIC))


def _rewrite(judged: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change every judged record of the saved results."""
    path = judged / "judged" / "runs.jsonl"
    results = [json.loads(line) for line in path.read_text().splitlines()]
    for result in results:
        for record in result["records"]:
            if record["evaluator"] == "llm_judge":
                change(record)
    path.write_text("".join(json.dumps(result) + "\n" for result in results))


def _label(sample_id: str = "q1", verdict: str = "pass") -> SavedLabel:
    seen = SeenResult(content="0" * 16, verdict="pass", value=1.0)
    return SavedLabel.model_validate(
        {
            "run_id": "r",
            "at": datetime.now(UTC),
            "sample_id": sample_id,
            "evaluator": "llm_judge",
            "metric": "judge_lenient",
            "verdict": verdict,
            "seen": seen,
        }
    )


def test_a_label_is_kept_beside_the_results_which_stay_as_they_are(labeller: Any) -> None:
    before = (labeller.directory / "runs.jsonl").read_bytes()
    response = labeller.say("q2", "pass", note="It says so, behind the butt.")
    assert response.status_code == 303
    assert response.headers["location"].startswith("/judge?run=judged#label-")
    (line,) = _lines(labeller)
    assert (line["sample_id"], line["verdict"], line["label"]) == ("q2", "pass", "correct")
    assert line["run_id"] == labeller.experiment.results.run_id
    assert line["seen"]["verdict"] == "fail"
    assert line["note"] == "It says so, behind the butt."
    assert (labeller.directory / "runs.jsonl").read_bytes() == before
    assert _counted(labeller) == {LabelKey("q2", 0, 0): "pass"}


def test_the_last_label_counts_and_can_be_taken_back(labeller: Any) -> None:
    labeller.say("q1", "pass")
    labeller.say("q1", "fail", note="No: it was Porto.")
    assert _counted(labeller) == {LabelKey("q1", 0, 0): "fail"}
    labeller.say("q1", "cleared")
    assert _counted(labeller) == {}
    assert [line["verdict"] for line in _lines(labeller)] == ["pass", "fail", "cleared"]
    kept = read_labels(labeller.experiment.results)
    assert [label.note for label in kept.notes.values()] == ["No: it was Porto."]


def test_with_htmx_the_form_comes_back_in_its_place(labeller: Any) -> None:
    response = labeller.say("q1", "fail", IN_PLACE, note="<script>alert(1)</script>\x1b[31m")
    assert response.status_code == 200
    assert response.text.lstrip().startswith("<form")
    assert 'aria-pressed="true"' in response.text
    assert "<script" not in response.text
    assert "&lt;script&gt;" in response.text


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"verdict": "perhaps"}, 409, "allowed are pass:correct, fail:incorrect, cleared"),
        ({"verdict": "fail:correct"}, 409, "allowed are"),
        ({"verdict": "pass", "seen": "of another result"}, 409, "has changed since the page was opened"),
        ({"verdict": "pass", "note": "n" * 4001}, 409, "4,001 characters"),
        ({"verdict": "pass", "id": "nobody"}, 404, "no such verdict"),
        ({"verdict": "pass", "metric": "task_qa"}, 400, "evaluator/metric"),
        ({"verdict": "pass", "step": "-1"}, 400, "whole numbers"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_words(reader: Any, change: dict[str, str], status: int, words: str) -> None:
    response = reader.browser.post("/run/judged/label", {**reader.fields("q1"), **change})
    assert response.status_code == status
    assert words in response.text
    assert not (reader.directory / FILE).exists()


def test_a_form_of_somebody_else_changes_nothing(reader: Any) -> None:
    sent = {**reader.fields("q1"), "verdict": "pass"}
    assert reader.browser.post("/run/judged/label", sent, token=False).status_code == 403
    elsewhere = {"Origin": "https://example.org"}
    assert reader.browser.post("/run/judged/label", sent, headers=elsewhere).status_code == 403
    assert not (reader.directory / FILE).exists()


def test_no_form_leads_to_another_site(labeller: Any) -> None:
    for back in ("https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)", "/\t/example.org"):
        response = labeller.say("q1", "pass", back=back)
        assert response.headers["location"].startswith("/run/judged/samples"), back


def test_a_label_on_another_answer_counts_nowhere(labeller: Any, reopened: Any, judged: Path) -> None:
    labeller.say("q1", "pass")
    _rewrite(judged, lambda record: record.update(observed="Another answer"))
    later = reopened()
    assert _counted(later) == {}
    page = later.page("/judge?run=judged")
    assert "1 label on answers that have changed since is left out" in page
    assert "Of another answer." in later.say("q1", "nothing that can be said", IN_PLACE).text


def test_a_label_outlives_another_verdict_on_the_same_answer(labeller: Any, reopened: Any, judged: Path) -> None:
    labeller.say("q1", "pass")
    _rewrite(judged, lambda record: record.update(outcome="scored", value=0.0, passed=False))
    later = reopened()
    assert _counted(later) == {LabelKey("q1", 0, 0): "pass"}
    assert "Judged anew." in later.say("q1", "nothing that can be said", IN_PLACE).text


def test_many_who_label_at_once_lose_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: write_label(tmp_path, _label(f"q{number}")), range(40)))
    lines = (tmp_path / FILE).read_text().splitlines()
    assert sorted(json.loads(line)["sample_id"] for line in lines) == sorted(f"q{number}" for number in range(40))


def test_a_line_that_was_cut_off_costs_no_other_label(labeller: Any) -> None:
    labeller.say("q1", "pass")
    with (labeller.directory / FILE).open("ab") as file:
        file.write(b'{"schema_version": 1, "run')
    labeller.say("q2", "fail")
    assert set(_counted(labeller)) == {LabelKey("q1", 0, 0), LabelKey("q2", 0, 0)}
    (damage,) = read_labels(labeller.experiment.results).damaged
    assert (damage.file, damage.line) == (FILE, 2)
    assert f"{FILE}:2" in labeller.page("/judge?run=judged")


def test_labels_of_another_run_are_not_those_of_this_one(labeller: Any) -> None:
    write_label(labeller.directory, _label("q1"))
    assert read_labels(labeller.experiment.results).by_verdict == {}


def test_where_nothing_can_be_written_the_page_says_so(labeller: Any) -> None:
    (labeller.directory / FILE).mkdir()
    response = labeller.say("q1", "pass")
    assert response.status_code == 409
    assert "could not be saved" in response.text
    in_place = labeller.say("q1", "pass", IN_PLACE, note="worth keeping")
    assert in_place.status_code == 200
    assert "Not saved." in in_place.text
    assert "worth keeping" in in_place.text


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("something else")
    folder = tmp_path / "experiment"
    folder.mkdir()
    (folder / FILE).symlink_to(other)
    with pytest.raises(LabelNotSaved, match="link"):
        write_label(folder, _label())
    assert other.read_text() == "something else"


def test_the_export_is_what_calibration_reads(labeller: Any, tmp_path: Path) -> None:
    from heams.calibration.human_labels import read_human_labels

    labeller.say("q1", "pass")
    labeller.say("q3", "fail")
    labeller.say("q4", "fail")
    labeller.say("q4", "cleared")
    response = labeller.browser.get(f"/run/judged/labels.jsonl?metric={METRIC}")
    path = tmp_path / "labels.jsonl"
    path.write_bytes(response.content)
    found = read_human_labels(path, built_in_policy("lenient"))
    assert [(label.question, label.golds, label.label) for label in found] == [
        ("Where did Nadia move to?", ("Lisbon",), "correct"),
        ("What is baked on Fridays?", ("rye bread",), "incorrect"),
    ]


def test_the_queue_shows_unlabelled_answers_in_the_order_of_its_seed(labeller: Any) -> None:
    address = f"/run/judged/labels?metric={METRIC}&seed=7"
    first = labeller.page(address)
    assert first == labeller.page(address)
    assert "5 verdicts were drawn at random (seed 7)" in first  # the sixth has no score
    assert "incorrect" not in first, "what the judge said must not be seen before the label"
    shown = labeller.say("q2", "pass", IN_PLACE, blind="1").text
    assert "the judge said" in shown
    assert "incorrect" in shown
    assert _lines(labeller)[-1]["blind"] is True
    after = labeller.page(address)
    assert "Where does the spare key hang?" in first
    assert "Where does the spare key hang?" not in after
    labeller.say("q2", "fail", blind="1")
    assert _lines(labeller)[-1]["blind"] is False, "by now the judge's verdict has been shown"


def test_choices_are_those_of_the_policy() -> None:
    graded = LabelPolicy.model_validate(
        {
            "name": "graded",
            "version": 1,
            "system": "Grade.",
            "prompt": "{answer}",
            "labels": [
                {"name": "wrong", "value": 0, "passes": False},
                {"name": "right", "value": 1, "passes": True},
                {"name": "partly", "value": 0.5, "passes": False},
            ],
        }
    )
    assert [(one.label, one.verdict) for one in policy_choices(graded)] == [
        ("right", "pass"),
        ("partly", "fail"),
        ("wrong", "fail"),
    ]
    nugget = [(one.label, one.verdict) for one in policy_choices(built_in_policy("nugget"))]
    assert nugget == [("1", "pass"), ("0.5", "fail"), ("0", "fail")]
    violate = [(one.words, one.label) for one in policy_choices(built_in_policy("prefeval_violate"))]
    assert violate == [("Pass", "no"), ("Fail", "yes")]
    plain = [one.words for one in policy_choices(built_in_policy("grounded"))]
    assert plain == [one.words for one in policy_choices(None)] == ["Pass", "Fail"]
