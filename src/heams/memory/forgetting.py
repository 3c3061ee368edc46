"""Which items a demand to forget is about. Forgetting too little is reported; forgetting too much is a loss.

Named events decide alone: every item that is, or was made from, one of them goes. Otherwise the demand's words are
looked for as they stand:

1. items that contain the whole content, or else
2. items that contain a passage which the content puts in double quotation marks (``"..."`` and its typographic kin).

"Contains" compares whole words in sequence, without regard to case, punctuation, spacing and Unicode form; characters
of scripts that are written without spaces count as words. A demand in other words than the items' own finds nothing.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from heams.memory.base import ForgetDemand, MemoryItem
from heams.memory.item_store import ItemStore

# Thai to Khmer, Hiragana and Katakana, Han
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORDS = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")
_QUOTED = re.compile(
    '"([^"]+)"|\u201c([^\u201d]+)\u201d|\u201e([^\u201c\u201d]+)[\u201c\u201d]|\u00ab([^\u00bb]+)\u00bb'
)


def keys_to_forget(items: ItemStore, demand: ForgetDemand) -> list[str]:
    """Keys of the items that the demand is about, in order of hearing."""
    if demand.event_ids:
        return sorted(items.keys_behind(demand.event_ids))
    words = {key: _words(item.text) for key, item in items.by_key().items()}
    return _containing(words, [demand.content]) or _containing(words, _quoted(demand.content))


def passages_in(text: str, demand: ForgetDemand) -> list[str]:
    """The passages by whose words the demand is about this text: its whole content, or else what it quotes."""
    quoted = [passage for passage in _quoted(demand.content) if stand_in(text, [passage])]
    return [demand.content] if stand_in(text, [demand.content]) else quoted


def stand_in(text: str, passages: Iterable[str]) -> bool:
    """Whether the text contains one of the passages."""
    return bool(_containing({"": _words(text)}, passages))


def places_without(pieces: Sequence[str], passages: Sequence[str]) -> list[int]:
    """Which pieces of a text stay when as few adjacent ones go as it takes for no passage to stand in the rest."""
    left = list(range(len(pieces)))

    def hold(places: Sequence[int]) -> bool:
        return stand_in("".join(pieces[place] for place in places), passages)

    while hold(left):
        end = bisect_left(range(1, len(left)), True, key=lambda end: hold(left[:end])) + 1
        start = bisect_left(range(1, end), True, key=lambda start: not hold(left[start:end]))
        del left[start:end]
    return left


def describe_forgetting(removed: Sequence[MemoryItem], demand: ForgetDemand) -> str:
    """The memory's own words for a receipt."""
    how = "from the named events" if demand.event_ids else "with these words"
    return f"{len(removed)} item{'' if len(removed) == 1 else 's'} {how} removed"


def _containing(words: Mapping[str, str], passages: Iterable[str]) -> list[str]:
    sought = [passage for passage in map(_words, passages) if passage.strip()]
    return [key for key, text in words.items() if any(passage in text for passage in sought)]


def _quoted(content: str) -> list[str]:
    return ["".join(groups) for groups in _QUOTED.findall(content)]


def _words(text: str) -> str:
    """The words of a text, each between single spaces, so that one text contains another only by whole words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return f" {' '.join(_WORDS.findall(folded))} "
