"""What is found wrong with a recipe without running it: components, artifacts and queries that a step would miss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.kb.steps.protocol import KnowledgeStepProtocol

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe

ValidationSeverity = Literal["error", "warning"]


@dataclass(frozen=True)
class RecipeValidationIssue:
    """One thing that is wrong.

    Attributes:
        code: ``missing_component``, ``missing_artifact``, ``missing_query``, ``duplicate_search_asset`` (errors) or
            ``duplicate_artifact_output`` (a warning).
        step_index: position among the expanded steps, from 0.
    """

    severity: ValidationSeverity
    code: str
    message: str
    step_index: int | None = None
    step_name: str | None = None
    details: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "details", dict(self.details))


@dataclass(frozen=True)
class RecipeValidationResult:
    """Everything that is wrong, in the order of the steps."""

    issues: tuple[RecipeValidationIssue, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the recipe can run: there may be warnings."""
        return not self.errors

    @property
    def errors(self) -> tuple[RecipeValidationIssue, ...]:
        """What keeps it from running."""
        return tuple(issue for issue in self.issues if issue.severity == "error")

    @property
    def warnings(self) -> tuple[RecipeValidationIssue, ...]:
        """What is probably not meant."""
        return tuple(issue for issue in self.issues if issue.severity == "warning")


class RecipeValidationError(ValueError):
    """A recipe cannot run.

    Attributes:
        result: what is wrong with it.
    """

    def __init__(self, result: RecipeValidationResult) -> None:
        super().__init__("; ".join(issue.message for issue in result.errors))
        self.result = result


def validate_recipe(
    recipe: KnowledgeRecipe, initial_artifacts: frozenset[str], initial_queries: frozenset[str]
) -> RecipeValidationResult:
    """Walk the steps in their order with what is there before each."""
    walk = _Walk(recipe, initial_artifacts, initial_queries)
    return RecipeValidationResult(tuple(issue for step in recipe.expanded_steps() for issue in walk.past(step)))


class _Walk:
    """What is there after the steps so far."""

    def __init__(self, recipe: KnowledgeRecipe, artifacts: frozenset[str], queries: frozenset[str]) -> None:
        self._recipe = recipe
        self._artifacts = set(artifacts)
        self._queries = set(queries)
        self._makers: dict[str, int] = {}
        self._asset_makers: dict[str, int] = {}
        self._index = -1

    def past(self, step: KnowledgeStepProtocol) -> Iterator[RecipeValidationIssue]:
        """What the step misses; then it has run."""
        self._index += 1
        yield from self._missing_components(step)
        needs = step.requirements
        yield from self._missing(step, "artifact", "unavailable artifact", needs.artifacts, self._artifacts)
        yield from self._missing(step, "query", "unavailable query", needs.queries, self._queries)
        yield from self._made_twice(step)
        self._artifacts |= step.capabilities.artifacts
        self._queries |= step.capabilities.queries

    def _missing_components(self, step: KnowledgeStepProtocol) -> Iterator[RecipeValidationIssue]:
        for ref in sorted(step.requirements.components, key=lambda ref: ref.key):
            if not self._recipe.has_component(ref):
                have = self._recipe.component_keys()
                message = f"requires missing component: {ref.key}{_choice(ref.key, have, 'the recipe has')}"
                yield self._issue(step, "missing_component", message, {"component": ref.key})

    def _missing(
        self, step: KnowledgeStepProtocol, kind: str, what: str, wanted: frozenset[str], there: set[str]
    ) -> Iterator[RecipeValidationIssue]:
        for name in sorted(wanted - there):
            message = f"requires {what}: {name}{_choice(name, there, 'there are at this point')}"
            yield self._issue(step, f"missing_{kind}", message, {kind: name})

    def _made_twice(self, step: KnowledgeStepProtocol) -> Iterator[RecipeValidationIssue]:
        for name in sorted(step.capabilities.artifacts):
            if (first := self._makers.setdefault(name, self._index)) != self._index:
                message = f"makes an artifact that step {first} made before: {name}"
                details = {"artifact": name, "previous_step_index": str(first)}
                yield self._issue(step, "duplicate_artifact_output", message, details, "warning")
        for asset in step.capabilities.search_assets:
            if (first := self._asset_makers.setdefault(asset.key, self._index)) != self._index:
                message = (
                    f"makes a search asset that step {first} made before: {asset.key}; give one of them another name"
                )
                details = {"search_asset": asset.key, "previous_step_index": str(first)}
                yield self._issue(step, "duplicate_search_asset", message, details)

    def _issue(
        self,
        step: KnowledgeStepProtocol,
        code: str,
        message: str,
        details: Mapping[str, str],
        severity: ValidationSeverity = "error",
    ) -> RecipeValidationIssue:
        said = f"step {self._index} '{step.name}' {message}"
        return RecipeValidationIssue(severity, code, said, self._index, step.name, details)


def _choice(name: str, there: Iterable[str], introduction: str) -> str:
    """The nearest name, else all that there are."""
    known = sorted(there)
    if hint := did_you_mean(name, known):
        return f" - {hint}"
    return f" ({introduction}: {', '.join(known) or 'none'})"
