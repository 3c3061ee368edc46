"""heta_framework: knowledge bases built from recipes, and the evaluation of a recipe."""
