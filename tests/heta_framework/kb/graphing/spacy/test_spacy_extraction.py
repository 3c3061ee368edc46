"""Extraction by spaCy, with pipelines made here: no model package is needed."""

from pathlib import Path
from typing import Any

import pytest

spacy = pytest.importorskip("spacy")

from heta_framework.kb.chunks import Chunk  # noqa: E402 - needs the extra
from heta_framework.kb.graphing.extracting.spacy_extractor import SpacyExtractor  # noqa: E402
from heta_framework.kb.graphing.mentions import TextGraph  # noqa: E402

pytestmark = pytest.mark.anyio
TEXT = "Ada Quill keeps the lamp of Port Sorrel. The Petrel sails to Gull Island."
PATTERNS = [
    {"label": "PERSON", "pattern": "Ada Quill"},
    {"label": "GPE", "pattern": "Port Sorrel"},
    {"label": "SHIP", "pattern": "Petrel"},
    {"label": "GPE", "pattern": "Gull Island"},
]


@pytest.fixture
def ruled(tmp_path: Path) -> str:
    """A pipeline that knows four names and where sentences end."""
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("entity_ruler").add_patterns(PATTERNS)
    pipeline.to_disk(tmp_path / "ruled")
    return str(tmp_path / "ruled")


def chunk(text: str) -> Chunk:
    return Chunk("chunk_1", "d", "raw/d.txt", "d.txt", "txt", "0" * 64, 0, 0, text, 0, len(text), 0, len(text))


async def extracted(extractor: SpacyExtractor, text: str = TEXT) -> TextGraph:
    (found,) = [extracted.graph async for _, extracted in extractor.extract([chunk(text)])]
    return found


async def test_named_entities_keep_their_labels_and_co_occur_in_sentences(ruled: str) -> None:
    graph = await extracted(SpacyExtractor(ruled))
    assert {(entity.name, entity.type) for entity in graph.entities} == {
        ("Ada Quill", "PERSON"),
        ("Port Sorrel", "GPE"),
        ("Petrel", "SHIP"),
        ("Gull Island", "GPE"),
    }
    assert [(one.source, one.target, one.type) for one in graph.relations] == [
        ("Ada Quill", "Port Sorrel", "co_occurs"),
        ("Gull Island", "Petrel", "co_occurs"),
    ]
    assert graph.entities[0].description == "Ada Quill keeps the lamp of Port Sorrel."


class Parsed(SpacyExtractor):
    """An extractor whose pipeline returns one parsed document."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def _extract_all(self, texts: list[str]) -> list[TextGraph]:
        from heta_framework.kb.graphing.extracting.spacy_extractor import _graph

        return [_graph(self._document)]


async def test_where_sentences_are_parsed_verbs_relate_and_noun_chunks_are_terms() -> None:
    words = ["Ada", "Quill", "works", "for", "the", "old", "harbour", "."]
    heads = [1, 2, 2, 2, 6, 6, 3, 2]
    deps = ["compound", "nsubj", "ROOT", "prep", "det", "amod", "pobj", "punct"]
    tags = ["PROPN", "PROPN", "VERB", "ADP", "DET", "ADJ", "NOUN", "PUNCT"]
    entities = ["B-PERSON", "I-PERSON", *["O"] * 6]
    lemmas = ["Ada", "Quill", "work", "for", "the", "old", "harbour", "."]
    document = spacy.tokens.Doc(
        spacy.blank("en").vocab, words=words, heads=heads, deps=deps, pos=tags, ents=entities, lemmas=lemmas
    )
    graph = await extracted(Parsed(document))
    assert [(entity.name, entity.type) for entity in graph.entities] == [
        ("Ada Quill", "PERSON"),
        ("old harbour", "term"),
    ]
    (works,) = graph.relations
    assert (works.source, works.type, works.name, works.target) == ("Ada Quill", "work", "works for", "old harbour")


async def test_results_are_kept_under_the_versions_that_made_them(ruled: str) -> None:
    settings = SpacyExtractor(ruled).settings
    assert "entity_ruler" in settings
    assert settings == SpacyExtractor(ruled).settings


def test_a_pipeline_that_is_not_installed_is_named_with_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"no spaCy pipeline 'en_core_web_huge' is installed.*spacy download"):
        SpacyExtractor("en_core_web_huge")
