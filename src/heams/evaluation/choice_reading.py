"""Which of several options a free reply chooses: by its letter, in a tag or in JSON, or by the option's own words.

The order, of which the first that finds something decides:

1. the reply is the text of one option, or nothing but a letter;
2. a tag ``<choice>``, ``<answer>``, ``<final_answer>``, ``<option>``, or a JSON object with a key of such a name;
3. letters in prose, the firmest mentions first (see ``choice_mentions``); denied ones do not count;
4. the words of an option, whole and outside of "not ..." and "instead of ...".

A reply that names several options without deciding chooses none.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape

from heams.evaluation.choice_mentions import decided, mentions
from heta_framework.common.judge.quotations import without_thoughts
from heta_framework.common.text.normalise import tokens

_LONGEST = 20_000
"""Characters, from the end, that are read."""
_KEYS = ("choice", "answer", "final_answer", "option", "selected", "selection", "letter")
_TAG = re.compile(r"<\s*(choice|answer|final_answer|option)\b[^<>]*>(.*?)(?=</?\s*\1\b|\Z)", re.IGNORECASE | re.DOTALL)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_OBJECT = re.compile(r"\{[^{}]*\}")
_MARKUP = re.compile(r"<[^<>]*>")
_EMPHASIS = str.maketrans("", "", "*_`")
_DENIALS = frozenset(("not", "never", "avoid", "without", "than", "except", "skip"))


@dataclass(frozen=True, slots=True)
class Choice:
    """``letter``, lower-case, or None; ``reason`` says what the reply names."""

    letter: str | None
    reason: str


def read_choice(reply: str, options: Mapping[str, str]) -> Choice:
    """The option that ``reply`` chooses; ``options`` are texts by their letters, lower-case."""
    spoken = without_thoughts(reply[-_LONGEST:])
    if spoken is None or not spoken.strip():
        return Choice(None, "the reply is empty" if spoken is not None else "the reply ends in the middle of a thought")
    said = unicodedata.normalize("NFKC", spoken)
    for letters in (_whole(said, options), _framed(said, options), _named(said, options), _quoted(said, options)):
        if len(letters) == 1:
            return Choice(letters[0], f"chose ({letters[0]})")
        if letters:
            return Choice(None, f"named {', '.join(f'({letter})' for letter in sorted(letters))} without deciding")
    return Choice(None, "named none of the options")


def _whole(said: str, options: Mapping[str, str]) -> list[str]:
    words = tokens(said)
    alike = [letter for letter, text in options.items() if words and tokens(text) == words]
    if alike:
        return alike[:1]  # options of the same text are one option
    bare = said.translate(_EMPHASIS).strip(" \t\r\n.,;:!?()[]{}\"'“”‘’<>#-").lower()
    return [bare] if bare in options else []


def _framed(said: str, options: Mapping[str, str]) -> list[str]:
    """What the reply puts into a frame; nothing where its frames hold no option."""
    found: dict[str, None] = {}
    for content in (*_tagged(said), *_of_objects(said)):
        whole = _whole(content, options)
        found.update(dict.fromkeys(whole or _named(content, options) or _quoted(content, options)))
    return list(found)


def _tagged(said: str) -> Iterator[str]:
    for match in _TAG.finditer(said):
        yield unescape(_MARKUP.sub(" ", match[2]))
    for match in _BOXED.finditer(said):
        yield match[1]


def _of_objects(said: str) -> Iterator[str]:
    for match in _OBJECT.finditer(said):
        try:
            data = json.loads(match.group())
        except (ValueError, RecursionError):
            continue
        for key, value in data.items():
            if key.lower().replace(" ", "_") in _KEYS and isinstance(value, str):
                yield value


def _named(said: str, options: Mapping[str, str]) -> list[str]:
    plain = _MARKUP.sub(" ", said.translate(_EMPHASIS))
    return decided(mentions(plain, options), plain)


def _quoted(said: str, options: Mapping[str, str]) -> list[str]:
    """The options whose words stand in the reply, without those that are only part of a longer one that does."""
    words = tokens(said)
    runs = {letter: run for letter, text in options.items() if (run := tokens(text)) and _affirmed(words, run)}
    longest = [
        letter
        for letter, run in runs.items()
        if not any(len(other) > len(run) and _starts(other, run) for other in runs.values())
    ]
    return longest[:1] if len({tuple(runs[letter]) for letter in longest}) == 1 else longest


def _affirmed(words: list[str], run: list[str]) -> bool:
    return any(not _denied(words[max(0, start - 2) : start]) for start in _starts(words, run))


def _denied(before: list[str]) -> bool:
    return before[-1:] != [] and (before[-1] in _DENIALS or before == ["instead", "of"])


def _starts(words: list[str], run: list[str]) -> list[int]:
    width = len(run)
    return [start for start in range(len(words) - width + 1) if words[start : start + width] == run]
