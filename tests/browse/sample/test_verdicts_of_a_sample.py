"""Expected, observed, reason: which verdict is shown, how words are marked, what the judge left, who else was asked."""

import re
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from heams.browse.views.sample.judged import judge_audit

JUDGED = "/run/judged/sample?id=q2&repeat=0&step=0"


def _panels(found: LexborHTMLParser) -> list[str]:
    return [panel.css_first(".text").text() for panel in found.css(".panel") if panel.css_first(".text")]


def test_expected_observed_and_reason_stand_side_by_side(page: Any) -> None:
    found = page(f"{JUDGED}&metric=llm_judge%2Fjudge_lenient")
    assert _panels(found) == ["behind the water butt", "behind the water butt", "incorrect"]
    assert [head.text() for head in found.css(".panel h3")] == ["Expected", "Observed", "Reason"]
    assert found.css_first(".panel mark").text() == "behind the water butt"
    assert found.css_first("h1").text() == "Where does the spare key hang?"


def test_word_marks_are_switched_off_by_the_address(page: Any) -> None:
    off = page(JUDGED).css_first('[data-key="d"]').attributes["href"]
    found = page(off)
    assert found.css_first(".panel mark") is None
    assert "d=off" not in found.css_first('[data-key="d"]').attributes["href"]


def test_the_metric_of_the_list_is_shown_first_and_every_verdict_can_be_chosen(page: Any) -> None:
    found = page(f"{JUDGED}&metric=evidence_recall%2Fmrr")
    assert found.css_first("#chosen").text() == "mrr"
    links = [link.attributes["href"] for link in found.css(".verdicts li a")]
    assert len(links) == 6
    assert page(links[0]).css_first("#chosen").text() == "contains"


def test_without_a_metric_the_headline_decides(page: Any) -> None:
    assert page("/run/retention/sample?id=rp-002").css_first("#chosen") is not None


def test_a_verdict_that_is_not_there_is_named(page: Any) -> None:
    found = page(f"{JUDGED}&verdict=99")
    assert "no verdict number 99" in re.sub(r"\s+", " ", found.css_first(".blank").text())


def test_the_raw_reply_of_the_judge_is_one_click_away(page: Any) -> None:
    found = page(f"{JUDGED}&metric=llm_judge%2Fjudge_lenient")
    vote = found.css_first("details.vote")
    assert "openai:judge-1" in vote.css_first("summary").text()
    assert vote.css_first(".reply").text() == "WRONG"
    assert "lenient" in found.css_first(".judge .facts").text()
    assert "uncalibrated" in found.css_first(".judge .facts").text()


def test_a_judge_that_could_not_be_read_has_no_verdict_but_its_reply(page: Any) -> None:
    found = page("/run/judged/sample?id=q3&metric=llm_judge%2Fjudge_lenient")
    assert found.css_first(".lead .verdict").text() == "unscored"
    assert "unreadable" in found.css_first("details.vote summary").text()
    assert found.css_first("details.vote .reply").text() == "well, well"


@pytest.mark.parametrize("audit", [{}, {"judge": None}, {"judge": {"models": 3}}, {"judge": "text"}])
def test_an_audit_of_unknown_form_is_no_judge(audit: dict[str, Any]) -> None:
    assert judge_audit(audit) is None


def test_fields_of_a_later_version_are_ignored() -> None:
    found = judge_audit(
        {"judge": {"policy": "strict", "new": 1, "judgements": [{"asked": [{"votes": [{"raw": ["x"]}]}]}]}}
    )
    assert found is not None
    assert found.opinions[0].votes[0].raw == ("x",)


def test_other_runs_are_asked_when_their_part_is_loaded_and_without_javascript(page: Any, browser: Any) -> None:
    whole = page(f"{JUDGED}&metric=task_qa%2Fcontains")
    lazy = whole.css_first("#others")
    assert lazy.attributes["hx-trigger"] == "load"
    assert lazy.css_first("table") is None
    answer = browser.get(lazy.attributes["hx-get"], headers={"hx-request": "true", "hx-target": "others"})
    part = LexborHTMLParser(answer.text)
    assert part.css_first("h1") is None
    without_script = page(lazy.css_first("a.no-js").attributes["href"].partition("#")[0])
    for found in (part, without_script):
        rows = {row.css_first(".mono").text(): row.css_first(".verdict") for row in found.css("#others tbody tr")}
        assert rows["plain__no_memory"].text() == "fail"
        assert rows["judged"].text() == "pass"
        assert rows["failing"].text() == "error"
        assert "retention" not in rows


def test_the_same_question_in_another_run_keeps_the_list(page: Any) -> None:
    found = page(f"{JUDGED}&metric=task_qa%2Fcontains&sort=-name&also=1")
    link = next(a for a in found.css("#others tbody th a") if "plain__lexical" in a.attributes["href"])
    assert "sort=-name" in link.attributes["href"]
    assert page(link.attributes["href"]).css_first("#chosen").text() == "contains"


def test_a_failed_scenario_says_in_which_phase_and_why(page: Any) -> None:
    found = page("/run/failing/sample?id=q2")
    notice = found.css_first(".notice.bad").text()
    assert "step 0" in notice
    assert "RuntimeError" in notice
    assert "the script fails" in notice


def test_repeats_are_chosen_by_links_with_their_verdicts(rewritten: Any) -> None:
    def again(lines: list[dict[str, Any]]) -> None:
        lines.append({**lines[0], "repeat": 1})

    asker = rewritten("judged", again)
    first = asker.get("/run/judged/sample?id=q1").text
    found = LexborHTMLParser(first)
    assert [one.text(strip=True)[0] for one in found.css(".repeat")] == ["0", "1"]
    other = found.css(".repeat")[1].attributes["href"]
    assert LexborHTMLParser(asker.get(other).text).css_first(".repeat[aria-current]").text(strip=True).startswith("1")
    missing = asker.get("/run/judged/sample?id=q1&repeat=7")
    assert missing.status_code == 404
    assert "there are 0, 1" in missing.text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "names no sample"),
        ("id=q1&repeat=-1", "repeat: found"),
        ("id=q1&step=%C2%B2", "step: found"),
        ("id=q1&tab=nothing", "allowed are verdict, transcript"),
        ("id=q1&items=99999999999999999999", "items: found"),
    ],
)
def test_an_address_that_cannot_be_read_says_what_is_allowed(browser: Any, query: str, words: str) -> None:
    answer = browser.get(f"/run/judged/sample?{query}")
    assert answer.status_code == 400
    assert words in answer.text


def test_an_unknown_sample_offers_similar_ones(browser: Any) -> None:
    answer = browser.get("/run/judged/sample?id=q77")
    assert answer.status_code == 404
    assert "Did you mean q" in answer.text
