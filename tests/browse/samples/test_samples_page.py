"""The list of samples: what it shows is what the address says, and every click is an address."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from heams.browse.filters import parse
from heams.browse.index import Library
from heams.browse.labels import VerdictKey, label_form, save_form

LIST = "/run/plain__lexical/samples"
HTMX = {"HX-Request": "true"}
EXPERIMENTS = (
    "plain__no_memory", "plain__full_context", "plain__lexical", "retention", "judged", "hostile", "failing",
    "village__words__full_text_search",
)  # fmt: skip


def words(node: LexborNode | None) -> str:
    """The text of a node in one line."""
    assert node is not None
    return " ".join(node.text(separator=" ").split())


def rows(page: str) -> list[str]:
    """The ids of the samples that are listed."""
    links = LexborHTMLParser(page).css("a[data-row]")
    return [parse_qs(urlsplit(link.attributes["href"] or "").query)["id"][0] for link in links]


def column(page: str, name: str) -> list[str]:
    """The cells of a column."""
    return [words(cell) for cell in LexborHTMLParser(page).css(f"td[data-label='{name}']")]


def link(page: str, selector: str, containing: str = "") -> str:
    """The address of the first such link."""
    found = (node for node in LexborHTMLParser(page).css(selector) if containing in words(node))
    return next(found).attributes["href"] or ""


def state(address: str) -> dict[str, str]:
    """The parameters of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_every_metric_has_a_list_whose_links_can_all_be_read(browser: Any, library: Library, key: str) -> None:
    for metric in library.experiment(key).digest().metrics:
        answer = browser.get(f"/run/{key}/samples?metric={metric.evaluator}/{metric.metric}")
        assert answer.status_code == 200
        page = LexborHTMLParser(answer.text)
        assert words(page.css_first("option[selected]")).startswith(metric.metric)
        links = [urlsplit(node.attributes["href"] or "") for node in page.css("#board a[href^='/run/']")]
        for asked in (parse_qs(one.query) for one in links):
            assert asked.get("metric", [""])[0] in {"", f"{metric.evaluator}/{metric.metric}"}
            parse(asked.get("q", [""])[0])
        assert all(node.attributes.get("style") is None for node in page.css("*"))
        assert not page.css("script:not([src]), style, [onclick]")


def test_the_first_headline_metric_is_listed_where_none_is_named(browser: Any, library: Library) -> None:
    first = library.experiment("retention").digest().metrics[0]
    page = browser.get("/run/retention/samples").text
    assert words(LexborHTMLParser(page).css_first("option[selected]")).startswith(first.metric)
    assert state(link(page, "a[data-row]"))["metric"] == f"{first.evaluator}/{first.metric}"


def test_a_filter_leaves_the_rows_that_it_means(browser: Any) -> None:
    page = browser.get(f"{LIST}?q=tag.kind:time").text
    assert sorted(rows(page)) == ["q5", "q6"]
    assert [words(chip) for chip in LexborHTMLParser(page).css(".chips .term")] == ["tag.kind:time × remove"]
    assert "2 rows of this filter" in words(LexborHTMLParser(page).css_first(".list-head"))
    assert sorted(rows(browser.get(link(page, ".chips .term")).text)) == ["q1", "q2", "q3", "q4", "q5", "q6"]


def test_words_are_searched_in_long_texts_and_marked(browser: Any) -> None:
    page = browser.get(f"{LIST}?q=umbrella").text
    assert rows(page) == ["q4"]
    assert "umbrella" in {mark.text() for mark in LexborHTMLParser(page).css("tbody mark")}


def test_a_facet_adds_its_value_and_takes_it_back(browser: Any) -> None:
    added = link(browser.get(f"{LIST}?sort=name&columns=name").text, ".facet li a", "habit")
    assert state(added) == {"metric": "task_qa/contains", "q": "tag.kind:habit", "sort": "name", "columns": "name"}
    both = link(browser.get(added).text, ".facet li a", "place")
    assert state(both)["q"] == "tag.kind:habit,place"
    chosen = browser.get(both).text
    assert sorted(rows(chosen)) == ["q1", "q2", "q3", "q4"]
    marked = LexborHTMLParser(chosen).css(".facet li a[aria-current]")
    assert [words(one) for one in marked] == ["✓ habit 2", "✓ place 2"]
    assert state(link(chosen, ".facet li a[aria-current]", "place"))["q"] == "tag.kind:habit"
    assert "q" not in state(link(chosen, ".facet h2 a"))


