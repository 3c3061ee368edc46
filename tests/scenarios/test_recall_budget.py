"""Equal budgets: the longest prefix that fits, never more."""

from hypothesis import given
from hypothesis import strategies as st

from heams.memory.base import RecalledItem
from heams.scenarios.budget import RecallBudget, admit

texts = st.lists(st.text(alphabet="ab ", max_size=12), max_size=12)
limits = st.none() | st.integers(min_value=1, max_value=40)


@given(texts, limits, limits)
def test_what_is_admitted_is_the_longest_prefix_within_the_budget(
    contents: list[str], items: int | None, tokens: int | None
) -> None:
    found = [RecalledItem(id=str(n), text=text) for n, text in enumerate(contents)]
    admitted = admit(found, RecallBudget(items=items, tokens=tokens), len)
    kept = len(admitted.items)
    assert list(admitted.items) == found[:kept]
    assert list(admitted.tokens) == [len(item.text) for item in admitted.items]
    assert admitted.withheld == len(found) - kept
    assert items is None or kept <= items
    assert tokens is None or sum(admitted.tokens) <= tokens
    if kept < len(found):
        one_more = sum(admitted.tokens) + len(found[kept].text)
        assert kept == items or (tokens is not None and one_more > tokens)


def test_without_a_budget_everything_is_admitted() -> None:
    found = [RecalledItem(id=str(n), text="x" * 1000) for n in range(50)]
    assert len(admit(found, None, len).items) == 50


def test_a_budget_says_what_it_is() -> None:
    assert str(RecallBudget(items=5, tokens=200)) == "5 items and 200 tokens"
    assert str(RecallBudget(items=None)) == "no limit"
