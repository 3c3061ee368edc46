"""The typed messages of the protocol; docs/protocol.md describes them for authors of programs."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    model_validator,
)

PROTOCOL_VERSION = 1
MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""The longest line or body that is read from a program or server."""

ProgramRole = Literal["agent", "memory"]
FailureKind = Literal["unsupported", "failed"]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Hello(_Message):
    """The answer to ``hello``: who the program is and what it can do.

    ``capabilities`` are ``MemoryCapabilities`` or ``AgentCapabilities``. ``max_in_flight`` is how many requests the
    program works on at once; it is never sent more.
    """

    protocol: Literal[1]
    name: str = Field(min_length=1, max_length=200)
    version: str = Field(default="", max_length=200)
    role: ProgramRole | None = None
    capabilities: Mapping[str, JsonValue] = Field(default_factory=dict)
    max_in_flight: int = Field(default=1, ge=1, le=10_000)


class Failure(_Message):
    """Why a request was not done."""

    kind: FailureKind = "failed"
    message: str = ""


class Response(_Message):
    """The answer to the request with the same ``id``."""

    id: StrictInt
    ok: StrictBool
    result: JsonValue = None
    error: Failure | None = None

    @model_validator(mode="after")
    def _failures_say_why(self) -> Self:
        if self.ok == (self.error is not None):
            raise ValueError("'error' is given exactly where 'ok' is false")
        return self


CallId = StrictStr | StrictInt


class _MemoryCall(_Message):
    call: CallId
    scope: str | None = None


class RecallCall(_MemoryCall):
    """The agent asks for items, best first."""

    op: Literal["recall"]
    text: str
    limit: int | None = Field(default=None, ge=1)


class WriteCall(_MemoryCall):
    """The agent saves a note."""

    op: Literal["write"]
    content: str
    metadata: Mapping[str, JsonValue] | None = None


class ForgetCall(_MemoryCall):
    """The agent wants something forgotten."""

    op: Literal["forget"]
    content: str
    event_ids: tuple[str, ...] = ()


class ItemsCall(_MemoryCall):
    """The agent asks for everything that the memory holds."""

    op: Literal["items"]


MemoryCall = Annotated[RecallCall | WriteCall | ForgetCall | ItemsCall, Field(discriminator="op")]


class ServerResponse(Response):
    """What a server answers: a ``Response``, or ``calls`` whose answers it needs before it can go on."""

    calls: Sequence[Mapping[str, JsonValue]] = Field(default=(), max_length=1000)


HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)
RESPONSE: TypeAdapter[Response] = TypeAdapter(Response)
SERVER_RESPONSE: TypeAdapter[ServerResponse] = TypeAdapter(ServerResponse)
MEMORY_CALL: TypeAdapter[MemoryCall] = TypeAdapter(MemoryCall)
CALL_ID: TypeAdapter[str | int] = TypeAdapter(CallId)


def refused(call: Mapping[str, JsonValue], message: str, kind: FailureKind = "failed") -> dict[str, JsonValue]:
    """The answer to a call that is not performed."""
    return {"call": call.get("call"), "ok": False, "error": {"kind": kind, "message": message}}
