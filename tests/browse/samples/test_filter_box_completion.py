"""What the box offers while a filter is written."""

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

PATH = "/run/plain__lexical/complete"


def offered(browser: Any, **asked: str) -> dict[str, tuple[str, str, str]]:
    """Labels of the offers, with what is written instead of which characters."""
    page = LexborHTMLParser(browser.get(PATH, params=asked).text)
    found = {}
    for option in page.css("[role=option]"):
        name = option.css_first("bdi")
        assert name is not None
        data = option.attributes
        found[name.text()] = (data["data-text"] or "", data["data-start"] or "", data["data-end"] or "")
    return found


def test_values_come_with_the_place_where_they_go(browser: Any) -> None:
    found = offered(browser, q="tag.kind:ha OR x", cursor="11")
    assert found == {"habit": ("habit", "9", "11")}


def test_fields_are_offered_in_an_empty_box(browser: Any) -> None:
    found = offered(browser, q="")
    assert "verdict" in found
    assert offered(browser, q="tag.k")["tag.kind"][0] == "tag.kind:"


@pytest.mark.parametrize("cursor", ["", "-1", "x", "99999999999999999999"])
def test_a_cursor_that_is_none_is_the_end(browser: Any, cursor: str) -> None:
    assert set(offered(browser, q="verdict:pa", cursor=cursor)) == {"pass", "partial"}


def test_a_text_that_is_too_long_for_a_filter_gets_no_offers(browser: Any) -> None:
    assert not offered(browser, q="a" * 5000)


def test_an_unknown_metric_is_refused(browser: Any) -> None:
    assert browser.get(f"{PATH}?metric=no/such").status_code == 400
