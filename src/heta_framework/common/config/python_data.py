"""A configuration that was built in Python as the document that its YAML file would be."""

from collections.abc import Iterator, Mapping
from typing import Any

from heta_framework.common.config.document import YamlDocument, dotted
from heta_framework.common.config.errors import ConfigError, ConfigProblem
from heta_framework.common.config.reading import parse_yaml
from heta_framework.common.config.source import DEEPEST
from heta_framework.common.config.tree import Loc
from heta_framework.common.config.writing import dump_yaml

_MOST_BITS = 14_284  # of an integer of 4,300 digits, the most that Python reads
_ALLOWED = "text, numbers, true, false, None, lists and mappings are allowed"


def mapping_document(data: Mapping[str, Any], *, env: Mapping[str, str] | None = None) -> YamlDocument:
    """Return `data` as a document; tuples become lists, ``${NAME}`` is replaced as in files.

    Raises ConfigError, with every field that holds what YAML cannot: paths, sets, other objects, numbers that are not
    finite, half characters, keys that are no text, values that hold themselves.
    """
    problems = [ConfigProblem(None, None, dotted(loc), message) for loc, message in _faults(data, (), ())]
    if problems:
        raise ConfigError(problems)
    return parse_yaml(dump_yaml(_plain(data)), env=env)


def _faults(value: Any, loc: Loc, around: tuple[int, ...]) -> Iterator[tuple[Loc, str]]:
    if isinstance(value, Mapping | list | tuple):
        yield from _faults_of_container(value, loc, around)
    elif isinstance(value, str):
        if not _is_unicode(value):
            yield loc, "found half of a surrogate pair; text must be valid Unicode"
    elif isinstance(value, float):
        if value - value != 0:
            yield loc, f"found {value}; numbers must be finite"
    elif isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            yield loc, "found an integer of more than 4,300 digits"
    elif value is not None:
        yield loc, f"found a value of type {type(value).__name__}; {_ALLOWED}{_advice(value)}"


def _faults_of_container(value: Any, loc: Loc, around: tuple[int, ...]) -> Iterator[tuple[Loc, str]]:
    if id(value) in around:
        yield loc, "found a value that holds itself"
        return
    if len(around) >= DEEPEST:
        yield loc, f"found values nested deeper than {DEEPEST} levels"
        return
    inside = (*around, id(value))
    for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
        if isinstance(value, Mapping) and not (isinstance(key, str) and _is_unicode(key)):
            yield loc, f"found the key {key!r}; keys must be text"
        else:
            yield from _faults(item, (*loc, key), inside)


def _advice(value: Any) -> str:
    if hasattr(value, "__fspath__"):
        return "; write a path as text: str(path)"
    return "; write a list instead" if isinstance(value, set | frozenset) else ""


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
