"""What a program answered, as a typed value, or an error that names the program, the operation and the field."""

from typing import TypeVar

from pydantic import JsonValue, TypeAdapter

from heams.external.errors import ExternalProgramError
from heams.external.protocol import HELLO, PROTOCOL_VERSION, Hello, ProgramRole, Response
from heams.memory.base import UnsupportedOperation
from heta_framework.common.config import ConfigError, YamlDocument, validate

T = TypeVar("T")
_MOST_PROBLEMS = 5


def checked(adapter: TypeAdapter[T], value: JsonValue, label: str, op: str, field: str = "result") -> T:
    """``value`` as the type of ``adapter``. Raises ExternalProgramError."""
    problem = problem_of(adapter, value, field)
    if isinstance(problem, Misfit):
        raise ExternalProgramError(f"{label}: the answer to {op!r} cannot be used: {problem.text}")
    return problem


class Misfit:
    """Why a value does not fit its type, in words."""

    def __init__(self, text: str) -> None:
        self.text = text


def problem_of(adapter: TypeAdapter[T], value: JsonValue, field: str = "") -> T | Misfit:
    """``value`` as the type of ``adapter``, or what is wrong with it."""
    document = YamlDocument(None, value, value, prefix=(field,) if field else ())
    try:
        return validate(document, adapter)
    except ConfigError as error:
        shown = [str(problem) for problem in error.problems[:_MOST_PROBLEMS]]
        more = len(error.problems) - len(shown)
        return Misfit(" | ".join(shown) + (f" | and {more} more" if more else ""))


def result_of(response: Response, label: str, op: str) -> JsonValue:
    """The result of a response.

    Raises:
        UnsupportedOperation: the program does not offer the operation.
        ExternalProgramError: the program says that it failed.
    """
    if response.error is None:
        return response.result
    if response.error.kind == "unsupported":
        raise UnsupportedOperation(response.error.message or f"{label} does not offer {op!r}")
    raise ExternalProgramError(f"{label}: {op!r} failed: {response.error.message or 'it does not say why'}")


def nothing_in(value: JsonValue, label: str, op: str) -> None:
    """Operations without a result answer null or ``{}``. Raises ExternalProgramError."""
    if value not in (None, {}):
        raise ExternalProgramError(f"{label}: the answer to {op!r} cannot be used: result must be null")


def hello_of(response: Response, label: str, role: ProgramRole) -> Hello:
    """The answer to ``hello``; the version is looked at first, because the rest depends on it.

    Raises:
        ExternalProgramError: a refusal, another protocol version or role, or the wrong shape.
    """
    if response.error is not None:
        raise ExternalProgramError(f"{label} refused 'hello': {response.error.message or 'it does not say why'}")
    value = response.result
    spoken = value.get("protocol") if isinstance(value, dict) else None
    if spoken is not None and spoken != PROTOCOL_VERSION:
        raise ExternalProgramError(f"{label} speaks protocol {spoken!r}; this heams speaks protocol {PROTOCOL_VERSION}")
    hello = checked(HELLO, value, label, "hello")
    if hello.role not in (None, role):
        raise ExternalProgramError(f"{label} has the role {hello.role!r}, but is configured as {role!r}")
    return hello
