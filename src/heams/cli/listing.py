"""`heams list`: which component types there are, and the JSON Schema of each."""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel


class Kind(StrEnum):
    """What can be listed."""

    BENCHMARKS = "benchmarks"
    AGENTS = "agents"
    MEMORY_SYSTEMS = "memory-systems"
    EVALUATORS = "evaluators"
    RETRIEVAL_BENCHMARKS = "retrieval-benchmarks"
    RETRIEVAL_EVALUATORS = "retrieval-evaluators"


def command(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; everything by default.")] = None,
    schema: Annotated[str | None, typer.Option("--schema", help="Print the JSON Schema of this type.")] = None,
) -> None:
    """List the types that a run file, or the file of a retrieval benchmark (see heams evaluate), may name."""
    kinds = list(Kind) if kind is None else [kind]
    types = {each: _types(each) for each in kinds}
    if schema is not None:
        typer.echo(json.dumps(_schema(schema, types), indent=2))
        return
    for each, found in types.items():
        if kind is None:
            typer.echo(f"{each.value}:")
        for name, config in found.items():
            typer.echo(f"{'  ' if kind is None else ''}{name:<18} {_first_line(config)}")


def _types(kind: Kind) -> "dict[str, type[BaseModel]]":
    from heams.orchestration.component_types import component_types, evaluator_types

    match kind:
        case Kind.BENCHMARKS:
            return component_types("benchmark")
        case Kind.AGENTS:
            return component_types("agent")
        case Kind.MEMORY_SYSTEMS:
            return component_types("memory_system")
        case Kind.EVALUATORS:
            return evaluator_types()
        case Kind.RETRIEVAL_BENCHMARKS:
            from heams.retrieval_benchmarks.factory import retrieval_types

            return retrieval_types()
        case Kind.RETRIEVAL_EVALUATORS:
            from heams.retrieval_benchmarks.factory import retrieval_evaluator_types

            return retrieval_evaluator_types()


def _schema(name: str, types: "dict[Kind, dict[str, type[BaseModel]]]") -> dict[str, object]:
    from heams.orchestration.errors import RunRefused
    from heta_framework.common.config import nearest

    matches = {kind: found[name] for kind, found in types.items() if name in found}
    if len(matches) > 1:
        kinds = ", ".join(kind.value for kind in matches)
        raise RunRefused(f"{name!r} is a type of several kinds ({kinds}): name one, as in 'heams list agents --schema'")
    if not matches:
        known = sorted({type_name for found in types.values() for type_name in found})
        near = nearest(name, known)
        hint = f"did you mean {near!r}? " if near else ""
        raise RunRefused(f"no type is named {name!r}; {hint}There are: {', '.join(known)}")
    return next(iter(matches.values())).model_json_schema()


def _first_line(config: "type[BaseModel]") -> str:
    return (config.__doc__ or "").strip().partition("\n")[0]
