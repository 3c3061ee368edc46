"""A page becomes a section: what goes, what stays, and where links lead."""

from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from heams.browse.bundle.choice import ChosenList
from heams.browse.bundle.rewriting import Icons, rewritten
from heams.browse.bundle.targets import candidates, read

_CHART = '<svg class="chart" viewBox="0 0 1 1"><title>Seconds</title><a href="/run/x"><path d="M0,0"/></a></svg>'


def _rewritten(main: str, *, below: bool = False) -> str:
    page = f"<html><head><title>T · heams browse</title></head><body><main id=main>{main}</main></body></html>"
    places = {"/run/x": "s7", "/": "s0"}
    pictures = {"/charts/run/x/latency.svg": _CHART}
    return rewritten(page, "s3", places.get, pictures.get, Icons(), below=below).body


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<a href="/run/x" hx-get="/y" data-key="t">x</a>', '<a href="#s7" data-key="t">x</a>'),
        ('<p id="a">1</p><a href="#a">a</a>', '<p id="s3-a">1</p><a href="#s3-a">a</a>'),
        ('<a href="#nowhere">a</a>', "<a>a</a>"),
        ('<a href="/elsewhere" data-row="">words</a>', "<a>words</a>"),
        ('<a href="https://example.org/">words</a>', "<a>words</a>"),
        ('<a href="javascript:alert(1)">words</a>', "<a>words</a>"),
        ('<p>a <a class="button quiet" href="/elsewhere">Clear</a></p>', "<p>a </p>"),
        ('<h2 id="t">T</h2><section aria-labelledby="t u"></section>',
         '<h2 id="s3-t">T</h2><section aria-labelledby="s3-t s3-u"></section>'),
        ('<p style="color:red" onclick="x()" data-copy="/a">a</p>', "<p>a</p>"),
        ('<form method="post" action="/label">a<button>Save</button></form>', ""),
        ('<form action="/" class="toolbar"><label>Filter <input name="q"></label><a href="/">All</a></form>',
         '<form class="toolbar"><a href="#s0">All</a></form>'),
        ('<form><table><tbody><tr><td>1</td></tr></tbody></table><div>Mark two <button>Go</button></div></form>',
         "<form><table><tbody><tr><td>1</td></tr></tbody></table></form>"),
        ('<section class="card"><section class="card"><form method="post"><fieldset><input></fieldset></form></section>'
         "</section>", ""),
        ('<form><label>Metric <select><option>a<option selected>b &lt;i&gt;</select></label></form>',
         "<form><label>Metric <b>b &lt;i&gt;</b></label></form>"),
        ('<aside><h3>Kind</h3><a href="/run/x/samples?q=a">a 5</a></aside>', ""),
        ('<p title="</noscript><script>a\u202eb">x</p>', '<p title="&lt;/noscript&gt;&lt;script&gt;aU+202Eb">x</p>'),
        ('<img src="https://example.org/a.png"><script>alert(1)</script><iframe src="/"></iframe>', ""),
        ('<section hx-trigger="load" hx-get="/others"><p>Asking…</p></section>', ""),
        ('<div hx-get="/charts/run/x/latency.svg" hx-trigger="load"><noscript><img src="/charts/run/x/latency.svg">'
         "</noscript></div>",
         '<div><svg class="chart" viewBox="0 0 1 1"><title>Seconds</title><a href="#s7"><path d="M0,0"></path></a>'
         "</svg></div>"),
        ('<svg class="icon" width="12" viewBox="0 0 16 16" fill="none"><path d="M1"/></svg>',
         '<svg class="icon" width="12"><use href="#i0"></use></svg>'),
    ],
)  # fmt: skip
def test_what_goes_and_what_stays(before: str, after: str) -> None:
    assert _rewritten(before) == after


def test_below_another_page_there_is_no_second_heading() -> None:
    page = '<h1>A</h1><nav><ul class="tabs"><li><a href="/" aria-current="page">Costs</a></li></ul></nav><p>b</p>'
    assert _rewritten(page, below=True) == "<p>b</p>"


@settings(max_examples=30)
@given(st.text(alphabet="<>&\"'=/!-abonscriptxm\n `\\]"))
def test_texts_come_back_as_they_were(text: str) -> None:
    from markupsafe import escape

    body = _rewritten(f"<p>.{escape(text)}</p>")
    again = LexborHTMLParser(f"<main>{body}</main>")
    assert again.css("main > p")[0].text() == f".{text}"
    assert len(again.css("main *")) == 1


def _targets(path: str, **parameters: str) -> list[tuple[str | int | None, ...]]:
    lists = (ChosenList("qa/f1", 300, 2, 200, "", ()), ChosenList("qa/em", 300, 2, 200, "", ()))
    asked = read(f"{path}?{urlencode(parameters)}" if parameters else path)
    return candidates(asked, lambda key: lists) if asked is not None else []


def test_addresses_that_show_the_same_mean_the_same() -> None:
    assert _targets("/run/a%2Fb/samples") == _targets("/run/a%2Fb/samples", metric="qa/f1", size="200")
    assert _targets("/compare", a="x", b="y") == _targets("/compare", b="x", a="y", metric="qa/f1")
    in_list = {"id": "q1", "repeat": "0", "step": "2", "metric": "qa/f1", "size": "200"}
    assert _targets("/run/a/sample", **in_list) == [("verdict", "a", "q1", 0, 2)]
    assert _targets("/run/a/sample", **in_list, tab="transcript", at="250") == [("transcript", "a", "q1", 0, 3)]


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/run/a/samples", {"q": "verdict:fail"}),
        ("/run/a/samples", {"sort": "-value"}),
        ("/run/a/sample", {"id": "q1", "d": "off"}),
        ("/run/a/sample", {"id": "q1", "tab": "json"}),
        ("/run/a/samples.csv", {}),
        ("/", {"dimension": "privacy"}),
        ("//example.org/run/a", {}),
        ("http://[", {}),
    ],
)
def test_what_shows_something_else_leads_nowhere(path: str, parameters: dict[str, str]) -> None:
    assert _targets(path, **parameters) == []
