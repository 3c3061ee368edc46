"""What a reader sees of a page, in the order in which they read it."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb.parsing import DocumentParseError, HtmlParser, HtmlParserConfig, ParsedPage, make_parsed_source
from heta_framework.kb.parsing.extraction import ExtractedBlock, ExtractedDocument


def parsed(html: str | bytes) -> ParsedPage:
    data = html.encode() if isinstance(html, str) else html
    source = make_parsed_source(key="raw/a.html", name="a.html", file_type="html", data=data)
    [page] = HtmlParser().parse_now(source, data).pages
    return page


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<title>T</title><p>one <a href=x>link</a> more<p>two", "T\none link more\ntwo"),
        ("<p>a<script>bad()</script><style>p{}</style><!-- c --><template>t</template>b", "ab"),
        ("<table><tr><th>A<th>B<tr><td>1 <b>x</b><td><p>2</p></table>after", "A | B\n1 x | 2\nafter"),
        ("<ul><li>one<li>two <i>it</i></ul>", "one\ntwo it"),
        ("a<br>b<div>c<div>d</div>e</div>f", "a\nb\nc\nd\ne\nf"),
        ("<pre>x  y\n  z</pre>q", "x  y\n  z\nq"),
        ("<p>a   b\n\n c</p> <p> </p> <p>d</p>", "a b c\nd"),
        ("<p hidden>no</p><p style='display: NONE'>no</p><noscript>no</noscript>yes", "yes"),
        ("&lt;tag&gt; &amp; caf&eacute; &#x1F600;", "<tag> & café 😀"),
        ("plain text only", "plain text only"),
        ("", ""),
    ],
)
def test_visible_text_in_reading_order(html: str, text: str) -> None:
    assert parsed(html).text == text


def test_headings_say_where_sections_begin() -> None:
    page = parsed("<h1>One</h1><p>a</p><h2>Two <b>bold</b></h2>b<h1>Three</h1>c")
    assert [(page.text[start:].split("\n")[0], path) for start, path in page.headings] == [
        ("One", ("One",)),
        ("Two bold", ("One", "Two bold")),
        ("Three", ("Three",)),
    ]


@pytest.mark.parametrize(
    "data",
    [
        "<meta charset='iso-8859-2'><p>żółw".encode("iso-8859-2"),
        "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'><p>żółw".encode(),
        "\ufeff<p>żółw".encode(),
        "\ufeff<p>żółw".encode("utf-16-le"),
        "<meta charset='no-such'><p>żółw".encode(),
    ],
)
def test_the_encoding_is_the_marks_or_the_documents_or_a_guess(data: bytes) -> None:
    expected = data.decode("koi8-r").rpartition(">")[2] if b"koi8" in data else "żółw"
    assert parsed(data).text == expected


@given(st.text(alphabet="<>/abphrtdiv \"'=&;!-\n1é", max_size=80))
def test_no_markup_breaks_the_parser(html: str) -> None:
    page = parsed(html)
    starts = [heading.start for heading in page.headings]
    assert starts == sorted(starts)


@pytest.mark.parametrize("tag", ["div", "b", "span", "ul"])
def test_nesting_without_end_is_refused(tag: str) -> None:
    with pytest.raises(DocumentParseError, match="nested"):
        parsed(f"<{tag}>" * 100_000)


def test_many_elements_side_by_side_are_no_nesting() -> None:
    html = "<p>a <b>b</b><br>" * 4_000 + "<svg>" + "<path d='M0'/>" * 4_000 + "</svg><li>" * 3
    assert parsed(html).text.count("\n") == 3_999


def test_a_given_extractor_is_used() -> None:
    class Extractor:
        async def extract(self, document: object, options: object = None) -> ExtractedDocument:
            blocks = [ExtractedBlock("text", "one", 0), ExtractedBlock("table", "two", 2), ExtractedBlock("x", "1b", 0)]
            return ExtractedDocument(blocks=blocks)

    source = make_parsed_source(key="raw/a.html", name="a.html", file_type="html", data=b"<p>x")
    found = anyio.run(HtmlParser(extractor=Extractor()).parse, source, b"<p>x")
    assert found.pages == [ParsedPage(0, "one\n\n1b"), ParsedPage(2, "two")]


def test_images_that_nobody_describes_are_said_to_be_missing() -> None:
    source = make_parsed_source(key="raw/a.html", name="a.html", file_type="html", data=b"<img><p>x<img>")
    parser = HtmlParser(HtmlParserConfig(describe_images=True))
    [issue] = parser.parse_now(source, b"<img><p>x<img>").issues
    assert (issue.code, issue.message) == ("not_described", "2 images are not described")
