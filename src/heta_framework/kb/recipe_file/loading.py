"""A recipe file to a recipe, in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from heta_framework.common.config import ConfigError, load_yaml, project_root
from heta_framework.kb.recipe_file.opening import open_recipe, unset_variables
from heta_framework.kb.recipe_file.reading import read_recipe

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe


def load_recipe(
    path: Path | str, *, folder: Path | None = None, env: Mapping[str, str] | None = None
) -> KnowledgeRecipe:
    """The recipe in a YAML file, ready for `KnowledgeBase.create`.

    Everything is checked before anything is opened; databases are connected to at their first use.

    Args:
        path: the file.
        folder: what relative paths of stores are relative to; None for the project, the folder that holds
            ``configs/`` above the file, else the file's own folder.
        env: replaces the process environment, for ``${NAME}`` and for the variables that stores name.

    Raises:
        ConfigError: the file cannot be used; one problem a line, with file, line, field, what was found and what is
            allowed.
        ModelSetupError: a model has no key, or an extra is not installed.
    """
    file = Path(path)
    document = load_yaml(file, env=env)
    settings = read_recipe(document)
    missing = list(unset_variables(document, settings, os.environ if env is None else env))
    if missing:
        raise ConfigError(missing)
    return open_recipe(settings, root=project_root(file) if folder is None else folder, env=env)
