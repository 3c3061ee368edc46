"""What a pydantic schema allows at the location of an error: field names, tags.

Walks the documented structure of core schemas (`pydantic_core.core_schema`): only there tags and union members appear
as they do in error locations.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from heta_framework.common.config.tree import Loc

_Schema = Mapping[str, Any]

_WRAPPED = ("schema", "lax_schema", "python_schema")


def field_names(schema: _Schema, loc: Loc) -> tuple[str, ...]:
    """Return the names of the fields that may stand in the mapping at `loc`, in the order of their declaration."""
    names = [name for node in _nodes_at(schema, loc) for name in _names(node)]
    return tuple(dict.fromkeys(names))


def union_tags(schema: _Schema, loc: Loc) -> tuple[str, ...]:
    """Return the tags that the discriminated union at `loc` knows."""
    unions = [node for node in _nodes_at(schema, loc) if node["type"] == "tagged-union"]
    return tuple(dict.fromkeys(str(tag) for union in unions for tag in union["choices"]))


def _nodes_at(schema: _Schema, loc: Loc) -> list[_Schema]:
    definitions = {node["ref"]: node for node in schema.get("definitions", ())}
    nodes = list(_unwrapped([schema], definitions))
    for part in loc:
        nodes = list(_unwrapped([below for node in nodes for below in _step(node, part)], definitions))
    return nodes


def _unwrapped(schemas: Iterable[_Schema], definitions: Mapping[str, _Schema]) -> Iterator[_Schema]:
    """Yield the schemas and everything they stand for at the same location (each once: schemas may be recursive)."""
    waiting, seen = list(schemas), set[int]()
    while waiting:
        node = waiting.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        waiting += _inside(node, definitions)


def _inside(node: _Schema, definitions: Mapping[str, _Schema]) -> list[_Schema]:
    match node["type"]:
        case "definition-ref":
            return [definitions[node["schema_ref"]]] if node["schema_ref"] in definitions else []
        case "union":
            return _choices(node)
        case "chain":
            return list(node["steps"])
        case _:
            return [node[key] for key in _WRAPPED if key in node]


def _step(node: _Schema, part: str | int) -> list[_Schema]:
    """Return the schemas that one part of an error location leads to: a field, an item, a tag or a union member."""
    match node["type"]:
        case "model-fields" | "typed-dict" | "dataclass-args":
            return [field["schema"] for name, field in _fields(node) if part in (name, _alias(field))]
        case "list" | "set" | "frozenset" | "generator":
            return [node["items_schema"]] if "items_schema" in node else []
        case "tuple":
            return list(node["items_schema"])
        case "dict":
            return [node["values_schema"]] if "values_schema" in node else []
        case "tagged-union":
            return [choice for tag, choice in node["choices"].items() if str(tag) == str(part)]
        case "union":
            return _choices(node)
        case _:
            return []


def _choices(union: _Schema) -> list[_Schema]:
    return [choice[0] if isinstance(choice, tuple) else choice for choice in union["choices"]]


def _names(node: _Schema) -> list[str]:
    if node["type"] not in ("model-fields", "typed-dict", "dataclass-args"):
        return []
    return [_alias(field) or name for name, field in _fields(node)]


def _fields(node: _Schema) -> list[tuple[str, _Schema]]:
    if node["type"] == "dataclass-args":
        return [(field["name"], field) for field in node["fields"]]
    return list(node["fields"].items())


def _alias(field: _Schema) -> str | None:
    alias = field.get("validation_alias")
    return alias if isinstance(alias, str) else None
