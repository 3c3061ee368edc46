"""The page that compares two experiments: its verdict, its cells and lists, what it refuses, and one pair."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from saved_pairs import save
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from heams.browse.index import Library

A = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, None]
B = [1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1]
HOSTILE = "<script>alert(1)</script> \u202egnp \x1b[31m"
BOTH = "/compare?a=extractive__lexical__jsonl_qa&b=extractive__vector__jsonl_qa"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A and B on fourteen questions; others that are not like them."""
    root = tmp_path_factory.mktemp("compare") / "results"
    graded = {"grade": [place / 20 for place in range(14)]}
    other = {"grade": [0.3] * 14}
    save(root, "lexical", A, metrics=graded, texts={2: HOSTILE})
    save(root, "vector", B, metrics=other, texts={2: "a right answer"})
    save(root, "hybrid", B, budget=5)
    save(root, "vector", B, agent="scripted")
    save(root, "lexical", A, benchmark="retention_policy")
    return root


@pytest.fixture(scope="module")
def comparable(saved: Path) -> "Iterator[Library]":
    """The library over them."""
    with Library([saved]) as found:
        yield found


@pytest.fixture
def page(comparable: Library, browser_of: Any) -> Any:
    """Asks for an address, gives the parsed page."""
    browser = browser_of(comparable)

    def ask(address: str, status: int = 200) -> HTMLParser:
        answer = browser.get(address)
        assert answer.status_code == status, answer.text
        return HTMLParser(answer.text)

    return ask


def words(page: HTMLParser, selector: str) -> str:
    """The text of the first element."""
    found = page.css_first(selector)
    assert found is not None, selector
    return " ".join(found.text(separator=" ").split())


def listed(page: HTMLParser) -> list[str]:
    """The sample ids of the list, from top to bottom."""
    links = [node.attributes["href"] or "" for node in page.css("table.pairs a[data-row]")]
    return [parse_qs(urlsplit(link).query)["id"][0] for link in links]


def test_the_verdict_comes_first_with_what_it_rests_on(page: Any) -> None:
    found = page(BOTH)
    assert words(found, "#verdict").startswith("B is better by 61.5 points (95 % interval")
    tiles = words(found, ".result .tiles")
    assert "B − A +61.5 points" in tiles
    assert "p 0.021 McNemar's exact test" in tiles
    assert "Compared 13 pairs" in tiles
    assert "1 unscored in A" in words(found, ".plain-list")
    assert 'type is "lexical" in A and "vector" in B' in words(found, ".plain-list")


def test_each_cell_of_who_was_right_leads_to_its_pairs(page: Any) -> None:
    found = page(BOTH)
    cells = {words_of(node): node.attributes["href"] or "" for node in found.css(".quarters td a")}
    assert list(cells) == ["2 both right", "1 A only", "9 B only", "1 both wrong"]
    assert listed(page(cells["1 A only"])) == ["s1"]
    assert listed(page(cells["9 B only"])) == [f"s{place}" for place in range(2, 11)]
    assert listed(page(cells["1 both wrong"])) == ["s11"]
    assert listed(page(f"{BOTH}&cell=regressed")) == ["s1"]


def words_of(node: Any) -> str:
    """The text of an element."""
    return " ".join(node.text(separator=" ").split())


def test_the_largest_difference_is_on_top_and_equal_pairs_can_be_hidden(page: Any) -> None:
    found = page(f"{BOTH}&metric=own/grade")
    assert listed(found)[:3] == ["s13", "s0", "s12"]
    assert listed(page(f"{BOTH}&metric=own/grade&only=different")) == [one for one in listed(found) if one != "s6"]
    assert not found.css(".quarters"), "a graded metric passes and fails nothing"
    assert "Every verdict of both is in a pair" in words(found, ".plain-list")


def test_groups_have_their_own_numbers_and_lead_to_their_pairs(page: Any) -> None:
    found = page(BOTH)
    rows = {words_of(row.css_first("th")): row for row in found.css("table.groups tbody tr")}
    assert list(rows) == ["even", "odd"]
    assert "7" in words_of(rows["even"].css_first("td[data-label=Pairs]"))
    odd = rows["odd"].css_first("th a").attributes["href"]
    assert listed(page(odd)) == ["s1", "s3", "s5", "s7", "s9", "s11"]


def test_a_criterion_is_called_alike_in_its_group_and_beside_its_pairs(browser: Any) -> None:
    found = HTMLParser(browser.get("/compare?a=retention&b=retention").text)
    groups = {words_of(node) for node in found.css("table.groups tbody th")}
    assert "Time is over" in groups
    assert {words_of(node).removeprefix("criterion ") for node in found.css("table.pairs .which .tag")} <= groups


