"""What a program answered, as a typed value, or an error that names the program, the operation and the field."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from pydantic import JsonValue, TypeAdapter

from heams.external.errors import ExternalProgramError
from heams.external.protocol import HELLO, PROTOCOL_VERSION, Hello, ProgramRole, Response
from heams.memory.base import UnsupportedOperation
from heta_framework.common.config import ConfigError, ConfigProblem, YamlDocument, validate

T = TypeVar("T")
_MOST_PROBLEMS = 5
_ITEM_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_LEAST_HELLO = 'the least that is needed as its result: {"protocol": 1, "name": "my program"}'


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
        return Misfit(_in_words(error.problems))


def _in_words(problems: Iterable[ConfigProblem]) -> str:
    """The problems; one that all items of a list have is said once, with its number."""
    alike = Counter[tuple[str, str]]()
    first: dict[tuple[str, str], ConfigProblem] = {}
    for problem in problems:
        kind = (_ITEM_NUMBER.sub(".*", problem.field), problem.message.rpartition("; ")[2])
        alike[kind] += 1
        first.setdefault(kind, problem)
    shown = [f"{first[kind]}{f' ({times} times)' if times > 1 else ''}" for kind, times in alike.items()]
    more = len(shown) - _MOST_PROBLEMS
    return " | ".join(shown[:_MOST_PROBLEMS]) + (f" | and {more} more" if more > 0 else "")


def result_of(response: Response, label: str, op: str) -> JsonValue:
    """The result of a response.

    Raises:
        UnsupportedOperation: the program does not offer the operation.
        ExternalProgramError: the program says that it failed.
    """
    if response.error is None:
        return response.result
    if response.error.kind == "unsupported":
        words = f": {response.error.message}" if response.error.message else ""
        raise UnsupportedOperation(f"{label} does not offer {op!r}{words}")
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
    hello = problem_of(HELLO, value, "result")
    if isinstance(hello, Misfit):
        raise ExternalProgramError(f"{label}: the answer to 'hello' cannot be used: {hello.text}; {_LEAST_HELLO}")
    if hello.role not in (None, role):
        raise ExternalProgramError(f"{label} has the role {hello.role!r}, but is configured as {role!r}")
    return hello
