"""What can go wrong, as data: one fault, a rule that says which requests it strikes, and a quota."""

import re
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Refusing = Literal[
    "rate_limited", "insufficient_quota", "server_error", "unauthorised", "context_length", "model_not_found"
]
Severing = Literal["disconnect", "reset", "cut", "short_stream", "stream_error", "hang"]
Garbling = Literal["malformed_json", "no_choices", "empty_choices", "null_content", "html"]
Straining = Literal["none", "huge", "trickle"]


class Fault(BaseModel):
    """One fault; in a script also just its kind.

    Refusals (4xx, 5xx with OpenAI's error body): ``rate_limited`` (429), ``insufficient_quota`` (429 that no retry
    helps), ``server_error`` (``status``, default 500), ``unauthorised`` (401 that repeats the key it was sent),
    ``context_length`` (400), ``model_not_found`` (404). ``retry_after`` (s) and ``retry_after_ms`` become headers.

    Cuts: ``disconnect`` (closed before the headers), ``reset`` (the same by RST), ``cut`` (closed after ``part`` of the
    body or the events), ``short_stream`` (a stream that ends in order, but early), ``stream_error`` (an error event
    after ``part`` of the stream), ``hang`` (no answer ever). Stream faults cut the body where no stream was asked for.

    Garbage: ``malformed_json``, ``no_choices``, ``empty_choices``, ``null_content``, ``html`` (with ``status`` >= 400
    a refusal as proxies write it).

    Strain, delivered whole: ``huge`` (content of ``size`` bytes), ``trickle`` (``chunk`` bytes, or one event, every
    ``interval`` s), ``none`` (only ``latency``). Latency (s) overrides the script's for this request.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Refusing | Severing | Garbling | Straining = "none"
    latency: float | None = None
    status: int | None = Field(default=None, ge=200, le=599)
    retry_after: float | None = None
    retry_after_ms: float | None = None
    part: float = Field(default=0.5, ge=0, le=1)
    size: int = Field(default=4 * 1024**2, ge=1)
    chunk: int = Field(default=16, ge=1)
    interval: float = Field(default=0.01, ge=0)


def _fault(value: Any) -> Any:
    return {"kind": value} if isinstance(value, str) else value


FaultSpec = Annotated[Fault, BeforeValidator(_fault)]


class FaultRule(BaseModel):
    """Which requests a fault strikes: by path and model (``*`` and ``?``), by a regex on the raw body.

    ``share`` is its probability, drawn from the script's seed, the body and how often that body was seen, so that the
    order of concurrent requests changes nothing; shares of several rules add up. ``times`` ends a rule, so that rules
    with ``times=1`` are a queue.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    fault: FaultSpec
    share: float = Field(default=1.0, ge=0, le=1)
    times: int | None = Field(default=None, ge=1)
    path: str = "*"
    model: str = "*"
    text: re.Pattern[str] | None = None

    def concerns(self, path: str, model: str, raw: bytes) -> bool:
        """Whether a request is of the kind that this rule is about."""
        return (
            fnmatchcase(path, self.path)
            and fnmatchcase(model, self.model)
            and (self.text is None or bool(self.text.search(raw.decode(errors="replace"))))
        )


def _rule(value: Any) -> Any:
    bare = isinstance(value, str | Fault) or (isinstance(value, dict) and "fault" not in value)
    return {"fault": value} if bare else value


RuleSpec = Annotated[FaultRule, BeforeValidator(_rule)]
"""A rule in a script; a bare fault strikes every request."""


class Quota(BaseModel):
    """At most ``requests`` admitted in any ``window`` s, at most ``concurrent`` at once; more get 429.

    ``retry_after``: seconds for the header; "exact" tells when the window has room (in whole seconds, rounded up, and
    in ms); None sends no header. A 429 for concurrency knows no exact time and sends none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    requests: int | None = Field(default=None, ge=1)
    window: float = Field(default=60.0, gt=0)
    concurrent: int | None = Field(default=None, ge=1)
    path: str = "*"
    model: str = "*"
    retry_after: float | Literal["exact"] | None = "exact"
