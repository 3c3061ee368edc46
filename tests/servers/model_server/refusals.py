"""Refusals: status, headers and OpenAI's error body."""

import math
from dataclasses import dataclass, field
from typing import Any

from .faults import Fault


@dataclass(frozen=True)
class Refusal:
    """A 4xx or 5xx answer."""

    status: int
    message: str
    kind: str = "invalid_request_error"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    why: str | None = None

    def body(self) -> dict[str, Any]:
        """The error as OpenAI writes it."""
        return {"error": {"message": self.message, "type": self.kind, "param": None, "code": self.code}}


def refusal(fault: Fault, *, model: str, key: str) -> Refusal | None:
    """The refusal that a fault demands; None when it is no refusal."""
    headers = retry_headers(fault.retry_after, fault.retry_after_ms)
    match fault.kind:
        case "rate_limited":
            return rate_limited(model, headers)
        case "insufficient_quota":
            return Refusal(429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota", headers)
        case "server_error":
            status = fault.status or 500
            return Refusal(
                status, "The server had an error while processing your request.", "server_error", None, headers
            )
        case "unauthorised":
            return unauthorised(key)
        case "context_length":
            return Refusal(400, "This model's maximum context length was exceeded.", code="context_length_exceeded")
        case "model_not_found":
            return model_not_found(model)
    return None


def rate_limited(model: str, headers: dict[str, str], why: str | None = None) -> Refusal:
    """429, worth a retry."""
    return Refusal(429, f"Rate limit reached for {model}.", "requests", "rate_limit_exceeded", headers, why)


def unauthorised(key: str) -> Refusal:
    """401; like OpenAI it repeats the key it was sent, so that careless clients print it."""
    return Refusal(401, f"Incorrect API key provided: {key}.", code="invalid_api_key")


def model_not_found(model: str) -> Refusal:
    """404 for a model that is not served."""
    return Refusal(404, f"The model `{model}` does not exist or you do not have access to it.", code="model_not_found")


def retry_headers(seconds: float | None, milliseconds: float | None = None) -> dict[str, str]:
    """``Retry-After`` in seconds and ``retry-after-ms``, as far as given."""
    headers = {} if seconds is None else {"Retry-After": f"{seconds:g}"}
    return headers if milliseconds is None else headers | {"retry-after-ms": f"{math.ceil(milliseconds)}"}
