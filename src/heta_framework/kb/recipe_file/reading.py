"""A recipe document to checked settings, or everything that is wrong with it, each with file, line and field."""

from __future__ import annotations

from collections.abc import Iterator

from heta_framework.common.config import ConfigError, ConfigProblem, YamlDocument, validate
from heta_framework.kb.recipe_file.checking import fit_problems
from heta_framework.kb.recipe_file.settings import RecipeSettings
from heta_framework.kb.recipe_file.step_catalogue import STEP_TYPES
from heta_framework.kb.recipe_file.step_settings import settings_adapter


def read_recipe(document: YamlDocument) -> RecipeSettings:
    """The settings in ``document``. Nothing is opened: neither databases nor models.

    Raises:
        ConfigError: a field is not known or has a wrong value, a step misses a component of the recipe or something
            that no step before it makes.
    """
    problems = list(_step_problems(document))
    try:
        settings = validate(document, RecipeSettings)
    except ConfigError as error:
        problems = [*error.problems, *problems]
    if not problems:
        problems = list(fit_problems(document, settings))
    if problems:
        raise ConfigError(sorted(problems, key=lambda problem: problem.line or 0))
    return settings


def _step_problems(document: YamlDocument) -> Iterator[ConfigProblem]:
    """What is wrong with the settings of steps; names are the concern of `RecipeSettings`."""
    steps = document.data.get("steps") if isinstance(document.data, dict) else None
    for index, entry in enumerate(steps if isinstance(steps, list) else ()):
        for name, settings in entry.items() if isinstance(entry, dict) else ():
            if name in STEP_TYPES and isinstance(settings, dict):
                yield from _problems_of(document.sub(("steps", index, name)), name)


def _problems_of(settings: YamlDocument, name: str) -> Iterator[ConfigProblem]:
    try:
        validate(settings, settings_adapter(STEP_TYPES[name]))
    except ConfigError as error:
        yield from error.problems