def test_verdicts_have_keys_and_counts_that_ignore_their_own_terms(browser: Any) -> None:
    page = LexborHTMLParser(browser.get("/run/judged/samples?metric=llm_judge/judge_lenient&q=verdict:fail").text)
    strip = {node.attributes["data-key"]: words(node) for node in page.css(".strip a")}
    assert list(strip) == ["1", "2", "3", "4", "5", "6"]
    counts = {text.split()[0]: int(text.split()[1]) for text in strip.values()}
    assert counts == {"pass": 1, "partial": 0, "fail": 4, "unscored": 1, "error": 0, "unsupported": 0}
    assert [node.attributes["data-key"] for node in page.css(".strip a[aria-current]")] == ["3"]


def test_bars_of_scores_lead_to_the_rows_that_they_count(browser: Any) -> None:
    page = browser.get(f"{LIST}?metric=task_qa/token_f1").text
    bars = LexborHTMLParser(page).css("svg.scores a")
    assert len(bars) == 2
    for bar in bars:
        found = browser.get(bar.attributes["href"]).text
        assert (bar.attributes["aria-label"] or "").startswith(f"{len(rows(found))} row")
        assert LexborHTMLParser(found).css("svg.scores a:not(.outside)")


def test_rows_are_sorted_by_the_column_that_was_clicked(browser: Any) -> None:
    page = browser.get(f"{LIST}?metric=task_qa/token_f1&columns=name,value").text
    upwards = link(page, "thead a", "Score")
    scores = [float(text) for text in column(browser.get(upwards).text, "Score")]
    assert scores == sorted(scores)
    downwards = link(browser.get(upwards).text, "thead a", "Score")
    assert state(downwards)["sort"] == "-value"
    assert [float(text) for text in column(browser.get(downwards).text, "Score")] == scores[::-1]
    assert 'aria-sort="descending"' in browser.get(downwards).text


def test_columns_are_those_of_the_address_and_the_form_repeats_the_rest(browser: Any) -> None:
    page = browser.get(f"{LIST}?columns=sample,tag.kind,verdict&q=verdict:pass").text
    found = LexborHTMLParser(page)
    assert [words(head) for head in found.css("thead th")] == ["Sample", "kind", "Verdict"]
    form = found.css_first("details.menu form")
    assert form is not None
    ticked = {box.attributes["value"] for box in form.css("input[checked]")}
    assert ticked == {"sample", "tag.kind", "verdict"}
    hidden = {box.attributes["name"]: box.attributes["value"] for box in form.css("input[type=hidden]")}
    assert hidden == {"metric": "task_qa/contains", "q": "verdict:pass"}


def test_the_address_of_a_sent_form_is_made_tidy(browser: Any) -> None:
    sent = browser.get(f"{LIST}?metric=task_qa/contains&q=&was=verdict:fail&columns=name&columns=value&sort=&size=50")
    assert sent.status_code == 303
    assert sent.headers["location"] == f"{LIST}?metric=task_qa%2Fcontains&columns=name%2Cvalue"


def test_pages_follow_each_other_and_a_page_after_the_last_is_the_last(browser: Any) -> None:
    address = "/run/retention/samples?size=25"
    first = browser.get(address).text
    second = browser.get(link(first, "a[rel=next]")).text
    assert len(rows(first)) == 25
    assert len(rows(second)) == 10
    assert "26–35 of 35 rows" in words(LexborHTMLParser(second).css_first(".pager"))
    assert rows(browser.get(f"{address}&page=999999").text) == rows(second)
    assert state(link(second, "a[data-row]"))["page"] == "2"


@pytest.mark.parametrize(
    ("asked", "said", "offered"),
    [
        ("page=0", "page: found “0”", None),
        ("page=x", "a whole number from 1", None),
        ("size=7", "allowed is 25, 50, 100, 200", None),
        ("sort=-valeu", "there is no column &#39;valeu&#39;", "sort=value"),
        ("sort=" + ",".join(f"tag.x{n}" for n in range(33)), "an order has at most 32 columns", None),
        ("metric=task_qa/contain", "There is no metric “task_qa/contain”", "metric=task_qa%2Fcontains"),
    ],
)
def test_an_address_that_says_nothing_possible_is_answered_with_what_is(
    browser: Any, asked: str, said: str, offered: str | None
) -> None:
    answer = browser.get(f"{LIST}?{asked}")
    assert answer.status_code == 400
    assert said.lower() in answer.text.lower()
    assert offered is None or offered in answer.text


def test_a_filter_that_cannot_be_read_is_underlined_and_the_last_list_stays(browser: Any) -> None:
    answer = browser.get(f"{LIST}?q=tag.kind:habit+verdict:fial&was=tag.kind:habit")
    assert answer.status_code == 400
    page = LexborHTMLParser(answer.text)
    assert page.css_first("mark.wrong").text() == "fial"  # type: ignore[union-attr]
    assert (page.css_first("#q").attributes["value"]) == "tag.kind:habit verdict:fial"  # type: ignore[union-attr]
    assert sorted(rows(answer.text)) == ["q3", "q4"]
    assert state(link(answer.text, "#problem a"))["q"] == "tag.kind:habit verdict:fail"
    assert page.css_first("input[name=was]").attributes["value"] == "tag.kind:habit"  # type: ignore[union-attr]
    assert state(link(answer.text, "thead a"))["q"] == "tag.kind:habit"


