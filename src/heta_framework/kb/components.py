"""The parts that a recipe is made of - models, stores, parsers - and how a step or an engine names the one it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from heta_framework.common.stores.fields import required_text

ComponentNamespace = Literal["models", "stores", "parsers"]


class MissingComponentError(LookupError):
    """A recipe does not hold the component that was asked for."""


@dataclass(frozen=True)
class ComponentRef:
    """The name of a component: ``models.language``, ``stores.vector.archive`` ...

    Attributes:
        namespace: ``models``, ``stores`` or ``parsers``.
        kind: the slot, such as ``language`` or ``objects``.
        name: one of several components of a kind; None for the slot itself.
    """

    namespace: ComponentNamespace
    kind: str
    name: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", required_text("kind", self.kind))
        if self.name is not None:
            object.__setattr__(self, "name", required_text("name", self.name))

    @property
    def key(self) -> str:
        """``namespace.kind`` or ``namespace.kind.name``."""
        return ".".join(part for part in (self.namespace, self.kind, self.name) if part)


def model_ref(kind: str, name: str | None = None) -> ComponentRef:
    """A model: ``language``, ``embedding`` or ``reranker``."""
    return ComponentRef("models", kind, name)


def store_ref(kind: str, name: str | None = None) -> ComponentRef:
    """A store: ``objects``, ``vector``, ``sql``, ``graph`` or ``text_index``."""
    return ComponentRef("stores", kind, name)


def parser_ref(name: str | None = None) -> ComponentRef:
    """The registry of document parsers."""
    return ComponentRef("parsers", "documents", name)


class _Slots:
    """Looks a component up: the slot of its kind, or among ``named`` as ``kind.name``, then ``name``."""

    named: Mapping[str, object]

    def get(self, ref: ComponentRef) -> object:
        """The component.

        Raises:
            MissingComponentError: there is none.
        """
        found = self._find(ref)
        if found is None:
            raise MissingComponentError(f"the recipe has no component {ref.key}")
        return found

    def has(self, ref: ComponentRef) -> bool:
        """Whether the component is there."""
        return self._find(ref) is not None

    def _find(self, ref: ComponentRef) -> object | None:
        if ref.name is None:
            return getattr(self, ref.kind, None) if ref.kind != "named" else None
        return self.named.get(f"{ref.kind}.{ref.name}", self.named.get(ref.name))


@dataclass(frozen=True)
class KnowledgeModels(_Slots):
    """The models of a recipe; see ``heta_framework.common.models`` for what each must offer."""

    language: object | None = None
    embedding: object | None = None
    reranker: object | None = None
    named: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", dict(self.named))


@dataclass(frozen=True)
class KnowledgeStores(_Slots):
    """The stores of a recipe; see ``heta_framework.common.stores`` for what each must offer."""

    objects: object | None = None
    vector: object | None = None
    sql: object | None = None
    graph: object | None = None
    text_index: object | None = None
    named: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", dict(self.named))


@dataclass(frozen=True)
class KnowledgeParsers(_Slots):
    """The parsers of a recipe: a ``DocumentParserRegistry`` under ``documents``."""

    documents: object | None = None
    named: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", dict(self.named))
