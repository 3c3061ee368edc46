"""A recipe: which models, stores and parsers there are, and which steps turn documents into something searchable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast, get_args

from heta_framework.kb.components import (
    ComponentNamespace,
    ComponentRef,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeStores,
    MissingComponentError,
)
from heta_framework.kb.steps.protocol import KnowledgeStepProtocol

if TYPE_CHECKING:
    from heta_framework.kb.procedures.protocol import KnowledgeProcedureProtocol
    from heta_framework.kb.recipe_manifest import KnowledgeRecipeManifest
    from heta_framework.kb.validation import RecipeValidationResult

    RecipeItem = KnowledgeStepProtocol | KnowledgeProcedureProtocol

_NAMESPACES = get_args(ComponentNamespace)


@dataclass(frozen=True)
class KnowledgeRecipe:
    """How a knowledge base is built and what answers its queries.

    Attributes:
        steps: steps and procedures (named sequences of steps), in the order in which they run.
        metadata: short texts of the caller's own, kept in the manifest.
    """

    models: KnowledgeModels = field(default_factory=KnowledgeModels)
    stores: KnowledgeStores = field(default_factory=KnowledgeStores)
    parsers: KnowledgeParsers = field(default_factory=KnowledgeParsers)
    steps: tuple[RecipeItem, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        object.__setattr__(self, "metadata", dict(self.metadata))

    def expanded_steps(self) -> tuple[KnowledgeStepProtocol, ...]:
        """The steps in their order, those of procedures in the procedure's place."""
        return tuple(_flattened(self.steps))

    def get_component(self, ref: ComponentRef) -> object:
        """A component.

        Raises:
            MissingComponentError: the recipe has none; the message names those that it has.
        """
        if not self.has_component(ref):
            have = ", ".join(self.component_keys()) or "none"
            raise MissingComponentError(f"missing component: {ref.key}; the recipe has: {have}")
        return self._slots(ref).get(ref)

    def has_component(self, ref: ComponentRef) -> bool:
        """Whether the component is there."""
        return ref.namespace in _NAMESPACES and self._slots(ref).has(ref)

    def component_at(self, key: str) -> Any:
        """A component by its key: ``stores.objects``, ``models.language.cheap`` ...

        Raises:
            MissingComponentError: the recipe has none.
        """
        namespace, _, rest = key.partition(".")
        kind, _, name = rest.partition(".")
        return self.get_component(ComponentRef(cast("ComponentNamespace", namespace), kind, name or None))

    def component_keys(self) -> tuple[str, ...]:
        """The keys of all components that are there, sorted."""
        return tuple(sorted(key for namespace in _NAMESPACES for key in _keys(namespace, getattr(self, namespace))))

    def validate(
        self, *, initial_artifacts: Iterable[str] = (), initial_queries: Iterable[str] = ()
    ) -> RecipeValidationResult:
        """What keeps the recipe from running, found without running it.

        Args:
            initial_artifacts: artifacts that a build is given.
            initial_queries: query modes that exist before.
        """
        from heta_framework.kb.validation import validate_recipe

        return validate_recipe(self, frozenset(initial_artifacts), frozenset(initial_queries))

    def require_valid(self, *, initial_artifacts: Iterable[str] = (), initial_queries: Iterable[str] = ()) -> None:
        """See `validate`.

        Raises:
            RecipeValidationError: there are errors; ``.result`` holds them.
        """
        from heta_framework.kb.validation import RecipeValidationError

        result = self.validate(initial_artifacts=initial_artifacts, initial_queries=initial_queries)
        if not result.valid:
            raise RecipeValidationError(result)

    def manifest(self) -> KnowledgeRecipeManifest:
        """The recipe as data: steps, what they need and what they give."""
        from heta_framework.kb.recipe_manifest import recipe_manifest

        return recipe_manifest(self)

    def _slots(self, ref: ComponentRef) -> KnowledgeModels | KnowledgeStores | KnowledgeParsers:
        slots: KnowledgeModels | KnowledgeStores | KnowledgeParsers = getattr(self, ref.namespace)
        return slots


def _flattened(items: Iterable[RecipeItem]) -> Iterator[KnowledgeStepProtocol]:
    for item in items:
        if hasattr(item, "run"):
            yield cast("KnowledgeStepProtocol", item)
        elif callable(expand := getattr(item, "steps", None)):
            yield from _flattened(expand())
        else:
            raise TypeError(f"a recipe is made of steps and procedures, found {type(item).__name__}")


def _keys(namespace: str, slots: KnowledgeModels | KnowledgeStores | KnowledgeParsers) -> Iterator[str]:
    for kind, component in vars(slots).items():
        if kind != "named" and component is not None:
            yield f"{namespace}.{kind}"
    yield from (f"{namespace}.{name}" for name in slots.named)
