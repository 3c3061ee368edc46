"""The page of one experiment: its numbers are those of reports, and lead to the samples behind them."""

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from heams.browse.filters import parse
from heams.browse.index import Library
from heams.browse.views.breakdown import breakdown_of
from heams.reporting.experiment_report import experiment_report

EXPERIMENTS = (
    "plain__no_memory", "plain__full_context", "plain__lexical", "retention", "judged", "hostile", "failing",
    "village__words__full_text_search",
)  # fmt: skip


def words(node: LexborNode | None) -> str:
    """The text of a node in one line."""
    assert node is not None
    return " ".join(node.text(separator=" ").split())


def test_headline_and_tables_say_what_the_report_says(browser: Any, library: Library) -> None:
    page = LexborHTMLParser(browser.get("/run/retention").text)
    headline = [words(node) for node in page.css(".figure")]
    assert headline[0].startswith("no_leak 0.200 95 % interval [0.100, 0.359] n 35 The share of probes")
    experiment = library.experiment("retention")
    with experiment.tables() as tables:
        report = "".join(experiment_report(experiment.digest(), tables))
    (table,) = [found for found in page.css("table") if words(found.css_first("caption")) == "All metrics"]
    assert len(table.css("tbody tr")) == len(experiment.digest().metrics) == 7
    for row in table.css("tbody tr"):
        mean, interval = words(row.css_first("[data-label=Mean]")), words(row.css_first("[data-label^='95']"))
        assert f"| {mean} | {interval} |" in report
    criteria = next(table for table in page.css("table.tags") if words(table.css_first("caption")) == "By criterion")
    assert words(criteria.css_first("tbody th")) == "Time is over"
    assert "family divides the questions alike." in words(page.body)


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_every_experiment_has_a_page_and_every_filter_on_it_can_be_read(
    browser: Any, library: Library, key: str
) -> None:
    answer = browser.get(f"/run/{key}")
    assert answer.status_code == 200
    page = LexborHTMLParser(answer.text)
    metrics = {f"{metric.evaluator}/{metric.metric}" for metric in library.experiment(key).digest().metrics}
    links = [urlsplit(node.attributes["href"] or "") for node in page.css("main a[href^='/run/']")]
    samples = [parse_qs(link.query) for link in links if link.path == f"/run/{key}/samples"]
    assert len(samples) > 3
    for asked in samples:
        assert set(asked.get("metric", [])) <= metrics
        parse(asked.get("q", [""])[0])
    assert all(node.attributes.get("style") is None for node in page.css("*"))
    assert not page.css("script:not([src]), style")


def test_what_went_wrong_is_grouped_and_leads_to_the_first_case(browser: Any) -> None:
    page = LexborHTMLParser(browser.get("/run/failing").text)
    assert "Every scenario ended in an error." in words(page.css_first(".notice.bad"))
    (table,) = [found for found in page.css("table") if words(found.css_first("caption")) == "What went wrong"]
    assert "RuntimeError step 6 the script fails on '?'" in words(table)
    assert (table.css_first("td a.tiny").attributes["href"] or "").startswith("/run/failing/sample?id=q")  # type: ignore[union-attr]


def test_references_judges_recipes_and_setup_are_named(browser: Any) -> None:
    assert "no_memory is a lower reference: it remembers nothing." in browser.get("/run/plain__no_memory").text
    judged = words(LexborHTMLParser(browser.get("/run/judged").text).body)
    assert "judge_lenient is judged by openai:judge-1 under the policy lenient" in judged
    assert "1 unscored" in judged
    recipe = words(LexborHTMLParser(browser.get("/run/village__words__full_text_search").text).body)
    assert "query mode full_text_search" in recipe
    assert "Knowledge bases 1 Built 1 Documents 5" in recipe
    setup = words(LexborHTMLParser(browser.get("/run/retention").text).body)
    assert "sha256 " in setup
    assert "Recall budget 10 items" in setup
    assert "Seed 0" in setup


def test_latency_is_drawn_without_anything_active(browser: Any) -> None:
    answer = browser.get("/charts/run/retention/latency.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert "<script" not in answer.text
    assert browser.get("/charts/run/failing/latency.svg").status_code == 204


def test_an_interrupted_run_says_what_plays_the_rest(browse_results: Path, browser_of: Any, tmp_path: Path) -> None:
    copy = shutil.copytree(browse_results / "plain__lexical", tmp_path / "results/plain__lexical")
    status = json.loads((copy / "run_status.json").read_text(encoding="utf-8"))
    (copy / "run_status.json").write_text(json.dumps(status | {"state": "interrupted"}), encoding="utf-8")
    with Library([copy]) as found:
        page = LexborHTMLParser(browser_of(found).get("/run/plain__lexical").text)
    assert "The run was interrupted" in words(page.css_first(".notice"))
    assert words(page.css_first(".notice")).endswith("The same command again plays the rest.")


def test_what_it_can_be_compared_with_is_called_by_memory_system_and_agent(browser: Any) -> None:
    page = LexborHTMLParser(browser.get("/run/plain__lexical").text)
    others = {node.attributes["value"]: words(node) for node in page.css("select[name=b] option")}
    assert others["plain__no_memory"].startswith("no_memory · extractive · ")
    assert "plain__lexical" not in others
    assert "retention" not in others, "that is another benchmark"


def test_a_mistyped_name_is_answered_with_the_nearest_one(browser: Any) -> None:
    answer = browser.get("/run/retntion")
    assert answer.status_code == 404
    page = LexborHTMLParser(answer.text)
    assert "There is no experiment named “retntion”" in words(page.body)
    assert page.css_first("main a.primary").attributes["href"] == "/run/retention"  # type: ignore[union-attr]


def test_large_results_are_counted_in_a_process_of_their_own(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    here = breakdown_of(library.experiment("retention"))
    monkeypatch.setattr("heams.browse.views.breakdown.is_large", lambda results: True)
    assert breakdown_of(library.experiment("retention")) == here
    assert here.by_tag
