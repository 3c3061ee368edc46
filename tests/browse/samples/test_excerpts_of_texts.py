"""Cells of long texts: harmless, short, and with what was searched for in sight."""

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from heams.browse.filters import parse
from heams.browse.views.excerpts import LIMIT, excerpt, in_common, needles

FAR = f"{'x ' * 1000}<b>needle</b>{' y' * 1000}"


def test_a_word_far_behind_is_in_sight_and_marked() -> None:
    shown = excerpt(FAR, needles(parse("NEEDLE"))["observed"])
    assert "<mark>needle</mark>" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert "&lt;b&gt;" in shown
    assert shown.index("needle") < 100


def test_only_what_is_searched_for_is_marked() -> None:
    found = needles(parse('reason~"no hit" -observed~absent observed!=other verdict:fail (name~/a+b/ OR name~c)'))
    assert set(found) == {"reason", "name"}
    assert excerpt("aab c", found["name"]) == "<mark>aab</mark> <mark>c</mark>"


def test_an_expression_that_only_the_tables_understand_marks_nothing() -> None:
    assert not needles(parse(r"observed~/(?U)a+/"))


def test_a_slow_expression_is_given_up() -> None:
    slow = needles(parse("observed~/(x+x+)+y/"))["observed"]
    assert excerpt("x" * 4000, slow).startswith("xxx")
    assert not slow.spans("xxy"), "its time is spent"


def test_words_in_both_texts_are_marked() -> None:
    expected, observed = in_common("the red umbrella", "red  umbrella, perhaps" + " z" * 500)
    assert "<mark>red umbrella</mark>" in expected
    assert "<mark>red  umbrella</mark>" in observed
    assert observed.endswith("…")


@given(st.text(max_size=600), st.text(min_size=1, max_size=3).filter(str.strip))
def test_no_text_becomes_markup(text: str, word: str) -> None:
    try:
        found = needles(parse(f"observed~{_quoted(word)}"))
    except ValueError:
        return  # half characters cannot be searched for
    shown = excerpt(text, found["observed"])
    assert isinstance(shown, Markup)
    bare = shown.replace(Markup("<mark>"), Markup("")).replace(Markup("</mark>"), Markup(""))
    assert "<" not in bare.replace('<span class="control" title="U+', "").replace("</span>", "")
    assert len(shown.striptags()) <= 10 * LIMIT


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
