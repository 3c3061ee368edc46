"""What is offered while a filter is being written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.browse.filters import Completion, KnownValues, ValueCount, complete, parse

KNOWN = KnownValues(
    fields={"verdict": [ValueCount("fail", 7)], "history": [ValueCount("history a", 3), ValueCount("none", 1)]},
    tags={"category": [ValueCount("temporal", 5), ValueCount("two words", 2)], "my tag": [ValueCount("x", 1)]},
)


def _after(text: str, known: KnownValues = KNOWN) -> list[str]:
    """Texts after each completion at ``|``."""
    cursor = text.index("|")
    text = text.replace("|", "")
    return [_applied(text, completion) for completion in complete(text, cursor, known)]


def _applied(text: str, completion: Completion) -> str:
    return text[: completion.start] + completion.text + text[completion.end :]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("ver|", "verdict:"),
        ("a -ver|", "a -verdict:"),
        ("(ver|", "(verdict:"),
        ("va|", "value"),
        ("value|", "value:"),
        ("ver|dict", "verdict:"),
        ("verdict:|", "verdict:pass"),
        ("verdict:fa|", "verdict:fail"),
        ("verdict:pass,fa|", "verdict:pass,fail"),
        ("verdict:pa|rtial a", "verdict:pass a"),
        ("tag.cat|", "tag.category:"),
        ("cat|", "tag.category:"),
        ("tag.my|", 'tag."my tag":'),
        ("tag.category:tw|", 'tag.category:"two words"'),
        ('tag.category:"two w|', 'tag.category:"two words"'),
        ('tag.category:"two w|ord" a', 'tag.category:"two words" a'),
        ('tag."my tag":|', 'tag."my tag":x'),
        ("history:a|", 'history:"history a"'),
        ("history:no|", 'history:"none"'),
    ],
)
def test_the_best_completion(text: str, first: str) -> None:
    assert _after(text)[0] == first


def test_numbers_offer_their_operators() -> None:
    offered = [completion.text for completion in complete("value", 5, KNOWN) if completion.kind == "operator"]
    assert offered == [":", "!=", "<", "<=", ">", ">="]


def test_choices_come_with_counts_where_any_are_known() -> None:
    counts = {completion.label: completion.count for completion in complete("verdict:", 8, KNOWN)}
    assert counts["fail"] == 7
    assert counts["pass"] == 0
    unknown = {completion.label: completion.count for completion in complete("outcome:", 8, KNOWN)}
    assert unknown["scored"] is None


@pytest.mark.parametrize("text", ["|", "a |", "verdict:pass |", "-|", "a OR |"])
def test_every_field_is_offered_where_a_term_may_begin(text: str) -> None:
    assert any(after.replace("a OR ", "").endswith("verdict:") for after in _after(text))


@pytest.mark.parametrize("text", ["name~/a|", '"some tex|', "<|", "unknown:|"])
def test_nothing_is_offered_where_nothing_is_known(text: str) -> None:
    assert _after(text) == []


@given(st.text(alphabet='vertagcy.:"(,-< \\', max_size=14), st.integers(0, 14))
def test_completing_never_fails(text: str, cursor: int) -> None:
    for completion in complete(text, cursor, KNOWN):
        assert 0 <= completion.start <= completion.end <= len(text)


@pytest.mark.parametrize("text", ["verdict:|", "tag.category:|", "history:|", "outcome:s|"])
def test_a_chosen_value_makes_a_filter(text: str) -> None:
    for after in _after(text):
        parse(after)
