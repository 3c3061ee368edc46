"""Whether JSON values follow a JSON schema: the keywords that providers' structured outputs know.

Those are ``type``, ``enum``, ``const``, ``anyOf``, ``oneOf``, ``allOf``, ``$ref`` to the schema's own ``$defs``,
``properties``, ``required``, ``additionalProperties``, ``items``, ``prefixItems``, and bounds of numbers, texts and
lists (JSON Schema 2020-12). Other keywords describe and do not restrict.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_BOUNDS: Mapping[str, tuple[type | tuple[type, ...], Callable[[Any, Any], bool]]] = {
    "minimum": ((int, float), lambda value, bound: value >= bound),
    "maximum": ((int, float), lambda value, bound: value <= bound),
    "exclusiveMinimum": ((int, float), lambda value, bound: value > bound),
    "exclusiveMaximum": ((int, float), lambda value, bound: value < bound),
    "minLength": (str, lambda value, bound: len(value) >= bound),
    "maxLength": (str, lambda value, bound: len(value) <= bound),
    "pattern": (str, lambda value, pattern: re.search(pattern, value) is not None),
    "minItems": (list, lambda value, bound: len(value) >= bound),
    "maxItems": (list, lambda value, bound: len(value) <= bound),
}


def follows(schema: Mapping[str, Any] | bool, value: Any, root: Mapping[str, Any] | None = None) -> bool:
    """Whether ``value`` follows ``schema``; references are looked up in ``root`` (the schema itself by default)."""
    if isinstance(schema, bool):
        return schema
    whole = schema if root is None else root
    return (
        _of_type(schema.get("type"), value)
        and _listed(schema, value)
        and _bounded(schema, value)
        and _combined(schema, value, whole)
        and (not isinstance(value, dict) or _fields(schema, value, whole))
        and (not isinstance(value, list) or _elements(schema, value, whole))
    )


def _of_type(wanted: Any, value: Any) -> bool:
    if wanted is None:
        return True
    return any(_is(name, value) for name in ([wanted] if isinstance(wanted, str) else wanted))


def _is(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _TYPES.get(name, ()))


def _listed(schema: Mapping[str, Any], value: Any) -> bool:
    if "const" in schema and not _same(schema["const"], value):
        return False
    return "enum" not in schema or any(_same(allowed, value) for allowed in schema["enum"])


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON, where 1 and true differ."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _bounded(schema: Mapping[str, Any], value: Any) -> bool:
    bounds = (
        (schema[keyword], holds)
        for keyword, (types, holds) in _BOUNDS.items()
        if keyword in schema and isinstance(value, types) and not isinstance(value, bool)
    )
    return all(holds(value, bound) for bound, holds in bounds)


def _combined(schema: Mapping[str, Any], value: Any, root: Mapping[str, Any]) -> bool:
    if "$ref" in schema and not follows(_referred(schema["$ref"], root), value, root):
        return False
    if not all(follows(part, value, root) for part in schema.get("allOf", ())):
        return False
    if "anyOf" in schema and not any(follows(part, value, root) for part in schema["anyOf"]):
        return False
    return "oneOf" not in schema or sum(follows(part, value, root) for part in schema["oneOf"]) == 1


def _referred(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        if step:
            found = found[step.replace("~1", "/").replace("~0", "~")]
    return found if isinstance(found, Mapping) else {}


def _fields(schema: Mapping[str, Any], value: dict[str, Any], root: Mapping[str, Any]) -> bool:
    if any(name not in value for name in schema.get("required", ())):
        return False
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    return all(follows(known.get(name, others), field, root) for name, field in value.items())


def _elements(schema: Mapping[str, Any], value: list[Any], root: Mapping[str, Any]) -> bool:
    first, rest = schema.get("prefixItems", ()), schema.get("items", True)
    return all(
        follows(first[index] if index < len(first) else rest, element, root) for index, element in enumerate(value)
    )
