"""Extraction by an installed spaCy pipeline: named entities, noun chunks, and the verbs that join them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from heta_framework.kb.chunks import Chunk
from heta_framework.kb.graphing.extracting.extractor import Extracted
from heta_framework.kb.graphing.extracting.spacy_relations import relation_mentions
from heta_framework.kb.graphing.mentions import EntityMention, TextGraph

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

_VERSION = "spacy-1"
_CHUNKS_A_HOP = 64
_NOUN_CHUNK = "term"


class SpacyExtractor:
    """A `GraphExtractor` on a spaCy pipeline.

    Named entities keep their label as type (PERSON, ORG ...); noun chunks that are none become ``term``. Two entities
    of a sentence are related by the verb that governs both, where the pipeline parses; else they co-occur.
    """

    def __init__(self, pipeline: str) -> None:
        """Load a pipeline.

        Args:
            pipeline: name of an installed package, or a folder that a pipeline was saved to.

        Raises:
            ModuleNotFoundError: spaCy is not installed.
            ValueError: the pipeline is not.
        """
        self._pipeline = _loaded(pipeline)

    @property
    def settings(self) -> tuple[object, ...]:
        """Versions of the rules, of spaCy and of the pipeline."""
        meta = self._pipeline.meta
        described = (meta["lang"], meta["name"], meta["version"], *self._pipeline.pipe_names)
        return (_VERSION, meta["spacy_version"], *described)

    async def extract(self, chunks: Sequence[Chunk]) -> AsyncIterator[tuple[Chunk, Extracted]]:
        """What is in each chunk, in their order."""
        for start in range(0, len(chunks), _CHUNKS_A_HOP):
            group = chunks[start : start + _CHUNKS_A_HOP]
            graphs = await to_thread.run_sync(self._extract_all, [chunk.text for chunk in group])
            for chunk, graph in zip(group, graphs, strict=True):
                yield chunk, Extracted(graph)

    def _extract_all(self, texts: list[str]) -> list[TextGraph]:
        return [_graph(document) for document in self._pipeline.pipe(texts)]


def _loaded(pipeline: str) -> Language:
    try:
        import spacy
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'extraction="spacy" needs spaCy; install it with: pip install "heams[spacy]"', name=error.name
        ) from error
    try:
        return spacy.load(pipeline)
    except OSError as error:
        raise ValueError(
            f"no spaCy pipeline {pipeline!r} is installed, and there is no such folder; install the package of that "
            f"name (python -m spacy download {pipeline}), or set spacy_pipeline to one that is there: "
            f"{', '.join(sorted(spacy.util.get_installed_models())) or 'none is'}"
        ) from error


def _graph(document: Doc) -> TextGraph:
    entities: dict[str, EntityMention] = {}
    relations: dict[tuple[str, str, str], Any] = {}
    for sentence in _sentences(document):
        spans = list(_spans(sentence))
        description = " ".join(sentence.text.split())
        for name, _, label in spans:
            entities.setdefault(name, EntityMention(name, label, description))
        for relation in relation_mentions([(name, span) for name, span, _ in spans], description):
            relations.setdefault((relation.source, relation.target, relation.name), relation)
    return TextGraph(tuple(entities.values()), tuple(relations.values()))


def _sentences(document: Doc) -> Iterator[Span]:
    if document.has_annotation("SENT_START"):
        yield from document.sents
    elif len(document):
        yield document[:]


def _spans(sentence: Span) -> Iterator[tuple[str, Span, str]]:
    """Named entities, and noun chunks that do not overlap one, in the order of the text."""
    named = [(_name(span), span, span.label_ or _NOUN_CHUNK) for span in sentence.ents]
    taken = {token.i for _, span, _ in named for token in span}
    chunks = list(sentence.noun_chunks) if sentence.doc.has_annotation("DEP") else []
    free = [span for span in map(_bare, chunks) if len(span) and taken.isdisjoint(token.i for token in span)]
    found = [*named, *((_name(span), span, _NOUN_CHUNK) for span in free)]
    return iter(sorted((one for one in found if one[0]), key=lambda one: one[1].start))


def _bare(span: Span) -> Span:
    """A noun chunk without articles, pronouns and the like in front; empty where nothing else is in it."""
    start = span.start
    while start < span.end and (span.doc[start].is_stop or span.doc[start].is_punct or span.doc[start].is_space):
        start += 1
    return span.doc[start : span.end]


def _name(span: Span) -> str:
    return " ".join(span.text.split())
