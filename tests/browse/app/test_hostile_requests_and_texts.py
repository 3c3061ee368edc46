"""Texts of models and addresses of attackers: shown as they are, and nothing of them acts."""

import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser
from starlette.routing import Route

from heams.browse.rendering.foreign_text import visible
from heams.browse.rendering.links import Here, sample
from heams.browse.rendering.page import render

SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    "path",
    [
        f"/run/{SCRIPT}",
        "/run/..%2f..%2f..%2fetc%2fpasswd",
        "/run/%00",
        "/static/..%2f..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/",
        "/static/LICENSES/..",
        f"/?sort={SCRIPT}",
        f"/nowhere/{SCRIPT}",
        "/run/" + "x" * 60_000,
    ],
)
def test_addresses_of_attackers_lead_nowhere(browser: Any, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code in {400, 404}
    assert SCRIPT not in answer.text
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("q", [SCRIPT, '" onfocus="alert(1)', "\u202e\x1b[31m", "x" * 5_000])
def test_what_was_searched_for_stands_in_the_field_and_nowhere_acts(browser: Any, q: str) -> None:
    answer = browser.get("/", params={"q": q})
    page = LexborHTMLParser(answer.text)
    assert page.css_first("input[name=q]").attributes["value"] == q  # type: ignore[union-attr]
    assert len(page.css("script")) == 2
    assert not [node for node in page.css("*") if any(name.startswith("on") for name in node.attributes)]


def test_nothing_of_a_page_comes_from_elsewhere(browser: Any) -> None:
    for path in ("/", "/help", "/run/hostile", "/run/nobody"):
        page = LexborHTMLParser(browser.get(path).text)
        loaded = [node.attributes.get("src") or node.attributes.get("href") for node in page.css("script, link, img")]
        assert loaded
        assert all((address or "").startswith("/static/") for address in loaded if "/charts/" not in (address or ""))
        assert all(browser.get(address).status_code == 200 for address in loaded if address)


def test_a_fault_is_a_page_without_a_traceback_and_with_all_headers(
    browser: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(request: object) -> None:
        raise ZeroDivisionError("secret detail")

    browser.app.router.routes.append(Route("/broken", broken))
    with caplog.at_level(logging.ERROR, "heams.browse"):
        answer = browser.get("/broken")
    assert answer.status_code == 500
    assert "This page could not be made" in answer.text
    assert "secret detail" not in answer.text
    assert "Content-Security-Policy" in answer.headers
    assert "ZeroDivisionError" in caplog.text, "the terminal knows why"


def test_static_files_are_kept_only_under_an_address_with_their_version(browser: Any) -> None:
    page = LexborHTMLParser(browser.get("/help").text)
    address = page.css_first("link[rel=stylesheet]").attributes["href"] or ""  # type: ignore[union-attr]
    assert "immutable" in browser.get(address).headers["cache-control"]
    assert browser.get(address.partition("?")[0]).headers["cache-control"] == "no-cache"
    assert browser.get("/static/htmx.min.js").headers["content-type"].startswith("text/javascript")


@given(st.text())
def test_visible_text_is_escaped_and_loses_nothing(text: str) -> None:
    shown = LexborHTMLParser(f"<p>{visible(text)}</p>")
    assert isinstance(visible(text), Markup)
    assert {node.tag for node in shown.css("p *")} <= {"span"}
    for forbidden in "\x00\x1b\x07\u202e\u2066\u200f":
        assert forbidden not in str(visible(text))


def test_control_characters_are_named() -> None:
    assert str(visible("a\x1b[31m<b>\r\nc\rd\u202e")) == (
        'a<span class="control" title="U+001B">␛</span>[31m&lt;b&gt;\nc<span class="control" title="U+000D">␍</span>d'
        '<span class="control" title="U+202E">U+202E</span>'
    )


def test_addresses_keep_what_is_in_them() -> None:
    assert sample("a/b ?", "q#1&x", 0, None, q='tag.x:"é"', metric="task_qa/contains") == (
        "/run/a%2Fb%20%3F/sample?id=q%231%26x&repeat=0&q=tag.x%3A%22%C3%A9%22&metric=task_qa%2Fcontains"
    )
    here = Here("/run/a/samples", (("q", "x y"), ("columns", "n"), ("columns", "cost"), ("page", "3")))
    assert here(page=None, sort="-n") == "/run/a/samples?q=x+y&columns=n&columns=cost&sort=-n"
    assert here(columns=["n"]) == "/run/a/samples?q=x+y&page=3&columns=n"
    assert ("page", "3") not in here.fields("page")


def test_every_template_is_found_and_every_macro_file_compiles() -> None:
    from heams.browse.rendering.environment import environment

    names = environment().list_templates()
    assert {"base.html", "error.html", "runs.html"} <= set(names)
    for name in names:
        environment().get_template(name)
    assert callable(render)
    assert not list((Path(__file__).parents[3] / "src/heams/browse/templates").glob("**/*.j2"))
