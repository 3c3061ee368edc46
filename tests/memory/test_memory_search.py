"""What the searching memories find: words, meaning, and both; and what their settings change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from heams.memory.base import Memory, MemoryEvent, MemoryScope, RecallQuery
from heams.memory.hybrid import FusionWeights, HybridMemoryConfig, HybridMemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heta_framework.common.stores.fusion import rrf

pytestmark = pytest.mark.anyio

DIARY = {
    "dentist": "The dentist filled two cavities on Monday morning.",
    "marathon": "Training for the marathon hurts my knees.",
    "zeltingen": "We stopped in Zeltingen on the way home.",
    "puppy": "Our new puppy chewed my favourite shoes.",
    "guitar": "The guitar needs fresh strings before the concert.",
    "salary": "The company raised my salary in spring.",
    "flight": "My flight to Oslo was cancelled because of snow.",
    "soup": "Grandmother's recipe for lentil soup uses cumin.",
    "garden": "The roses in the garden bloom late this year.",
    "exam": "I passed the chemistry exam at last.",
    "bike": "Somebody stole my bicycle outside the library.",
    "painting": "She sold her first watercolour to a gallery.",
}
MEANT = {
    "Which dog did they get?": "puppy",
    "How is the musical instrument doing?": "guitar",
    "What happened to the airplane trip?": "flight",
    "Does he earn more money now?": "salary",
}


def _ids(items: Sequence[Any]) -> list[str]:
    return [item.id for item in items]


async def _with(config: HybridMemoryConfig | LexicalMemoryConfig) -> Memory:
    system = HybridMemorySystem(config) if isinstance(config, HybridMemoryConfig) else LexicalMemorySystem(config)
    memory = await system.open(MemoryScope(id="scope"))
    await memory.write_all([MemoryEvent(id=key, content=content) for key, content in DIARY.items()])
    return memory


@pytest.mark.parametrize("name", ["lexical", "hybrid"])
async def test_words_find_a_rare_name(subjects: Any, name: str) -> None:
    memory = await subjects[name].open(DIARY)
    assert _ids(await subjects[name].ask(memory, "When were they in Zeltingen?"))[0] == "zeltingen"


async def test_words_find_other_forms_of_a_word_and_nothing_without_them(subjects: Any) -> None:
    lexical = subjects["lexical"]
    memory = await lexical.open(DIARY)
    assert _ids(await lexical.ask(memory, "Who is stopping, and whose exams?")) == ["exam", "zeltingen"]
    for query, meant in MEANT.items():
        assert meant not in _ids(await lexical.ask(memory, query))


@pytest.mark.parametrize("name", ["vector", "hybrid"])
@pytest.mark.parametrize(("query", "meant"), MEANT.items())
async def test_meaning_finds_a_paraphrase(subjects: Any, name: str, query: str, meant: str) -> None:
    memory = await subjects[name].open(DIARY)
    assert meant in _ids(await subjects[name].ask(memory, query, limit=3))


async def test_the_name_of_the_speaker_helps_to_find_a_turn(searching: Any) -> None:
    memory = await searching.open({})
    for speaker in ("Maya", "Tom", "Priya"):
        await memory.write(MemoryEvent(id=speaker, speaker=speaker, content="I love the sea."))
    (best, *_) = await searching.ask(memory, "Does Priya love the sea?")
    assert (best.id, best.text) == ("Priya", "I love the sea.")


async def test_notes_are_found_by_their_text_alone(subjects: Any) -> None:
    lexical = subjects["lexical"]
    memory = await lexical.open({})
    await memory.write(MemoryEvent(id="note", kind="note", speaker="Maya", content="The sea is near."))
    assert _ids(await lexical.ask(memory, "Maya")) == []
    assert _ids(await lexical.ask(memory, "sea")) == ["note"]


@pytest.mark.parametrize(("weights", "single"), [((1.0, 0.0), "lexical"), ((0.0, 1.0), "vector")])
async def test_a_weight_of_zero_leaves_the_other_ranking(
    subjects: Any, weights: tuple[float, float], single: str
) -> None:
    fused = await _with(HybridMemoryConfig(weights=FusionWeights(lexical=weights[0], vector=weights[1])))
    alone = await subjects[single].open(DIARY, speaker="user")
    query = "snow in the garden on Monday"
    expected = _ids(await subjects[single].ask(alone, query))
    assert len(expected) >= 3
    assert _ids(await fused.recall(RecallQuery(text=query)))[: len(expected)] == expected


async def test_rrf_scores_are_weighted_reciprocal_ranks() -> None:
    memory = await _with(HybridMemoryConfig(rrf_k=4, weights=FusionWeights(lexical=3.0, vector=1.0)))
    best = (await memory.recall(RecallQuery(text="lentil soup with cumin")))[0]
    assert (best.id, best.score) == ("soup", pytest.approx(3.0 / (4 + 1) + 1.0 / (4 + 1)))


async def _fused_by_hand(subjects: Any, query: str, candidates: int) -> list[tuple[str, float]]:
    rankings = []
    for name in ("lexical", "vector"):
        memory = await subjects[name].open(DIARY, speaker="user")
        rankings.append(_ids(await subjects[name].ask(memory, query, limit=candidates)))
    return rrf(rankings, k=60, weights=[1.0, 1.0])


async def test_as_many_places_of_each_ranking_are_fused_as_there_are_candidates(subjects: Any) -> None:
    query, scores = "roses and snow in the concert gallery at home", set()
    for candidates in (1, 2, 6):
        config = HybridMemoryConfig(candidates=candidates, rrf_k=60, weights=FusionWeights(vector=1.0))
        (best,) = await (await _with(config)).recall(RecallQuery(text=query, limit=1))
        expected = await _fused_by_hand(subjects, query, candidates)
        assert best.score == expected[0][1]
        assert (best.id, best.score) in expected
        scores.add(best.score)
    assert len(scores) > 1


async def test_more_items_than_candidates_can_be_asked_for() -> None:
    memory = await _with(HybridMemoryConfig(candidates=1))
    for limit in (5, None):
        found = await memory.recall(RecallQuery(text="roses and snow in the garden", limit=limit))
        assert len(found) == (limit or len(DIARY))


async def test_stemmer_and_stop_words_can_be_switched_off() -> None:
    plain = await _with(LexicalMemoryConfig(stemmer="none", stop_words="none"))
    assert _ids(await plain.recall(RecallQuery(text="exams"))) == []
    assert "zeltingen" in _ids(await plain.recall(RecallQuery(text="Where was it on?")))
    usual = await _with(LexicalMemoryConfig())
    assert _ids(await usual.recall(RecallQuery(text="exams"))) == ["exam"]
    assert _ids(await usual.recall(RecallQuery(text="Where was it on?"))) == []
