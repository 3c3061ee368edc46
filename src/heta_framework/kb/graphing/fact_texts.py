"""Facts as text: what is embedded of them, and what a reader sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def entity_index_text(fact: Mapping[str, Any]) -> str:
    """What is embedded of an entity: name, type, subtype, description and attributes, one a line."""
    return _lines(fact["name"], fact["type"], fact["subtype"], fact["description"], fact["attributes"])


def relation_index_text(fact: Mapping[str, Any]) -> str:
    """What is embedded of a relation: its ends, type, name, description and attributes, one a line."""
    ends = f"{fact['source_entity_name']} -> {fact['target_entity_name']}"
    return _lines(ends, fact["type"], fact["name"], fact["description"], fact["attributes"])


def entity_text(name: str, kind: str, subtype: str | None, description: str) -> str:
    """An entity as the text of a result."""
    kinds = f"{kind} / {subtype}" if subtype else kind
    return f"Entity: {name}\nType: {kinds}\nDescription: {description}"


def relation_text(source: str, target: str, name: str, kind: str, description: str) -> str:
    """A relation as the text of a result."""
    return f"Relation: {source} -> {target}\nName: {name}\nType: {kind}\nDescription: {description}"


def _lines(*parts: str | Mapping[str, str] | None) -> str:
    *texts, attributes = parts
    listed = [f"{name}:{value}" for name, value in attributes.items()] if isinstance(attributes, Mapping) else []
    return "\n".join([text for text in texts if isinstance(text, str) and text] + listed)
