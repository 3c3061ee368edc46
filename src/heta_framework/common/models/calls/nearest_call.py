"""Which recorded call is most like one that was not recorded.

Calls are compared roughly first, by hashes of what their requests consist of, and only the few best ones word by word.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest
from typing import Any, Final, TypeVar

from heta_framework.common.models.calls.call_difference import CallIdentity

T = TypeVar("T")
_SETTINGS: Final = frozenset({"function_tools", "native_tools", "output_tools", "output_object", "settings"})
"""What many calls of a run have in common."""
_FINALISTS: Final = 12
_LEAVES_AT_ENDS: Final = 100
_WORDY_TEXTS: Final = 3
_WORDS_AT_ENDS: Final = 30
_COMPARED_WORDS: Final = 400
_CHARACTERS_AT_ENDS: Final = 300


@dataclass(frozen=True, slots=True)
class Sketch:
    """A call in short: its kind and model as they are, of its request only hashes."""

    kind: str
    model: str
    epoch: str
    traits: "array[int]"


def sketch(call: CallIdentity) -> Sketch:
    """The sketch of a call: some hundred hashes at most, however long the request is."""
    return Sketch(call.kind, call.model, call.epoch, array("I", sorted(set(_traits(call.request)))))


def finalists(wanted: Sketch, recorded: Iterable[tuple[int, Sketch]]) -> list[int]:
    """The numbers of the recorded calls that are roughly most like ``wanted``: same kind and model first."""
    traits = frozenset(wanted.traits)

    def rank(entry: tuple[int, Sketch]) -> tuple[bool, bool, float, bool, int]:
        number, found = entry
        shared = sum(map(traits.__contains__, found.traits))
        likeness = 2 * shared / ((len(traits) + len(found.traits)) or 1)
        return found.kind == wanted.kind, found.model == wanted.model, likeness, found.epoch == wanted.epoch, number

    return [number for number, _ in nlargest(_FINALISTS, recorded, key=rank)]


def likeness(wanted: CallIdentity, found: CallIdentity) -> tuple[bool, bool, float, bool]:
    """How like ``wanted`` a call is; the larger the nearer."""
    same = found.request == wanted.request
    words = 1.0 if same else _shared_words(_words(wanted.request), _words(found.request))
    return found.kind == wanted.kind, found.model == wanted.model, words, found.epoch == wanted.epoch


def _traits(request: Mapping[str, Any]) -> Iterator[int]:
    leaves = [(name, str(value)) for name, value in _leaves("", request)]
    yield from map(_hash, _ends(leaves, _LEAVES_AT_ENDS))
    content = {name: value for name, value in request.items() if name not in _SETTINGS}
    texts = [value for _, value in _leaves("", content) if isinstance(value, str) and " " in value]
    for text in texts[-_WORDY_TEXTS:]:
        yield from map(_hash, _ends(_clipped(text).split(), _WORDS_AT_ENDS))


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Every single value with the name of the field that it stands in."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _leaves(key, value[key])
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(name, item)
    else:
        yield name, value


def _words(request: Mapping[str, Any]) -> list[str]:
    return [word for _, value in _leaves("", request) for word in str(value).split()]


def _shared_words(one: list[str], other: list[str]) -> float:
    """The share of words that two texts have in common, in order. Where they part for long, not all of it is read."""
    total = (len(one) + len(other)) or 1
    begin = _common(one, other)
    one, other = one[begin:], other[begin:]
    end = _common(one[::-1], other[::-1])
    parted, beside = one[: len(one) - end][:_COMPARED_WORDS], other[: len(other) - end][:_COMPARED_WORDS]
    blocks = SequenceMatcher(None, parted, beside, autojunk=False).get_matching_blocks()
    return 2 * (begin + end + sum(block.size for block in blocks)) / total


def _common(one: list[str], other: list[str]) -> int:
    """How many words two texts have in common at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _ends(items: list[T], count: int) -> list[T]:
    return items if len(items) <= 2 * count else items[:count] + items[-count:]


def _clipped(text: str) -> str:
    if len(text) <= 2 * _CHARACTERS_AT_ENDS:
        return text
    return f"{text[:_CHARACTERS_AT_ENDS]} {text[-_CHARACTERS_AT_ENDS:]}"


def _hash(value: object) -> int:
    return hash(value) & 0xFFFF_FFFF
