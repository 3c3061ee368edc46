"""Recipes as YAML files: read, checked with file and line, fingerprinted, opened."""

from heta_framework.kb.recipe_file.checking import mode_problem, served_modes
from heta_framework.kb.recipe_file.fingerprint import recipe_fingerprint
from heta_framework.kb.recipe_file.loading import load_recipe
from heta_framework.kb.recipe_file.opening import close_stores, open_models, open_recipe, unset_variables
from heta_framework.kb.recipe_file.reading import read_recipe
from heta_framework.kb.recipe_file.settings import RecipeSettings

__all__ = [
    "RecipeSettings",
    "close_stores",
    "load_recipe",
    "mode_problem",
    "open_models",
    "open_recipe",
    "read_recipe",
    "recipe_fingerprint",
    "served_modes",
    "unset_variables",
]
