"""PyYAML's words for broken syntax, in words that say what to change."""

import re

_REWORDED = (
    (r"found character '\\t' .*", "found a tab where YAML allows only spaces; indent with spaces"),
    (
        r"found character '(.)' that cannot start any token",
        r"found '\1' at the start of a value; put the value in quotes",
    ),
    (
        r"found undefined alias '(.*)'",
        r"found '*\1', but nothing is marked '&\1'; put text that starts with '*' in quotes",
    ),
    (
        r"mapping values are not allowed here",
        "found a ':' inside a value, or a line that is indented too far; quote or align it",
    ),
    (
        r"could not find expected ':'",
        "found a line without 'key:'; write 'key: value', or indent it as part of a longer text",
    ),
    (r"but found another document", "found a second document ('---'); a file holds one"),
    (
        r"expected <block end>, but found .*",
        "found a line that does not align with those before it; check the indentation",
    ),
    (r"expected (.*), but (?:got|found) '<stream end>'", r"expected \1, but the file ends"),
    (r"second occurrence", "found a second anchor '&…' of the same name; give it another name"),
    (r"found unexpected end of stream", "found the end of the file before the closing quote"),
)
_BRACE = re.compile(r"but (?:got|found) '\{'")


def reworded(problem: str, line: str) -> str:
    """Return PyYAML's `problem` on a `line` of text in plain words; unknown problems stay as they are."""
    if _BRACE.search(problem) and "${" in line:
        return 'found ${…} between brackets; put it in quotes there: ["${NAME}"]'
    for pattern, words in _REWORDED:
        if re.fullmatch(pattern, problem):
            return re.sub(pattern, words, problem)
    return problem
