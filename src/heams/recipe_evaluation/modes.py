"""The query modes of an evaluation, checked against those that the recipe serves."""

from __future__ import annotations

from collections.abc import Sequence

from heams.orchestration.errors import RunRefused
from heta_framework.common.config.nearest import did_you_mean
from heta_framework.kb.recipe_file import RecipeSettings, mode_problem, served_modes


def checked_modes(recipe: RecipeSettings, modes: Sequence[str], source: str) -> tuple[str, ...]:
    """The modes, each once; all that the recipe serves where none is given.

    Raises:
        RunRefused: the recipe cannot be asked in one of them; the message names those that it serves, and the nearest.
    """
    served = served_modes(recipe)
    chosen = tuple(dict.fromkeys(modes)) or served
    if not chosen:
        raise RunRefused(f"the recipe {source} serves no query mode: it needs a step that makes an index")
    problems = [_described(recipe, mode, served) for mode in chosen]
    found = [problem for problem in problems if problem]
    if found:
        raise RunRefused("\n".join(found))
    return chosen


def _described(recipe: RecipeSettings, mode: str, served: Sequence[str]) -> str | None:
    if not mode.strip():
        return f"a query mode is empty; recipe {recipe.name!r} serves: {', '.join(served)}"
    problem = mode_problem(recipe, mode)
    if problem is None:
        return None
    near = did_you_mean(mode, served)
    return f"--modes: {problem}" + (f"; {near}" if near and "did you mean" not in problem else "")
