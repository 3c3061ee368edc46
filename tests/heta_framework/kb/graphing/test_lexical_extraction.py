"""The graph of a text without a model."""

from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb.graphing.lexical.extraction import extract_lexically
from heta_framework.kb.graphing.mentions import TextGraph

TEXT = (
    "Ada Quill keeps the lamp of Port Sorrel. The lamps need oil. "
    "Ivo Brandt sails to Gull Island. The lamp of Port Sorrel is old."
)


def test_what_a_text_names_and_what_stands_together() -> None:
    graph = extract_lexically(TEXT)
    names = {entity.name: entity for entity in graph.entities}
    assert {"Ada Quill", "Port Sorrel", "lamp", "oil", "Ivo Brandt", "Gull Island"} <= set(names)
    assert "lamps" not in names
    assert names["Ada Quill"].type == "term"
    assert names["Ada Quill"].subtype == "name"
    assert names["lamp"].description == "Ada Quill keeps the lamp of Port Sorrel."
    pairs = {frozenset((relation.source, relation.target)) for relation in graph.relations}
    assert frozenset(("lamp", "Port Sorrel")) in pairs
    assert frozenset(("Ivo Brandt", "Gull Island")) in pairs
    assert not any("Gull Island" in pair and "Ada Quill" in pair for pair in pairs)
    assert {relation.type for relation in graph.relations} == {"co_occurs"}


def test_a_pair_has_one_direction_whichever_comes_first() -> None:
    one = extract_lexically("Ada Quill met Ivo Brandt.").relations
    other = extract_lexically("Ivo Brandt met Ada Quill.").relations
    assert [(r.source, r.target) for r in one] == [(r.source, r.target) for r in other] == [("Ada Quill", "Ivo Brandt")]


def test_long_texts_are_capped_and_their_names_come_first() -> None:
    words = [f"term{number}x" for number in range(3_000)]
    graph = extract_lexically(". ".join(words) + ". Ada Quill keeps the lamp. Ada Quill reads.")
    assert len(graph.entities) <= 1_005
    assert len(graph.relations) <= len(graph.entities)
    assert "Ada Quill" in {entity.name for entity in graph.entities}


def test_descriptions_of_endless_sentences_are_cut_at_a_word() -> None:
    graph = extract_lexically("Ada Quill " + "walks and walks " * 60)
    assert all(len(entity.description) <= 302 for entity in graph.entities)
    assert graph.entities[0].description.endswith(" …")


@given(st.text(max_size=400))
def test_every_graph_is_whole_and_survives_being_stored(text: str) -> None:
    graph = extract_lexically(text)
    names = [entity.name for entity in graph.entities]
    assert len(names) == len(set(names))
    assert all(entity.name.strip() and entity.description.strip() for entity in graph.entities)
    for relation in graph.relations:
        assert relation.source != relation.target
        assert {relation.source, relation.target} <= set(names)
    assert TextGraph.from_bytes(graph.to_bytes()) == graph
    assert extract_lexically(text) == graph