def test_in_place_only_the_problem_is_exchanged(browser: Any) -> None:
    answer = browser.get(f"{LIST}?q=value<<&was=verdict:pass", headers=HTMX)
    assert answer.status_code == 200
    assert answer.headers["hx-retarget"] == "#problem"
    assert answer.headers["hx-push-url"] == "false"
    assert not rows(answer.text)


def test_a_tag_that_nothing_has_is_a_mistake_with_the_nearest_one(browser: Any) -> None:
    page = browser.get(f"{LIST}?q=tag.knid:habit").text
    assert state(link(page, "#problem a"))["q"] == "tag.kind:habit"
    assert len(rows(page)) == 6


def test_in_place_the_board_is_exchanged_and_the_address_is_tidy(browser: Any) -> None:
    answer = browser.get(f"{LIST}?metric=task_qa/contains&q=verdict:pass&was=&sort=", headers=HTMX)
    assert "<html" not in answer.text
    assert answer.headers["hx-push-url"] == f"{LIST}?metric=task_qa%2Fcontains&q=verdict%3Apass"
    assert 'id="said"' in answer.text
    restored = browser.get(LIST, headers={**HTMX, "HX-History-Restore-Request": "true"})
    assert "<html" in restored.text


def test_where_nothing_is_left_each_term_says_what_it_would_leave(browser: Any) -> None:
    page = browser.get(f"{LIST}?q=tag.kind:habit+zebra").text
    table = {
        words(row.css_first("th")): [words(cell) for cell in row.css("td")]
        for row in LexborHTMLParser(page).css(".card tbody tr")
    }
    assert table == {
        "tag.kind:habit": ["2 rows", "0 rows , remove this term"],
        "zebra": ["0 rows", "2 rows , remove this term"],
    }
    assert sorted(rows(browser.get(link(page, ".card tbody a", "2 rows , remove")).text)) == ["q3", "q4"]


def test_of_a_great_many_terms_none_is_counted_alone(browser: Any) -> None:
    page = browser.get(f"{LIST}?q={'+'.join(f'zebra{n}' for n in range(21))}").text
    assert "No row meets all of these 21 terms." in words(LexborHTMLParser(page).css_first(".blank"))
    assert not LexborHTMLParser(page).css(".card table")


def test_hostile_texts_are_shown_and_do_nothing(browser: Any) -> None:
    page = browser.get("/run/hostile/samples?columns=name,observed").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "\x1b" not in page
    assert 'title="U+202E"' in page
    asked = browser.get("/run/hostile/samples?q=<script>alert(1)</script>&was=%22><img>").text
    assert "<script>alert" not in asked
    assert "<img>" not in asked


@pytest.mark.parametrize(
    ("written", "status"), [("%00", 200), ("%ED%A0%BD", 200), ("((((", 400), ("a" * 5000, 400), ("value:1e999", 400)]
)
def test_any_filter_has_an_answer(browser: Any, written: str, status: int) -> None:
    assert browser.get(f"/run/hostile/samples?q={written}").status_code == status


def test_failed_rows_can_be_reached_by_keys(browser: Any) -> None:
    page = LexborHTMLParser(browser.get("/run/failing/samples").text)
    assert len(page.css("a[data-row][data-failed]")) == 6
    passed = LexborHTMLParser(browser.get(f"{LIST}?q=verdict:pass").text)
    assert passed.css("a[data-row]")
    assert not passed.css("a[data-failed]")


def test_what_went_wrong_stands_where_nothing_was_observed(browser: Any) -> None:
    page = LexborHTMLParser(browser.get("/run/failing/samples").text)
    assert "RuntimeError: the script fails" in words(page.css_first("tbody .of-observed"))


def test_tokens_are_shown_where_there_are_any(browser: Any) -> None:
    def heads(key: str) -> str:
        return words(LexborHTMLParser(browser.get(f"/run/{key}/samples").text).css_first("thead"))

    assert "Tokens" in heads("judged")
    assert "Tokens" not in heads("plain__lexical")


def test_every_row_leads_to_its_sample(browser: Any) -> None:
    page = browser.get(f"{LIST}?q=verdict:pass&sort=name&columns=name").text
    address = link(page, "a[data-row]")
    assert state(address)["q"] == "verdict:pass"
    assert state(address)["sort"] == "name"
    assert browser.get(address).status_code == 200


