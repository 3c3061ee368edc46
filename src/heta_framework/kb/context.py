"""What a running step can reach: components, artifacts, and what belongs to the knowledge base that is being built."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from heta_framework.kb.delta import Delta
from heta_framework.kb.namespace import physical_name
from heta_framework.kb.steps.issues import StepIssue

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.derived.step_cache import StepCache
    from heta_framework.kb.recipe import KnowledgeRecipe

Progress = Callable[[str, int, int | None], None]
"""Called with the step's name, how much is done, and of how much (None: not known)."""


def _silent(step: str, done: int, total: int | None) -> None:
    """Nobody watches."""


class StepExecutionContext:
    """The `StepContextProtocol` of a build, and what the built-in steps need beyond it.

    Attributes:
        artifacts: what the steps left so far, by key.
        namespace: the knowledge base's own, see `heta_framework.kb.namespace`; every name or key that a step makes
            holds it.
        delta: what this run has to do.
        issues: what the running step reported.
    """

    def __init__(
        self,
        recipe: KnowledgeRecipe,
        artifacts: dict[str, Any],
        *,
        namespace: str = "default",
        delta: Delta | None = None,
        progress: Progress = _silent,
    ) -> None:
        self.recipe = recipe
        self.artifacts = artifacts
        self.namespace = namespace
        self.delta = delta or Delta()
        self.progress = progress
        self.issues: list[StepIssue] = []

    def get_component(self, key: str) -> Any:
        """See `StepContextProtocol.get_component`."""
        return self.recipe.component_at(key)

    def get_artifact(self, key: str) -> Any:
        """See `StepContextProtocol.get_artifact`."""
        if key not in self.artifacts:
            raise KeyError(f"missing artifact: {key}")
        return self.artifacts[key]

    def set_artifact(self, key: str, value: Any) -> None:
        """See `StepContextProtocol.set_artifact`."""
        if not isinstance(key, str):
            raise TypeError(f"the key of an artifact must be text, found {key!r}")
        self.artifacts[key] = value

    def report(self, issue: StepIssue) -> None:
        """Record what went otherwise than asked."""
        if not isinstance(issue, StepIssue):
            raise TypeError(f"report() takes a StepIssue, found {type(issue).__name__}")
        self.issues.append(issue)

    def physical(self, logical: str) -> str:
        """The name of this knowledge base's own collection, index or table."""
        return physical_name(logical, self.namespace)

    def objects(self, name: str | None = None) -> ObjectStoreProtocol:
        """The object store, or the named one."""
        store: ObjectStoreProtocol = self.get_component("stores.objects" + (f".{name}" if name else ""))
        return store

    def cache(self, step: str, *settings: object, store: str | None = None) -> StepCache:
        """The results of a step under these settings (config, model id), shared by all knowledge bases of a store."""
        from heta_framework.kb.derived.step_cache import StepCache

        return StepCache(self.objects(store), step, *settings)


def execution(context: object) -> StepExecutionContext:
    """The context as a built-in step needs it.

    Raises:
        TypeError: it is a context of the caller's own; built-in steps run inside a build.
    """
    if not isinstance(context, StepExecutionContext):
        raise TypeError(f"built-in steps run in a StepExecutionContext, found {type(context).__name__}")
    return context
