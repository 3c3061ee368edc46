"""Which parser takes a document: by media type, then by suffix."""

import pytest

from heta_framework.kb.parsing import DocumentParserRegistry, HtmlParser, MarkdownParser, TextParser
from heta_framework.kb.parsing.file_types import file_type_of
from heta_framework.kb.parsing.protocol import parser_identity
from heta_framework.kb.parsing.text import TextParserConfig


@pytest.mark.parametrize(
    ("key", "media_type", "file_type"),
    [
        ("raw/a.PDF", None, "pdf"),
        ("raw/a.txt", "application/pdf", "pdf"),
        ("raw/a", "text/html; charset=utf-8", "html"),
        ("raw/a.html", "application/octet-stream", "html"),
        ("raw/a.log", "text/x-log", "log"),
        ("raw/a", "text/x-log", "txt"),
        ("raw/a", None, ""),
        ("raw.d/a", None, ""),
        ("raw/.hidden", None, ""),
    ],
)
def test_the_media_type_decides_before_the_suffix(key: str, media_type: str | None, file_type: str) -> None:
    assert file_type_of(key, media_type) == file_type


def test_defaults_take_every_format_that_is_documented() -> None:
    registry = DocumentParserRegistry.defaults()
    wanted = "txt text md markdown html htm pdf xlsx xlsm xlsb xls ods csv tsv jsonl ndjson json"
    assert set(wanted.split()) == registry.supported_file_types
    assert isinstance(registry.find_parser("MD"), MarkdownParser)
    assert len(registry.parsers) == 6


def test_two_parsers_of_one_type_are_refused_unless_one_replaces_the_other() -> None:
    registry = DocumentParserRegistry([TextParser()])
    with pytest.raises(ValueError, match=r"already registered for file type\(s\): markdown, md"):
        registry.register(MarkdownParser())
    assert registry.register(MarkdownParser(), replace=True) is registry
    assert registry.find_parser("txt") is not registry.find_parser("md")


def test_a_type_that_nobody_takes_is_named_with_those_that_are_taken() -> None:
    registry = DocumentParserRegistry([HtmlParser()])
    with pytest.raises(ValueError, match="no parser registered for file type: pdf; supported: htm, html"):
        registry.get_parser(".PDF")
    assert registry.find_parser("pdf") is None
    assert registry.unregister("htm") is registry.find_parser("html")
    with pytest.raises(ValueError, match="no parser registered for file type: htm"):
        registry.unregister("htm")


def test_what_is_no_parser_is_refused() -> None:
    with pytest.raises(TypeError, match="int"):
        DocumentParserRegistry([7])  # type: ignore[list-item]


def test_parsers_with_other_settings_have_other_identities() -> None:
    plain, latin = TextParser(), TextParser(TextParserConfig(encodings=("latin-1",)))
    assert parser_identity(plain) == parser_identity(TextParser())
    assert len({parser_identity(plain), parser_identity(latin), parser_identity(MarkdownParser())}) == 3
