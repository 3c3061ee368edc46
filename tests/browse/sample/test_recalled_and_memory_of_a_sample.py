"""What was recalled, with hits and misses, and what each action changed in the memory."""

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from heams.browse.views.sample.recalled import ITEMS_A_PAGE


def _words(node: Any) -> str:
    return " ".join(node.text(separator=" ").split())


def _evidence(found: LexborHTMLParser) -> list[tuple[str, str]]:
    rows = found.css("table.evidence tbody tr")
    return [(row.css_first("th").text(), row.css_first(".verdict").text()) for row in rows]


def test_hits_have_a_rank_and_a_place_in_the_history(page: Any) -> None:
    found = page("/run/plain__lexical/sample?id=q2&tab=recalled")
    assert _evidence(found) == [("t2", "rank 1")]
    row = found.css_first("table.evidence tbody tr")
    assert "behind the water butt" in _words(row)
    event = row.css_first("a").attributes["href"]
    number = event.partition("#event-")[2]
    history = page(event.partition("#")[0])
    assert "water butt" in _words(history.css_first(f"#event-{number}"))
    gold = found.css_first("table.recall tr.gold")
    assert gold.css_first("th").text() == "t2"
    assert _words(gold.css_first("td")) == "1"


def test_missing_evidence_is_named_with_its_text(page: Any) -> None:
    found = page("/run/plain__lexical/sample?id=q6&tab=recalled")
    assert _evidence(found) == [("t4", "missing")] or _evidence(found)[0][1].startswith("rank")
    nothing = page("/run/plain__no_memory/sample?id=q2&tab=recalled")
    assert _evidence(nothing) == [("t2", "missing")]
    assert "behind the water butt" in _words(nothing.css_first("table.evidence"))
    assert "Nothing was found" in _words(nothing.css_first("main"))


