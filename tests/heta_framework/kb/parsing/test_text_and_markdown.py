"""Text in whatever encoding, and where Markdown's sections begin."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb.parsing import (
    DocumentParseError,
    Heading,
    MarkdownParser,
    ParsedDocument,
    ParsedPage,
    ParsedSource,
    ParsedTextContent,
    TextParser,
    TextParserConfig,
    make_document_id,
    make_parsed_source,
)


def text_of(data: bytes, config: TextParserConfig | None = None) -> str:
    source = make_parsed_source(key="raw/a.txt", name="a.txt", file_type="txt", data=data)
    [page] = anyio.run(TextParser(config).parse, source, data).pages
    return page.text


def headings_of(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each heading as the text of its line, and its path."""
    source = make_parsed_source(key="raw/a.md", name="a.md", file_type="md", data=text.encode())
    [page] = MarkdownParser().parse_now(source, text.encode()).pages
    assert page.text == text
    return [(page.text[start:].split("\n")[0], path) for start, path in page.headings]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    assert text_of(text.encode()) == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "gb18030", "utf-16-be"])
def test_other_encodings_are_recognised(encoding: str) -> None:
    text = "高速飞行器的边界层 and more"
    mark = "\ufeff" if encoding.endswith("be") else ""
    assert text_of((mark + text).encode(encoding)) == text


def test_what_is_no_text_in_any_encoding_is_refused_and_latin_1_takes_all() -> None:
    assert text_of(b"caf\xe9 \xff") == "café ÿ"
    with pytest.raises(DocumentParseError, match="utf-8"):
        text_of(b"caf\xe9 \xff", TextParserConfig(encodings=("utf-8",)))


def test_nul_becomes_a_character_that_stores_take() -> None:
    assert text_of(b"a\0b") == "a\ufffdb"


@given(st.binary(max_size=200))
def test_any_bytes_are_some_text(data: bytes) -> None:
    assert "\0" not in text_of(data)


@pytest.mark.parametrize("encodings", [(), ("utf-9",)])
def test_encodings_that_do_not_exist_are_refused(encodings: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="encodings"):
        TextParserConfig(encodings=encodings)


def test_headings_of_both_styles_make_paths() -> None:
    text = "intro\n\n# One\ntext\n## Two ##\nTitle\n=====\nx\n\nSub\n---\n\n### Deep"
    assert headings_of(text) == [
        ("# One", ("One",)),
        ("## Two ##", ("One", "Two")),
        ("Title", ("Title",)),
        ("Sub", ("Title", "Sub")),
        ("### Deep", ("Title", "Sub", "Deep")),
    ]


def test_what_only_looks_like_a_heading_is_none() -> None:
    text = "#no space\n    # code\n```sh\n# a comment\n```\n~~~\n# also\n```\n~~~\n- item\n---\n\n---\n#\n"
    assert headings_of(text) == []


@given(st.text(alphabet="# =-`~\nab\r\t", max_size=60))
def test_headings_are_in_order_and_inside_the_text(text: str) -> None:
    source = make_parsed_source(key="raw/a.md", name="a.md", file_type="md", data=text.encode())
    [page] = MarkdownParser().parse_now(source, text.encode()).pages
    starts = [heading.start for heading in page.headings]
    assert starts == sorted(set(starts))
    assert all(0 <= start < len(text) and path and path[-1] in text for start, path in page.headings)


def test_a_parsed_document_survives_json() -> None:
    source = ParsedSource("raw/ä.md", "ä.md", "md", "a" * 64)
    pages = [ParsedPage(0, "one"), ParsedPage(1, "two 😀", (Heading(0, ("A", "B")),))]
    document = ParsedDocument(make_document_id("a" * 64), source, pages, ParsedTextContent("# one", "text/markdown"))
    assert ParsedDocument.from_json(document.to_json_bytes()) == document
    assert list(document.to_dict()) == ["document_id", "source", "pages", "original_content"]
    assert document.to_dict()["pages"][0] == {"page_index": 0, "text": "one"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ParsedSource(" ", "a", "txt", "0" * 64), "key must not be empty"),
        (lambda: ParsedSource("k", "a", "txt", "0" * 63), "full SHA-256"),
        (lambda: ParsedPage(-1, ""), "page_index must not be negative"),
        (lambda: ParsedDocument("d", ParsedSource("k", "a", "txt", "0" * 64), []), "pages must not be empty"),
        (lambda: ParsedTextContent("", "text/html"), "text must not be empty"),
    ],
)
def test_values_that_make_no_sense_are_refused(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]
