"""Tells a component's file, given in the place of a run file, from a run file with mistakes."""

from heams.orchestration.component_types import KINDS, component_types, evaluator_types
from heams.orchestration.run_file import RunFile
from heta_framework.common.config import ConfigError, YamlDocument


def refuse_other_files(document: YamlDocument) -> None:
    """Make sure that ``document`` is not the configuration of one component.

    Raises:
        ConfigError: it seems to be one; the message names its kind and its place.
    """
    data = document.data
    name = data.get("type") if isinstance(data, dict) else None
    if not isinstance(name, str) or RunFile.model_fields.keys() & data.keys():
        return
    kind = _kind_of(name)
    if kind is not None:
        seems, place = kind
        message = f"this seems to be {seems} (type {name!r}), and a run file is expected; {place}"
        raise ConfigError([document.problem((), message)])


def refuse_retrieval_benchmarks(document: YamlDocument) -> None:
    """Make sure that the benchmark of a run is none that is asked of knowledge bases.

    Raises:
        ConfigError: it is one; the message names the command for it.
    """
    from heams.retrieval_benchmarks.factory import retrieval_types

    name = document.data.get("type")
    if isinstance(name, str) and name in retrieval_types() and name not in component_types("benchmark"):
        message = (
            f"{name!r} is a retrieval benchmark, which is asked of knowledge bases and of no agent: "
            "`heams evaluate --recipe ... --benchmark ...` runs a recipe on it"
        )
        raise ConfigError([document.problem(("type",), message)])


def _kind_of(type_name: str) -> tuple[str, str] | None:
    """What has this ``type``, and where a run names it."""
    from heams.retrieval_benchmarks.factory import retrieval_types

    for kind in KINDS:
        if type_name in component_types(kind):
            article = "an" if kind == "agent" else "a"
            words = kind.replace("_", " ")
            return f"the file of {article} {words}", f"a run file names it under 'matrix: {kind}s:'"
    if type_name in evaluator_types():
        return "the file of an evaluator", "it belongs under 'evaluators' of a benchmark"
    if type_name in retrieval_types():
        return "the file of a retrieval benchmark", "`heams evaluate --recipe ... --benchmark ...` runs a recipe on it"
    return None
