"""YAML text to a graph of nodes that know where they stand in the text."""

from bisect import bisect_right
from re import finditer

from yaml.composer import Composer, ComposerError
from yaml.error import MarkedYAMLError
from yaml.nodes import Node
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from heta_framework.common.config.dialect import CoreResolver
from heta_framework.common.config.syntax_words import reworded

DEEPEST = 100


class YamlSyntaxError(Exception):
    """Text that is not YAML: `line` counts from 1, the message is worded for the user."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class Lines:
    """Line numbers as editors count them (PyYAML also breaks lines at U+0085, U+2028 and U+2029)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [match.end() for match in finditer(r"\r\n|\n|\r", text) if match.end() < len(text)]

    def at(self, offset: int) -> int:
        """Return the line, from 1, that holds the character at `offset`; the last line where the text has ended."""
        return bisect_right(self._starts, offset) + 1

    def text(self, line: int) -> str:
        """Return the text of a line, which counts from 1."""
        starts = [0, *self._starts, len(self._text)]
        return self._text[starts[line - 1] : starts[line]]


def compose(text: str) -> Node:
    """Return the root node of the one document in `text`. Raises YamlSyntaxError."""
    lines = Lines(text)
    try:
        loader = _Loader(text)
    except ReaderError as error:
        message = f"found the character U+{error.character:04X}, which YAML allows only as an escape in double quotes"
        raise YamlSyntaxError(lines.at(error.position), message) from None
    try:
        root = loader.get_single_node()
    except MarkedYAMLError as error:
        raise _syntax_error(error, lines) from None
    except (ValueError, OverflowError):  # PyYAML's scanner hands through what chr() and int() think of an escape
        raise YamlSyntaxError(lines.at(loader.index), "found an escape or directive that is out of range") from None
    if root is None:
        raise YamlSyntaxError(1, "found nothing but comments" if text.strip() else "found an empty file")
    return root


class _Loader(Reader, Scanner, Parser, Composer, CoreResolver):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        CoreResolver.__init__(self)
        self._depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ComposerError(None, None, f"found values nested deeper than {DEEPEST} levels", self.get_mark())
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _syntax_error(error: MarkedYAMLError, lines: Lines) -> YamlSyntaxError:
    mark = error.problem_mark or error.context_mark
    line = lines.at(mark.index) if mark else 1
    message = reworded(error.problem or error.context or "this is not YAML", lines.text(line))
    start = lines.at(error.context_mark.index) if error.context_mark else line
    if start != line and (error.context or "").startswith("while"):
        message = f"{message} ({error.context}, which starts on line {start})"
    return YamlSyntaxError(line, message)
