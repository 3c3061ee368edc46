"""Tells files of another kind, given in the place of a recipe or a retrieval benchmark, from ones with mistakes."""

from __future__ import annotations

from heams.orchestration.component_types import KINDS, component_types
from heams.orchestration.run_file import RunFile
from heams.retrieval_benchmarks.factory import retrieval_types
from heta_framework.common.config import ConfigError, YamlDocument


def refuse_other_recipes(document: YamlDocument) -> None:
    """Make sure that ``document`` is not the configuration of something else than a recipe.

    Raises:
        ConfigError: it seems to be something else.
    """
    if "steps" not in document.data and "type" in document.data:
        name = document.data["type"]
        kind = _kind_of(name) or ("a retrieval benchmark" if name in retrieval_types() else None)
        if kind is not None:
            message = f"this seems to be the file of {kind} (type {name!r}), and a recipe is expected"
            raise ConfigError([document.problem((), message)])
    _refuse_run_file(document, "a recipe")


def refuse_other_benchmarks(document: YamlDocument) -> None:
    """Make sure that ``document`` is not the configuration of something else than a retrieval benchmark.

    Raises:
        ConfigError: it seems to be something else; for a benchmark of agents the message names the command.
    """
    data = document.data
    if "steps" in data and "stores" in data:
        message = "this seems to be a recipe, and a retrieval benchmark is expected"
        raise ConfigError([document.problem((), message)])
    _refuse_run_file(document, "a retrieval benchmark")
    name = data.get("type")
    if not isinstance(name, str) or name in retrieval_types():
        return
    kind = _kind_of(name)
    if kind == "a benchmark":
        message = (
            f"{name!r} is a benchmark of agents with a memory: `heams run` plays it; a run file names it under "
            "'matrix: benchmarks:'"
        )
        raise ConfigError([document.problem(("type",), message)])
    if kind is not None:
        message = f"this seems to be the file of {kind} (type {name!r}), and a retrieval benchmark is expected"
        raise ConfigError([document.problem((), message)])


def _refuse_run_file(document: YamlDocument, expected: str) -> None:
    if "run_name" in document.data and RunFile.model_fields.keys() & document.data.keys() - {"run_name"}:
        raise ConfigError(
            [document.problem((), f"this seems to be a run file, and {expected} is expected; `heams run` plays it")]
        )


def _kind_of(name: object) -> str | None:
    for kind in KINDS:
        if isinstance(name, str) and name in component_types(kind):
            return f"{'an' if kind == 'agent' else 'a'} {kind.replace('_', ' ')}"
    return None
