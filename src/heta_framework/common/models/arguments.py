"""Configurations made of the published constructors' arguments; mistakes are told by the names of arguments."""

from typing import Any, TypeVar

from pydantic import ValidationError

from heta_framework.common.models.settings import EndpointConfig

_ARGUMENTS = {
    "model": "model_name",
    "base_url": "api_base",
    "timeout_s": "request_timeout",
    "max_attempts": "max_retries",
    "max_concurrency": "max_concurrent_requests",
}
_Config = TypeVar("_Config", bound=EndpointConfig)


def config_of(
    kind: type[_Config],
    *,
    model_name: str,
    api_base: str | None,
    request_timeout: float,
    max_retries: int,
    max_concurrent_requests: int,
    **others: Any,
) -> _Config:
    """The configuration; ``others`` are its own fields by their own names.

    Raises:
        ValueError: an argument is out of its range.
    """
    if max_retries < 0:
        raise ValueError(f"max_retries must be at least 0; found {max_retries}")
    try:
        return kind(
            model=model_name,
            base_url=api_base,
            timeout_s=request_timeout,
            max_attempts=max_retries + 1,
            max_concurrency=max_concurrent_requests,
            **others,
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = str(first["loc"][0])
        message = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{_ARGUMENTS.get(field, field)}: {message}; found {first['input']!r}") from None