def test_what_is_not_like_with_like_is_named_with_both_values_and_can_be_allowed(page: Any) -> None:
    other = BOTH.replace("__vector__", "__hybrid__")
    refused = page(other)
    assert "not like with like" in words(refused, ".refused h2")
    row = words(refused, ".unlike tbody tr")
    assert row.startswith("budget recall budget: items 10 5")
    assert not refused.css("#verdict")
    allowed = page(refused.css_first(".unlike tbody a.button").attributes["href"])
    assert words(allowed, "#verdict").startswith("B is better")
    assert "You allowed to differ: budget" in words(allowed, ".allowed summary")
    back = allowed.css_first(".allowed tbody a").attributes["href"]
    assert "allow=" not in back
    assert "allow=budget" in allowed.css_first("table.pairs a[data-row]").attributes["href"]


def test_of_agent_and_memory_system_one_has_to_be_allowed(page: Any) -> None:
    refused = page(BOTH.replace("extractive__vector", "scripted__vector"))
    buttons = [words_of(node) for node in refused.css(".refused .actions a")]
    assert buttons == ["Allow agent", "Allow memory system"]
    allowed = page(refused.css_first(".refused .actions a").attributes["href"])
    assert words(allowed, "#verdict").startswith("B is better")


def test_two_benchmarks_have_nothing_in_common(page: Any) -> None:
    found = page(BOTH.replace("extractive__vector__jsonl_qa", "extractive__lexical__retention_policy"), status=409)
    assert "nothing in common" in words(found, ".blank")


def test_a_pair_shows_both_answers_with_their_differences_escaped(page: Any) -> None:
    found = page(BOTH)
    href = next(one for one in (n.attributes["href"] for n in found.css("table.pairs a[data-row]")) if "id=s2&" in one)
    pair = page(href)
    assert words(pair, "h1") == "Question 2?"
    assert "expected 2" in words(pair, ".pair-top")
    assert "<script>alert" not in (pair.css_first("main").html or "")
    left, right = (words_of(node) for node in pair.css(".pair-side"))
    assert "fail 0.000" in left
    assert "pass 1.000" in right
    assert [node.text() for node in pair.css("[aria-labelledby=side-b] ins")] == ["a right answer"]
    assert "e1" in left, "what was recalled"
    assert pair.css_first("[data-key=j]").attributes["href"].startswith("/compare?")
    assert words(pair, ".page-head nav") == "Previous pair 2 of 13 Next pair"
    samples = [node.attributes["href"] for node in pair.css("[data-key=a], [data-key=b]")]
    assert [one.split("?")[0] for one in samples] == [
        "/run/extractive__lexical__jsonl_qa/sample",
        "/run/extractive__vector__jsonl_qa/sample",
    ]


def test_sides_are_swapped_with_the_rest_of_the_address_kept(page: Any) -> None:
    swapped = page(page(f"{BOTH}&metric=own/f1&only=different").css_first("[data-key=x]").attributes["href"])
    assert words(swapped, "#verdict").startswith("B is worse by 61.5 points")
    assert len(listed(swapped)) == 10


def test_like_experiments_come_first_and_nothing_chosen_is_no_error(page: Any) -> None:
    empty = page("/compare")
    assert "Choose two experiments" in words(empty, ".blank")
    half = page("/compare?a=extractive__lexical__retention_policy")
    groups = [node.attributes["label"] for node in half.css("select[name=b] optgroup")]
    assert groups == ["Retention policy (like A)", "Own questions: q"]
    assert "Choose B" in words(half, ".blank")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("&cell=regresed", "Did you mean regressed?"),
        ("&metric=own/garde", "Use own/grade"),
        ("&allow=budgets", "Did you mean budget?"),
        ("&page=x", "whole numbers from 1"),
        ("&id=nowhere", "No pair of this comparison"),
        ("&group=neither&by=kind", "have no such value"),
    ],
)
def test_mistakes_are_answered_with_what_is_allowed(page: Any, more: str, said: str) -> None:
    assert said in words(page(f"{BOTH}{more}", status=400), "main")


def test_an_experiment_compared_with_itself_says_so(page: Any) -> None:
    found = page("/compare?a=extractive__lexical__jsonl_qa&b=extractive__lexical__jsonl_qa")
    assert words(found, "#verdict").startswith("No difference was seen")
    assert "No pair is like that" in words(
        page(f"{BOTH.split('&b=')[0]}&b=extractive__lexical__jsonl_qa&only=different"), ".blank"
    )
