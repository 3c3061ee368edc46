"""A graph of YAML nodes to JSON-like data and the line of every value."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from heta_framework.common.config.dialect import MAP, MERGE, NULL, SEQ, key_text, scalar_value, shown_tag
from heta_framework.common.config.source import DEEPEST, YamlSyntaxError

Loc = tuple[str | int, ...]
_Entries = dict[str, tuple[Node, Node]]

_LARGEST_EXPANSION = 100_000


@dataclass(frozen=True)
class Fault:
    """Something in the text that no data can stand for."""

    line: int
    loc: Loc
    message: str


@dataclass
class Tree:
    """JSON-like data, the line of every location in it, and what was wrong on the way.

    The line of a mapping's entry is the line of its key.
    """

    data: Any = None
    lines: dict[Loc, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def read_tree(root: Node, line_of: Callable[[Node], int]) -> Tree:
    """Return the data below `root`, aliases expanded. Raises YamlSyntaxError where that has no end."""
    reader = _TreeReader(line_of)
    reader.tree.data = reader.value(root, ())
    return reader.tree


class _TreeReader:
    def __init__(self, line_of: Callable[[Node], int]) -> None:
        self.tree = Tree()
        self._line_of = line_of
        self._seen: set[int] = set()
        self._open: set[int] = set()
        self._expanded = 0

    def value(self, node: Node, loc: Loc) -> Any:
        self.tree.lines.setdefault(loc, self._line_of(node))
        with self._inside(node):
            if isinstance(node, MappingNode):
                return self._mapping(node, loc)
            if isinstance(node, SequenceNode):
                return self._sequence(node, loc)
            return self._scalar(node, loc)

    def _mapping(self, node: MappingNode, loc: Loc) -> dict[str, Any]:
        result = {}
        for name, (key, value) in self._entries(node, loc).items():
            self.tree.lines[*loc, name] = self._line_of(key)
            result[name] = self.value(value, (*loc, name))
        return result

    def _sequence(self, node: SequenceNode, loc: Loc) -> list[Any]:
        self._require_tag(node, SEQ, loc)
        return [self.value(item, (*loc, index)) for index, item in enumerate(node.value)]

    def _scalar(self, node: Node, loc: Loc) -> Any:
        try:
            return scalar_value(node.tag, node.value)
        except ValueError as error:
            self._fault(node, loc, str(error))
            return None

    def _entries(self, node: MappingNode, loc: Loc) -> _Entries:
        """Return the entries of a mapping: its own win over merged ones, the first merged over later ones."""
        self._require_tag(node, MAP, loc)
        own: _Entries = {}
        merged: _Entries = {}
        for key, value in node.value:
            if key.tag == MERGE:
                merged = {**self._merged(value, loc), **merged}
            else:
                self._add(own, key, value, loc)
        return {**merged, **own}

    def _add(self, entries: _Entries, key: Node, value: Node, loc: Loc) -> None:
        name = self._key(key, loc)
        if name in entries:
            lines = f"lines {self._line_of(entries[name][0])} and {self._line_of(key)}"
            self._fault(key, (*loc, name), f"found this key twice, on {lines}; keep one of them")
        entries[name] = (key, value)

    def _merged(self, node: Node, loc: Loc) -> _Entries:
        merged: _Entries = {}
        for source in node.value if isinstance(node, SequenceNode) else [node]:
            if isinstance(source, MappingNode):
                with self._inside(source):
                    merged = {**self._entries(source, loc), **merged}
            else:
                self._fault(source, loc, "found '<<' without a mapping; a mapping, or a list of them, can be merged")
        return merged

    def _key(self, node: Node, loc: Loc) -> str:
        if not isinstance(node, ScalarNode):
            self._fault(node, loc, "found a mapping or list as a key; keys must be text")
            return ""
        if node.tag == NULL and not node.value:
            self._fault(node, loc, "found ':' without a key before it")
        try:
            return key_text(node.tag, node.value)
        except ValueError as error:
            self._fault(node, loc, str(error))
            return str(node.value)

    @contextmanager
    def _inside(self, node: Node) -> Iterator[None]:
        """Hold aliases to what a reader can survive: no cycle, no endless depth, no exponential growth."""
        line = self._line_of(node)
        if id(node) in self._seen:
            self._expanded += 1 + (len(node.value) // 64 if isinstance(node, ScalarNode) else 0)
        if self._expanded > _LARGEST_EXPANSION:
            raise YamlSyntaxError(line, f"found aliases that expand to more than {_LARGEST_EXPANSION:,} values")
        if id(node) in self._open:
            raise YamlSyntaxError(line, "found an alias to the value that holds it")
        if len(self._open) > DEEPEST:
            raise YamlSyntaxError(line, f"found aliases nested deeper than {DEEPEST} levels")
        self._seen.add(id(node))
        self._open.add(id(node))
        yield
        self._open.remove(id(node))

    def _require_tag(self, node: Node, tag: str, loc: Loc) -> None:
        if node.tag != tag:
            self._fault(node, loc, f"found the tag {shown_tag(node.tag)}; only plain YAML values are allowed")

    def _fault(self, node: Node, loc: Loc, message: str) -> None:
        self.tree.faults.append(Fault(self._line_of(node), loc, message))