@pytest.fixture
def own(
    tmp_path: Path, browse_results: Path, browser_of: Callable[[Library], Any], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Path, Library, Any]]:
    """An experiment to write into, half of it played so far, and a client that looks at every request."""
    monkeypatch.setattr("heams.browse.index.library._SECONDS_BETWEEN_LOOKS", 0.0)
    experiment = tmp_path / "results" / "plain__lexical"
    shutil.copytree(browse_results / "plain__lexical", experiment)
    with Library([tmp_path / "results"]) as library:
        yield experiment, library, browser_of(library)


def test_new_rows_are_announced_while_a_run_is_under_way(own: tuple[Path, Library, Any]) -> None:
    experiment, _, browser = own
    lines = (experiment / "runs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (experiment / "runs.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    _say(experiment, "running")
    page = browser.get(LIST).text
    (news,) = LexborHTMLParser(page).css("#news")
    asked = news.attributes["hx-get"]
    assert (len(rows(page)), news.attributes["hx-trigger"]) == (2, "every 3s")
    assert words(LexborHTMLParser(browser.get(asked, headers=HTMX).text).body) == ""
    (experiment / "runs.jsonl").write_text("".join(lines[:5]), encoding="utf-8")
    told = browser.get(asked, headers=HTMX)
    assert (told.status_code, words(LexborHTMLParser(told.text).body)) == (200, "3 new: show")
    assert len(rows(browser.get(link(told.text, "a")).text)) == 5
    _say(experiment, "completed")
    assert browser.get(asked, headers=HTMX).status_code == 286, "nothing more will come"
    assert 'hx-trigger="every' not in browser.get(LIST).text


def test_labels_of_people_are_a_column_and_can_be_filtered(own: tuple[Path, Library, Any]) -> None:
    _, library, browser = own
    experiment = library.experiment("plain__lexical")
    assert "Label" not in words(LexborHTMLParser(browser.get(LIST).text).css_first("thead"))
    asked = state(link(browser.get(f"{LIST}?q=sample:q2").text, "a[data-row]"))
    step = int(asked["step"]) if "step" in asked else None
    with experiment.tables() as tables:
        form = label_form(experiment, tables, VerdictKey("q2", 0, step, "task_qa", "contains"), back="/")
    assert form is not None
    save_form(experiment, form, {"verdict": "fail", "seen": form.seen})
    page = browser.get(LIST).text
    assert sorted(column(page, "Label")) == ["fail", *["—"] * 5]
    assert rows(browser.get(f"{LIST}?q=label:fail").text) == ["q2"]
    (line,) = browser.get("/run/plain__lexical/samples.jsonl?q=label:fail").text.splitlines()
    assert json.loads(line)["label"] == "fail"


def _say(experiment: Path, state: str) -> None:
    path = experiment / "run_status.json"
    status = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(status | {"state": state}), encoding="utf-8")


def test_a_label_is_about_the_first_verdict_where_a_step_has_several(own: tuple[Path, Library, Any]) -> None:
    folder, library, browser = own
    lines = [json.loads(line) for line in (folder / "runs.jsonl").read_bytes().splitlines()]
    twice = [line | {"records": line["records"] * 2} for line in lines]
    (folder / "runs.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in twice), encoding="utf-8")
    experiment = library.experiment("plain__lexical")
    first, second = (row.attributes["href"] or "" for row in _links(browser.get(f"{LIST}?q=sample:q2").text))
    step = int(state(first)["step"]) if "step" in state(first) else None
    with experiment.tables() as tables:
        form = label_form(experiment, tables, VerdictKey("q2", 0, step, "task_qa", "contains"), back="/")
    assert form is not None
    save_form(experiment, form, {"verdict": "fail", "seen": form.seen})
    assert column(browser.get(f"{LIST}?q=sample:q2").text, "Label") == ["fail", "—"]
    assert rows(browser.get(f"{LIST}?q=label:fail").text) == ["q2"]
    walk = LexborHTMLParser(browser.get(f"{first}&q=LABEL:fail".replace("q=sample%3Aq2&", "")).text).css_first(".walk")
    assert "1 of 1" in words(walk)
    forms = [browser.get(sample).text.count('action="/run/plain__lexical/label"') for sample in (first, second)]
    assert (forms[0] > 0, forms[1]) == (True, 0)


def test_an_evaluator_may_have_a_slash_in_its_name(own: tuple[Path, Library, Any]) -> None:
    folder, _, browser = own
    text = (folder / "runs.jsonl").read_text(encoding="utf-8").replace('"evaluator":"task_qa"', '"evaluator":"a/b"')
    (folder / "runs.jsonl").write_text(text, encoding="utf-8")
    assert len(rows(browser.get(f"{LIST}?metric=a/b/contains").text)) == 6


def _links(page: str) -> list[LexborNode]:
    return LexborHTMLParser(page).css("a[data-row]")
