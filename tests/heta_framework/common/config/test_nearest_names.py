"""Which allowed name was probably meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.config import nearest


@pytest.mark.parametrize(
    ("name", "allowed", "meant"),
    [
        ("limt", ["limit", "name"], "limit"),
        ("LIMIT", ["limit", "limits"], "limit"),
        ("match-mode", ["match_mode", "matching"], "match_mode"),
        ("max", ["min", "max_concurrency", "max_rate"], "max_rate"),
        ("normalised_exact", ["exact", "normalized_exact"], "normalized_exact"),
        ("lexcial", ["lexical", "vector"], "lexical"),
        ("zzz", ["limit", "name"], None),
        ("", ["limit"], None),
        ("x", ["xyz"], None),
        ("x" * 10_000, ["x" * 9_999], None),
        ("anything", [], None),
    ],
)
def test_nearest(name: str, allowed: list[str], meant: str | None) -> None:
    assert nearest(name, allowed) == meant


@given(st.text(), st.sets(st.text()))
def test_it_is_one_of_the_allowed_names_whatever_their_order(name: str, allowed: set[str]) -> None:
    found = nearest(name, sorted(allowed))
    assert found is None or found in allowed
    assert found == nearest(name, sorted(allowed, reverse=True))


@given(st.text(alphabet="abcd_", min_size=1, max_size=20), st.sets(st.text(alphabet="xyz")))
def test_an_allowed_name_is_its_own_nearest(name: str, others: set[str]) -> None:
    assert nearest(name, {*others, name}) == name
