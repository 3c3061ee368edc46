"""Rows and records as ``name: value`` lines; what would not fit in memory is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from office_files import row, xlsx

from heta_framework.kb.parsing import (
    DocumentParseError,
    JsonLinesParser,
    JsonLinesParserConfig,
    ParsedDocument,
    SheetParser,
    SheetParserConfig,
    make_parsed_source,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def sheet(data: bytes, file_type: str = "csv", config: SheetParserConfig | None = None) -> ParsedDocument:
    source = make_parsed_source(key="raw/a", name="a", file_type=file_type, data=data)
    return SheetParser(config).parse_now(source, data)


def records(text: str, file_type: str = "jsonl", config: JsonLinesParserConfig | None = None) -> ParsedDocument:
    source = make_parsed_source(key="raw/a", name="a", file_type=file_type, data=text.encode())
    return JsonLinesParser(config).parse_now(source, text.encode())


def texts(document: ParsedDocument) -> list[str]:
    return [page.text for page in document.pages]


def test_rows_name_their_columns() -> None:
    assert texts(sheet(b'name,age\nAda,36\n\n"Grace, H.",\n')) == ["name: Ada\nage: 36\n\nname: Grace, H."]


@pytest.mark.parametrize(
    ("data", "file_type"),
    [(b"a;b\n1;2\n", "csv"), (b"a\tb\n1\t2\n", "tsv"), (b"a|b\n1|2\n", "csv"), ("a,b\n1,2".encode("utf-16"), "csv")],
)
def test_the_delimiter_is_found(data: bytes, file_type: str) -> None:
    assert texts(sheet(data, file_type)) == ["a: 1\nb: 2"]


def test_pages_hold_so_many_rows_and_every_one_names_its_columns() -> None:
    data = "n\n" + "".join(f"{number}\n" for number in range(5))
    assert texts(sheet(data.encode(), config=SheetParserConfig(chunk_rows=2))) == [
        "n: 0\n\nn: 1",
        "n: 2\n\nn: 3",
        "n: 4",
    ]


@pytest.mark.parametrize(("data", "expected"), [(b"", [""]), (b"only,names\n", ["only\nnames"]), (b"\n,\n", [""])])
def test_sheets_without_rows(data: bytes, expected: list[str]) -> None:
    assert texts(sheet(data)) == expected


def test_a_row_longer_than_its_header_loses_nothing() -> None:
    assert texts(sheet(b"a\n1,2,3\n")) == ["a: 1\n2\n3"]


def test_a_description_that_nobody_makes_is_said_to_be_missing() -> None:
    [issue] = sheet(b"a\n1\n", config=SheetParserConfig(describe_tables=True)).issues
    assert (issue.code, issue.severity) == ("not_described", "info")


def test_workbooks_are_read_sheet_by_sheet() -> None:
    data = xlsx(row(1, "name", "age") + row(2, "Ada", 36) + row(3, "Grace", 85.5), name="People")
    [page] = sheet(data, "xlsx").pages
    assert page.text == "name: Ada\nage: 36\n\nname: Grace\nage: 85.5"
    assert page.headings[0].path == ("People",)


@pytest.mark.parametrize(
    ("data", "file_type"),
    [
        (xlsx(row(1, "a") + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), "xlsx"),
        (b"PK\x03\x04 cut", "xlsx"),
        (b"nonsense", "ods"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "xls"),
    ],
)
def test_a_workbook_that_is_damaged_or_fills_memory_is_refused(data: bytes, file_type: str) -> None:
    with pytest.raises(DocumentParseError):
        sheet(data, file_type)


@pytest.mark.parametrize(
    "data", [b"a,b,c\n" + b"1,2,3\n" * 40, xlsx("".join(row(n, "a", "b", "c") for n in range(1, 42)))]
)
def test_more_cells_than_allowed_are_refused(data: bytes) -> None:
    with pytest.raises(DocumentParseError, match="more than 100 cells"):
        sheet(data, "xlsx" if data.startswith(b"PK") else "csv", SheetParserConfig(max_cells=100))


def test_a_name_of_a_megabyte_is_not_repeated_with_every_value() -> None:
    [page] = sheet(b"x" * 1_000_000 + b"\n" + b"1\n" * 40).pages
    assert len(page.text) < 20_000
    assert len(texts(records(json.dumps({"x" * 1_000_000: dict.fromkeys("abc", 1)})))[0]) < 2_000


@given(st.binary(max_size=80), st.sampled_from(["csv", "tsv"]))
def test_no_bytes_break_the_reading_of_csv(data: bytes, file_type: str) -> None:
    try:
        assert sheet(data, file_type).pages
    except DocumentParseError as error:
        assert "CSV" in str(error)  # noqa: PT017 - both ends are right


def test_a_record_is_a_page_of_its_fields() -> None:
    text = (
        '{"title": "T", "tags": ["a", "b"], "by": {"name": "Ada", "born": 1815}, "none": null, "ok": true}\n"plain"\n'
    )
    document = records(text)
    assert texts(document) == ["title: T\ntags: a, b\nby.name: Ada\nby.born: 1815\nok: true", "plain"]
    assert document.issues == ()


def test_chosen_fields_are_the_text_and_records_share_pages() -> None:
    config = JsonLinesParserConfig(text_fields=("title", "text"), records_per_page=2)
    lines = "".join(json.dumps({"text": f"t{n}", "title": f"T{n}", "id": n}) + "\n" for n in range(3))
    assert texts(records(lines, config=config)) == ["T0\n\nt0\n\nT1\n\nt1", "T2\n\nt2"]


def test_a_line_that_is_no_json_is_named_and_the_others_are_read() -> None:
    document = records('{"a": 1}\n{"a": \n\n[\n{"a": 2}')
    assert texts(document) == ["a: 1", "a: 2"]
    [issue] = document.issues
    assert issue.code == "malformed_record"
    assert issue.message == "2 lines are no JSON: 2, 4"


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "[" * 300 + "]" * 300, '{"a":' * 300 + "1" + "}" * 300])
def test_json_that_is_none_or_nested_without_end_is_refused(text: str) -> None:
    with pytest.raises(DocumentParseError):
        records(text, "json")


def test_a_list_is_as_many_records_and_half_a_character_is_replaced() -> None:
    assert texts(records('[{"a": "\\ud800x\\u0000"}, 7]', "json")) == ["a: \ufffdx\ufffd", "7"]
    assert texts(records("", "json")) == [""]


@given(JSON)
def test_any_json_is_some_text(value: object) -> None:
    for file_type in ("json", "jsonl"):
        for page in records(json.dumps(value), file_type).pages:
            page.text.encode()
