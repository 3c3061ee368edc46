"""Filling a JSON schema with plausible values."""

import math
from typing import Any

Schema = dict[str, Any]
DEEPEST = 12
_FORMATS = {
    "date-time": "2024-05-17T09:30:00Z",
    "date": "2024-05-17",
    "time": "09:30:00Z",
    "email": "ada@example.com",
    "uri": "https://example.com/",
    "uuid": "3f1b6c1e-6a0e-4a57-9c0d-2f6f1c8f0b11",
}


def fill(schema: Schema, text: str = "") -> Any:
    """A value that the schema admits; strings without a format hold ``text`` (or their property's name).

    ``pattern``, ``multipleOf``, ``uniqueItems`` and conditions (``if``, ``not``) are not looked at.
    """
    return _Filler(schema, text).value(schema, "value", 0)


def resolve(schema: Schema, root: Schema) -> Schema:
    """The schema behind ``$ref``, ``allOf``, ``anyOf`` and ``oneOf`` (the first that is not null)."""
    if "$ref" in schema:
        found: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        return resolve({**found, **{key: value for key, value in schema.items() if key != "$ref"}}, root)
    if "allOf" in schema:
        merged = {key: value for key, value in schema.items() if key != "allOf"}
        for part in schema["allOf"]:
            merged = _merge(merged, resolve(part, root))
        return merged
    choices = schema.get("anyOf") or schema.get("oneOf")
    return resolve(next((c for c in choices if c.get("type") != "null"), choices[0]), root) if choices else schema


def kind_of(schema: Schema) -> str:
    """The JSON type of a resolved schema; the first that is not null."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return str(next((name for name in kind if name != "null"), "null"))
    return str(kind or ("object" if "properties" in schema else "array" if "items" in schema else "string"))


def _merge(one: Schema, other: Schema) -> Schema:
    properties = {**one.get("properties", {}), **other.get("properties", {})}
    return {**one, **other, **({"properties": properties} if properties else {})}


class _Filler:
    def __init__(self, root: Schema, text: str) -> None:
        self._root = root
        self._text = text

    def value(self, schema: Schema, name: str, depth: int) -> Any:
        schema = resolve(schema, self._root)
        for fixed in ("const", "default"):
            if fixed in schema:
                return schema[fixed]
        if "enum" in schema:
            return schema["enum"][0]
        match kind_of(schema):
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, name, depth)
            case "integer":
                return _integer(schema)
            case "number":
                return _real(schema)
            case "boolean":
                return True
            case "null":
                return None
        return self._string(schema, name)

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        properties = schema.get("properties", {})
        wanted = properties if depth < DEEPEST else schema.get("required", [])
        return {name: self.value(properties[name], name, depth + 1) for name in wanted}

    def _array(self, schema: Schema, name: str, depth: int) -> list[Any]:
        if "prefixItems" in schema:
            return [self.value(item, name, depth + 1) for item in schema["prefixItems"]]
        least = schema.get("minItems", 0)
        count = min(max(least, 1 if depth < DEEPEST else 0), schema.get("maxItems", least + 1))
        return [self.value(schema.get("items") or {}, name, depth + 1) for _ in range(count)]

    def _string(self, schema: Schema, name: str) -> str:
        if schema.get("format") in _FORMATS:
            return _FORMATS[schema["format"]]
        text = self._text or name
        return text.ljust(schema.get("minLength", 0), ".")[: schema.get("maxLength")]


def _integer(schema: Schema) -> int:
    """1, or the bound nearest to it."""
    least, most = _bounds(schema, 1)
    return int(min(max(1, least), most))


def _real(schema: Schema) -> float:
    """0.5, or else a number well within the bounds."""
    least, most = _bounds(schema, 0)
    if least < 0.5 < most:
        return 0.5
    if math.isinf(least) or math.isinf(most):
        return most - 1 if math.isinf(least) else least + 1
    return (least + most) / 2


def _bounds(schema: Schema, step: float) -> tuple[float, float]:
    """Least and greatest value; an exclusive bound is ``step`` further in."""
    least: float = max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf) + step)
    most: float = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf) - step)
    return least, most
