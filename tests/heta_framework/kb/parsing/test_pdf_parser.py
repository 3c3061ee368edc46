"""PDF: the text layer page by page, and what is said of pages and documents without one."""

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from office_files import encrypted_pdf, pdf

from heta_framework.kb.parsing import DocumentParseError, ParsedDocument, PdfParser, PdfParserConfig, make_parsed_source
from heta_framework.kb.parsing.extraction import ExtractedDocument, ExtractionOptions


def parsed(data: bytes, parser: PdfParser | None = None) -> ParsedDocument:
    source = make_parsed_source(key="raw/a.pdf", name="a.pdf", file_type="pdf", data=data)
    return anyio.run((parser or PdfParser()).parse, source, data)


def test_pages_keep_their_numbers() -> None:
    document = parsed(pdf(["first page", "", "third page"]))
    assert [(page.page_index, page.text) for page in document.pages] == [(0, "first page"), (1, ""), (2, "third page")]
    [issue] = document.issues
    assert (issue.code, issue.severity) == ("no_text_layer", "info")
    assert "1 of 3 pages" in issue.message
    assert "page indices 1" in issue.message


def test_a_document_without_a_text_layer_says_so() -> None:
    [issue] = parsed(pdf(["", ""])).issues
    assert (issue.code, issue.severity) == ("no_text_layer", "warning")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encrypted_pdf(), "encrypted"),
        (pdf(["one"])[:200], "damaged"),
        (b"not a pdf at all", "no PDF"),
        (b"", "no PDF"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentParseError, match=reason):
        parsed(data)


def test_a_document_of_too_many_pages_is_refused() -> None:
    with pytest.raises(DocumentParseError, match="max_pages=2"):
        parsed(pdf(["a", "b", "c"]), PdfParser(config=PdfParserConfig(max_pages=2)))


@settings(max_examples=40)
@given(st.data())
def test_damage_of_any_kind_ends_in_pages_or_in_a_refusal(data: st.DataObject) -> None:
    whole = pdf(["some text", "more text"])
    place = data.draw(st.integers(0, len(whole)))
    damaged = whole[:place] + data.draw(st.binary(max_size=8)) + whole[place + data.draw(st.integers(0, 30)) :]
    try:
        assert parsed(damaged).pages
    except DocumentParseError as error:
        assert str(error).startswith("it ")  # noqa: PT017 - both ends are right


def test_a_given_extractor_is_used_with_the_configured_options() -> None:
    seen: list[object] = []

    class Extractor:
        async def extract(self, document: object, options: object = None) -> ExtractedDocument:
            seen.append((document.filename, document.data, options))  # type: ignore[attr-defined]
            return ExtractedDocument(markdown="# from elsewhere")

    options = ExtractionOptions(language="en")
    found = parsed(b"%PDF-", PdfParser(Extractor(), PdfParserConfig(options)))
    assert [page.text for page in found.pages] == ["# from elsewhere"]
    assert seen == [("a.pdf", b"%PDF-", options)]
