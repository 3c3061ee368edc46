"""What a sample took, its attempts, and what it was saved as."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from heams.browse.views.sample.raw import LONGEST_TEXT, pointer_to, raw_view, text_at

_SPACES = re.compile(r"\s+")
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def _words(node: Any) -> str:
    return _SPACES.sub(" ", node.text())


def test_phases_roles_and_an_unknown_price_are_shown(page: Any) -> None:
    found = page("/run/judged/sample?id=q2&tab=costs")
    phases = [_words(row.css_first("th")) for row in found.css("tbody tr") if row.css_first("svg.phase")]
    assert phases[:4] == ["opening the memory", "answering", "of it recalling", "evaluating"]
    assert "judge" in _words(found.css_first("main"))
    assert "unknown" in _words(found.css_first(".tiles"))


def test_every_attempt_is_listed_with_its_error(page: Any) -> None:
    found = page("/run/failing/sample?id=q2&tab=costs")
    rows = [row for row in found.css("tbody tr") if "RuntimeError" in row.text()]
    assert len(rows) == 2
    assert [row.attributes.get("aria-selected") for row in rows] == [None, "true"]


def test_the_line_is_given_as_it_was_saved(browser: Any, browse_results: Path) -> None:
    answer = browser.get("/run/hostile/sample.json?id=q2")
    saved = (browse_results / "hostile/runs.jsonl").read_bytes().splitlines(keepends=True)
    assert answer.content in saved
    assert json.loads(answer.content)["sample_id"] == "q2"
    assert answer.headers["content-disposition"] == 'attachment; filename="hostile__q2__0.json"'


def test_a_name_of_a_file_has_nothing_that_a_header_or_a_folder_could_take_amiss(rewritten: Any) -> None:
    def evil(lines: list[dict[str, Any]]) -> None:
        lines[0]["sample_id"] = '../"x\r\nSet-Cookie: a=b'

    answer = rewritten("judged", evil).get("/run/judged/sample.json", params={"id": '../"x\r\nSet-Cookie: a=b'})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="judged__.._x_Set-Cookie_a_b__0.json"'
    assert "set-cookie" not in answer.headers


def test_texts_of_the_line_are_plain_text(browser: Any) -> None:
    answer = browser.get("/run/hostile/sample.txt?id=q2&at=/transcript/0/reply")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith("<script>alert('x')</script>")
    assert browser.get("/run/hostile/sample.txt?id=q2&at=/transcript/9/reply").status_code == 404
    assert browser.get("/run/hostile/sample.txt?id=q2&at=/transcript/-1").status_code == 404


def test_recalled_texts_are_found_by_their_key(browser: Any, browse_results: Path) -> None:
    saved = json.loads((browse_results / "judged/texts.jsonl").read_bytes().splitlines()[0])
    assert browser.get(f"/run/judged/text?id={saved['id']}").text == saved["text"]
    assert browser.get("/run/judged/text?id=nothing").status_code == 404


def test_json_is_pretty_and_long_texts_are_cut_with_a_link(rewritten: Any) -> None:
    whole = "<b>long</b> " * 100_000

    def long(lines: list[dict[str, Any]]) -> None:
        lines[0]["transcript"][0]["reply"] = whole

    asker = rewritten("judged", long)
    found = LexborHTMLParser(asker.get("/run/judged/sample?id=q1&tab=json").text)
    text = found.css_first("#raw").text()
    assert '"sample_id": "q1"' in text
    assert len(text) < 3 * LONGEST_TEXT
    link = next(a for a in found.css("main li a") if a.text() == "/transcript/0/reply")
    assert asker.get(link.attributes["href"]).text == whole


@settings(max_examples=20)
@given(JSONS)
def test_a_pointer_leads_to_each_value(value: Any) -> None:
    def walk(inside: Any, names: tuple[str | int, ...]) -> None:
        expected = inside if isinstance(inside, str) else json.dumps(inside, ensure_ascii=False, indent=2)
        assert text_at(line, pointer_to(*names)) == expected
        pairs = inside.items() if isinstance(inside, dict) else enumerate(inside) if isinstance(inside, list) else ()
        for name, one in pairs:
            walk(one, (*names, name))

    line = json.dumps(value).encode()
    walk(value, ())


@pytest.mark.parametrize("pointer", ["/a", "/0", "/b/9", "/b/-1", "/b/x", "/b/00000000000000000000001"])
def test_a_pointer_to_nothing_is_none(pointer: str) -> None:
    assert text_at(b'{"b": [1]}', pointer) is None


def test_raw_lines_of_any_size_fit_on_a_page() -> None:
    line = json.dumps({"texts": ["x" * 9_000] * 200, "one": "y" * 2_000_000}).encode()
    found = raw_view(line)
    assert found.cut
    assert len(found.text) == 1_000_000
    assert [one.pointer for one in found.long_texts] == ["/one"]
    assert found.bytes == len(line)
