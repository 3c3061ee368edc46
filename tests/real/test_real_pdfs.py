"""Real papers as PDF: their pages become text in which the evidence of real questions stands, and chunks of it.

Needs HEAMS_DATA_DIR, a folder with uda/src_doc_files and uda/extended_qa_info_bench; skipped without.
"""

import json
import re
from pathlib import Path

import pytest

from heta_framework.kb.chunking.splitter import Splitter
from heta_framework.kb.parsing import ParsedDocument, PdfParser, make_parsed_source

_LONG_ENOUGH = 20
_PREFIX = 50  # the source of the questions goes on from one sentence to another at times
_WRITTEN_OTHERWISE = re.compile(r"BIBREF\d+|\$[^$]*\$|FLOAT SELECTED.*")


@pytest.fixture
def papers(data_dir: Path) -> dict[str, ParsedDocument]:
    files = sorted((data_dir / "uda/src_doc_files").glob("*.pdf"))
    if not files:
        pytest.skip("HEAMS_DATA_DIR holds no uda/src_doc_files")
    return {file.stem: _parsed(file) for file in files}


def _parsed(file: Path) -> ParsedDocument:
    data = file.read_bytes()
    source = make_parsed_source(key=f"raw/{file.name}", name=file.name, file_type="pdf", data=data)
    return PdfParser().parse_now(source, data)


def _letters(text: str) -> str:
    """Letters and digits alone: lines end elsewhere in a PDF, and words are hyphenated."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_every_page_has_its_text_and_its_number(papers: dict[str, ParsedDocument]) -> None:
    for document in papers.values():
        assert [page.page_index for page in document.pages] == list(range(len(document.pages)))
        assert all(len(page.text) > 200 for page in document.pages)
        assert document.issues == ()
        assert "\0" not in "".join(page.text for page in document.pages)


def test_the_evidence_of_real_questions_stands_in_the_text(papers: dict[str, ParsedDocument], data_dir: Path) -> None:
    path = data_dir / "uda/extended_qa_info_bench/bench_paper_text_qa.json"
    questions = json.loads(path.read_text("utf-8"))
    texts = {name: _letters("".join(page.text for page in document.pages)) for name, document in papers.items()}
    passages = {
        (name, piece)
        for name in papers
        for question in questions.get(name, ())
        for evidence in question["evidence"]
        for passage in evidence["highlighted_evidence"]
        for piece in map(_letters, _WRITTEN_OTHERWISE.split(passage))
        if len(piece) >= _LONG_ENOUGH
    }
    assert len(passages) >= 4
    assert [piece for name, piece in passages if piece[:_PREFIX] not in texts[name]] == []


def test_chunks_of_real_pages_lose_nothing(papers: dict[str, ParsedDocument]) -> None:
    for document in papers.values():
        texts = [page.text for page in document.pages]
        for splitter in (
            Splitter("wordllama", "semantic", 256, 20, (".", "\n")),
            Splitter("unicode", "window", 1024, 50, (".", "\n")),
        ):
            for text, spans in zip(texts, splitter.split(texts), strict=True):
                covered = {place for span in spans for place in range(span.char_start, span.char_end)}
                assert all(text[place].isspace() for place in set(range(len(text))) - covered)
                assert max(span.token_end - span.token_start for span in spans) <= splitter.chunk_size + 2
