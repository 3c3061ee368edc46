"""Whatever a model writes, a report shows it and does nothing else with it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from heams.reporting.markdown import Markdown, Table, bullets, clipped, document, escape, heading, link

_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_MARKUP = st.text(st.sampled_from("ab_*`|\\<>&[]()!#~$:/.=-+1 \n\t\"'{}^w\u202e\x00é😀"), max_size=40)
_ANY = st.one_of(st.text(max_size=60), _MARKUP, st.text(st.characters(), max_size=20))
_HOSTILE = [
    "| a | b |\n|---|---|\n| c | d |",
    "</td></tr></table><script>alert(1)</script>",
    "```\nrm -rf /\n```",
    "[click](javascript:alert(1)) ![x](http://evil.invalid/x.png)",
    "<!-- hidden", "&lt;b&gt; &amp;#124;", "ends with a backslash \\", "\\| \\\\|", "`a | b`",
    "# heading", "- item", "1. item", "***", "===", "> quote", "a  \nb", "~~gone~~", "$x^2$", "__init__", "snake_case",
    "http://evil.invalid/a_b WWW.evil.invalid", "\u202egnp.exe", "\ud800 lone", "\x1b[31mred\x00", "[^1]: note", "",
]  # fmt: skip


def _shown(text: str) -> str:
    return _INVISIBLE.sub("\ufffd", " ".join(text.split()))


def _plain(token: Token) -> str:
    assert all(child.type == "text" or child.type == "text_special" for child in token.children or []), token.children
    return "".join(child.content for child in token.children or [])


def _cells(markdown: str) -> list[str]:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    assert [token.type for token in tokens].count("table_open") == 1
    assert tokens[0].type == "table_open"
    assert tokens[-1].type == "table_close"
    return [_plain(token) for token in tokens if token.type == "inline"]


@given(st.lists(st.tuples(_ANY, _ANY), min_size=1, max_size=3), _ANY)
def test_a_table_shows_any_text_in_its_own_cell(rows: list[tuple[str, str]], column: str) -> None:
    table = Table("name", f">{column}")
    for row in rows:
        table.add(*row)
    expected = ["name", _shown(column), *(_shown(cell) for row in rows for cell in row)]
    assert _cells(str(table)) == [cell or "—" for cell in expected]


@pytest.mark.parametrize("text", _HOSTILE)
def test_hostile_text_stays_in_its_cell(text: str) -> None:
    table = Table("observed", "next")
    table.add(text, "kept")
    assert _cells(str(table)) == ["observed", "next", _shown(text) or "—", "kept"]


@pytest.mark.parametrize("text", _HOSTILE)
def test_hostile_text_makes_no_links_and_no_html(text: str) -> None:
    shown = escape(text)
    assert "<" not in shown
    assert "://" not in shown
    assert "www." not in shown.lower()


@given(_ANY)
def test_a_heading_is_one_heading(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(heading(2, f"Results: {text}"))
    assert [token.type for token in tokens] == ["heading_open", "inline", "heading_close"]
    assert _plain(tokens[1]) == f"Results: {_shown(text)}".strip()


@given(st.lists(_ANY.map(lambda text: f"Noted: {text}"), min_size=1, max_size=4))
def test_a_list_has_one_line_for_each_item(items: list[str]) -> None:
    tokens = MarkdownIt("commonmark").parse(bullets(items))
    assert [_plain(token) for token in tokens if token.type == "inline"] == [_shown(item) for item in items]


@given(_ANY)
def test_markdown_can_be_written_as_utf_8(text: str) -> None:
    escape(text).encode("utf-8")


def test_names_keep_their_underscores_readable() -> None:
    assert escape("adversarial_accuracy recall@10 conv-26") == "adversarial_accuracy recall@10 conv-26"


def test_markdown_is_not_escaped_twice() -> None:
    assert escape(Markdown("**bold**")) == "**bold**"
    assert link("a|b", "a b/report.md") == "[a&#124;b](a%20b/report.md)"


def test_long_and_empty_texts_are_clipped_visibly() -> None:
    assert clipped("x" * 1000, limit=10) == "x" * 10 + " …"
    assert clipped(None) == "—"
    assert clipped(" \n ") == "*(empty)*"


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="found 1 cells for 2 columns"):
        Table("a", "b").add("x")


def test_documents_leave_empty_blocks_out() -> None:
    assert document(["# a", "", "b"]) == "# a\n\nb\n"
