"""A document to a typed value, or an error that points at file, line and field."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar, overload

from pydantic import BaseModel, TypeAdapter, ValidationError

from heta_framework.common.config.document import YamlDocument
from heta_framework.common.config.errors import ConfigError, ConfigProblem
from heta_framework.common.config.wording import Finding, describe

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


@overload
def validate(document: YamlDocument, target: type[M]) -> M: ...
@overload
def validate(document: YamlDocument, target: TypeAdapter[T]) -> T: ...
def validate(document: YamlDocument, target: type[BaseModel] | TypeAdapter[Any]) -> Any:
    """Return the document's data as `target`, a pydantic model class or a TypeAdapter (for unions).

    Raises ConfigError with one problem for each field that has to change. Values of secret fields and of environment
    variables never appear in it.
    """
    adapter = target if isinstance(target, TypeAdapter) else TypeAdapter(target)
    try:
        return adapter.validate_python(document.data)
    except ValidationError as error:
        findings = [describe(document, adapter.core_schema, entry) for entry in _entries(error)]
    problems = [_problem(document, finding) for finding in _merged(findings)]
    raise ConfigError(sorted(problems, key=lambda problem: problem.line or 0))


def _entries(error: ValidationError) -> Iterator[dict[str, Any]]:
    """Yield pydantic's errors; where a validator ran another validation, yield the errors of that one in its place."""
    for entry in error.errors(include_url=False):
        if _counts_only_valid_items(entry):
            continue
        cause = entry.get("ctx", {}).get("error")
        if isinstance(cause, ValidationError):
            yield from ({**inner, "loc": entry["loc"] + inner["loc"]} for inner in _entries(cause))
        else:
            yield {**entry}


def _counts_only_valid_items(entry: Mapping[str, Any]) -> bool:
    """Say whether a list is called too short only because pydantic left out the items it has errors for."""
    given = entry["input"]
    return entry["type"] == "too_short" and isinstance(given, list) and len(given) >= entry["ctx"]["min_length"]


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """Join what the members of a union say about the same value: "must be a whole number or text"."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.field, finding.found), []).append(finding)
    return [_joined(group) for group in groups.values()]


def _joined(group: list[Finding]) -> Finding:
    first, *others = dict.fromkeys(finding.allowed for finding in group)
    allowed = " or ".join([first, *(other.removeprefix("must be ") for other in others)])
    hint = next((finding.hint for finding in group if finding.hint), None)
    return replace(group[0], allowed=allowed, hint=hint)


def _problem(document: YamlDocument, finding: Finding) -> ConfigProblem:
    message = "; ".join(filter(None, [finding.found, finding.allowed]))
    problem = document.problem(finding.field, message, finding.hint)
    return replace(problem, line=document.line_of(finding.loc))