def test_where_nobody_judged_recall_only_equal_ids_are_hits(rewritten: Any) -> None:
    def unjudged(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            line["records"] = [one for one in line["records"] if "ranks" not in one["audit"]]
            line["transcript"][0]["action"]["step_evaluation_markers"]["evidence"] = ["t2", "elsewhere"]

    found = LexborHTMLParser(
        rewritten("plain__lexical", unjudged).get("/run/plain__lexical/sample?id=q2&tab=recalled").text
    )
    assert _evidence(found) == [("t2", "rank 1"), ("elsewhere", "not known")]
    assert "not in what was saved" in _words(found.css_first("table.evidence"))


def test_results_of_a_query_are_said_to_be_ranked_documents(page: Any) -> None:
    found = page("/run/village__words__full_text_search/sample?id=q1&tab=recalled")
    assert "Ranked documents" in found.css_first(".notice.info").text()
    assert _evidence(found) == [("tides", "rank 1")]
    assert "blue cabinet" in _words(found.css_first("table.evidence tbody"))
    assert "Relevance" in found.css_first("table.evidence thead").text()


def test_ranks_go_on_over_recalls_and_count_an_item_once(rewritten: Any) -> None:
    def twice(lines: list[dict[str, Any]]) -> None:
        step = next(line for line in lines if line["sample_id"] == "q2")["transcript"][0]
        columns = {"scores": [None, 1.0], "tokens": [1, 2], "texts": ["k", "missing"], "withheld": 3}
        step["recalls"] = [
            {"query": "a", "ids": ["one", "t2"], **columns},
            {"query": "b", "ids": ["t2", "two"], **columns},
        ]

    asker = rewritten("plain__lexical", twice, texts={"k": "the text of k"})
    found = LexborHTMLParser(asker.get("/run/plain__lexical/sample?id=q2&tab=recalled").text)
    ranks = [_words(row.css_first("td")) for row in found.css("table.recall tbody tr")]
    assert ranks == ["1", "2", "again", "3"]
    assert "the text of k" in _words(found.css_first("main"))
    assert "this text was not saved" in _words(found.css_first("main"))
    assert "3 items withheld by the recall budget" in _words(found.css_first("main"))


def test_thousands_of_items_come_a_page_at_a_time(rewritten: Any) -> None:
    many = 10_000

    def flood(lines: list[dict[str, Any]]) -> None:
        ids, same = [f"i{number}" for number in range(many)], ["k"] * many
        recall = {"query": "all", "ids": ids, "scores": [0.5] * many, "tokens": [1] * many, "texts": same}
        next(line for line in lines if line["sample_id"] == "q2")["transcript"][0]["recalls"] = [recall]

    asker = rewritten("plain__lexical", flood, texts={"k": "the same"})
    last = many // ITEMS_A_PAGE
    found = LexborHTMLParser(asker.get(f"/run/plain__lexical/sample?id=q2&tab=recalled&items={last}").text)
    rows = found.css("table.recall tbody tr")
    assert len(rows) == ITEMS_A_PAGE
    assert _words(rows[-1].css_first("td")) == str(many)
    assert "10,000" in _words(found.css_first(".pager"))


def _memory(asker: Any, more: str = "") -> LexborHTMLParser:
    return LexborHTMLParser(asker.get(f"/run/retention/sample?id=rp-002&tab=memory{more}").text)


def test_what_a_turn_added_is_shown_with_its_text(browser: Any) -> None:
    found = _memory(browser)
    first = found.css_first("#step-0")
    assert first.css_first(".changes .added .text") is not None
    assert "0 → then 1 item" in _words(first)


def test_changed_items_show_what_differs_word_by_word(rewritten: Any) -> None:
    change = {
        "added": [{"id": "new", "text": "k1", "event_ids": ["t9"]}],
        "removed": [{"id": "old", "text": "k1"}],
        "changed": [
            {"id": "both", "before": "k1", "after": "k2", "fields": ["text", "at"]},
            {"id": "moved", "before": "k1", "after": "k1", "fields": ["speaker"]},
        ],
        "items_before": 3,
        "items_after": 3,
    }

    def changes(lines: list[dict[str, Any]]) -> None:
        steps = next(line for line in lines if line["sample_id"] == "rp-002")["transcript"]
        steps[0]["memory_change"] = change
        steps[1]["memory_change"] = {"reason": "the memory held 900 items", "items_before": 900}

    texts = {"k1": "the green bicycle", "k2": "the red bicycle"}
    found = _memory(rewritten("retention", changes, texts=texts))
    step = found.css_first("#step-0")
    kinds = [_words(item.css_first("b")) for item in step.css(".changes > li")]
    assert kinds == ["removed", "changed", "changed", "added"]
    assert step.css_first(".before-after del").text() == "green"
    assert step.css_first(".before-after ins").text() == "red"
    assert "at changed" in _words(step)
    assert "speaker changed" in _words(step)
    assert "from t9" in _words(step)
    assert "the memory held 900 items" in _words(found.css_first("#step-1"))


def test_an_inspection_shows_what_was_held_and_what_changed_since_the_last_one(rewritten: Any) -> None:
    items = [{"id": f"i{number}", "text": f"item {number}"} for number in range(30)]

    def inspected(lines: list[dict[str, Any]]) -> None:
        steps = next(line for line in lines if line["sample_id"] == "rp-002")["transcript"]
        for step in steps:
            step.pop("dump", None)
        steps[1]["dump"] = items
        steps[2]["dump"] = [*items[2:], {"id": "i9999", "text": "new"}]
        steps[2]["dump"][0] = {**items[2], "text": "another"}

    asker = rewritten("retention", inspected)
    found = _memory(asker)
    assert "29 items since the inspection in step 1: +1 −2 ~1" in _words(found.css_first("#step-2 .held"))
    assert len(found.css("#step-1 table.holds tbody tr")) == 10
    whole = found.css_first('#step-1 a[href*="tab=memory"]')
    alone = LexborHTMLParser(asker.get(whole.attributes["href"]).text)
    assert len(alone.css("#step-1 table.holds tbody tr")) == 30
    assert alone.css_first("#step-2") is None


@pytest.mark.parametrize(
    ("name", "sample", "words"),
    [("judged", "q1", "what it heard before is in the shared history"), ("village__words__full_text_search", "q1", "")],
)
def test_where_nothing_changed_the_page_says_why(page: Any, name: str, sample: str, words: str) -> None:
    blank = page(f"/run/{name}/sample?id={sample}&tab=memory").css_first(".blank")
    assert words in _words(blank)
    assert len(_words(blank.css_first("p"))) > 20
