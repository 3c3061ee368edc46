"""Relative paths in a typed configuration, resolved against the folder that they are relative to."""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any, TypeVar

from pydantic import BaseModel, RootModel

from heta_framework.common.config.declared_types import Kinds, alternatives, entry_kinds, item_kinds
from heta_framework.common.config.document import dotted
from heta_framework.common.config.tree import Loc

M = TypeVar("M", bound=BaseModel)


def rewrite_paths(model: M, root: Path) -> tuple[M, dict[str, Path]]:
    """Return a copy of `model` with its relative paths resolved against `root`, and every path field with its result.

    A path field is one whose annotation says `pathlib.Path`: alone, in a union, in lists, tuples, sets and mappings
    (keys too), in nested models. Text that looks like a path stays text, and so does a `Path` in a field that declares
    none, or in a dataclass. A leading `~` is the user's home; absolute paths stay; `..` is kept as written, because
    a folder before it may be a link. The mapping's keys are dotted (`evaluator.rules_file`, `files.0`).

    pydantic's `FilePath` and `DirectoryPath` do not fit here: they look for the file before it is resolved.

    Nothing is validated again, and fields that were not set stay unset in `model_fields_set`.
    """
    rewriter = _PathRewriter(root.absolute())
    return rewriter.model(model, ()), rewriter.resolved


class _PathRewriter:
    def __init__(self, root: Path) -> None:
        self.resolved: dict[str, Path] = {}
        self._root = root

    def model(self, model: M, loc: Loc) -> M:
        changes = {}
        for name, info in type(model).model_fields.items():
            old = getattr(model, name)
            new = self._value(old, alternatives(info.annotation), loc if isinstance(model, RootModel) else (*loc, name))
            if new is not old:
                changes[name] = new
        return _changed(model, changes) if changes else model

    def _value(self, value: Any, kinds: Kinds, loc: Loc) -> Any:
        if isinstance(value, BaseModel):
            return self.model(value, loc)
        if isinstance(value, PurePath):
            return self._path(value, loc) if any(_is_path(kind) for kind in kinds) else value
        if isinstance(value, dict):
            return self._mapping(value, kinds, loc)
        if isinstance(value, list | tuple | set | frozenset):
            return self._items(value, kinds, loc)
        return value

    def _path(self, path: PurePath, loc: Loc) -> Path:
        expanded = Path(path).expanduser() if path.parts[:1] == ("~",) else Path(path)
        resolved = self._root / expanded
        self.resolved[dotted(loc)] = resolved
        return path if resolved == path and isinstance(path, Path) else resolved

    def _mapping(self, mapping: dict[Any, Any], kinds: Kinds, loc: Loc) -> dict[Any, Any]:
        key_kinds, value_kinds = entry_kinds(kinds)
        new = {
            self._value(key, key_kinds, (*loc, str(key))): self._value(value, value_kinds, (*loc, str(key)))
            for key, value in mapping.items()
        }
        return mapping if _same([*mapping.keys(), *mapping.values()], [*new.keys(), *new.values()]) else new

    def _items(self, items: Any, kinds: Kinds, loc: Loc) -> Any:
        old = sorted(items, key=str) if isinstance(items, set | frozenset) else list(items)
        new = [self._value(item, item_kinds(kinds, index), (*loc, index)) for index, item in enumerate(old)]
        if _same(old, new):
            return items
        return items._make(new) if hasattr(items, "_make") else type(items)(new)


def _is_path(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, PurePath)


def _same(old: Iterable[Any], new: Iterable[Any]) -> bool:
    return all(before is after for before, after in zip(old, new, strict=True))


def _changed(model: M, changes: Mapping[str, Any]) -> M:
    copy = model.model_copy(update=changes)
    copy.model_fields_set.intersection_update(model.model_fields_set)
    for name in copy.__dict__.keys() - type(model).model_fields.keys():
        del copy.__dict__[name]  # a cached property may have been computed from the old paths
    return copy
