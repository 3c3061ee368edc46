"""Asking a model for a reply in a certain shape, until it can be used."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from heta_framework.common.models.errors import ModelResponseError
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.models.language.types import ModelRequest, ModelResult
from heta_framework.common.text.surrogates import replace_surrogates

_EXCERPT = 160


class UnusableReply(ModelResponseError):  # noqa: N818 - reads as what happened
    """The model replied as often as it was asked, and never with something that a memory can use."""


def _as_providers_demand(schema: dict[str, Any]) -> None:
    """All fields required and no others, as strict structured output needs it; instructions are the prompt's alone."""
    for name in ("title", "description"):
        schema.pop(name, None)
    schema["additionalProperties"] = False
    schema["required"] = list(schema["properties"])
    for field in schema["properties"].values():
        field.pop("default", None)


class Reply(BaseModel):
    """The base of reply shapes: a provider is asked for exactly these fields, but what comes is read leniently."""

    model_config = ConfigDict(extra="ignore", frozen=True, json_schema_extra=_as_providers_demand)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model is asked: ``policy`` are the instructions, ``prompt`` shows the data that they are about."""

    policy: str
    prompt: str

    def request(self, shape: Any = None, *, vote: int = 0) -> ModelRequest:
        """The request; ``vote`` tells attempts apart."""
        return ModelRequest(
            prompt=replace_surrogates(self.prompt),
            system_prompt=replace_surrogates(self.policy),
            response_schema=shape,
            vote=vote,
        )


Shape = TypeVar("Shape", bound=Reply)
Made = TypeVar("Made")


class Unusable(Exception):  # noqa: N818 - says what is wrong with a reply
    """A reply has the right shape, but what it says cannot be used."""


async def usable_reply(
    model: LanguageModelProtocol, asked: Asked, shape: type[Shape], use: Callable[[Shape], Made], *, attempts: int
) -> Made:
    """What ``use`` makes of the first reply that follows ``shape`` and for which ``use`` does not raise ``Unusable``.

    Raises:
        UnusableReply: none of ``attempts`` replies does.
        ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: see ``LanguageModelProtocol.invoke``.
    """
    complaint = ""
    for vote in range(attempts):
        result = await model.invoke(asked.request(shape, vote=vote))
        if result.parsed is None:
            complaint = _not_in_shape(result)
            continue
        try:
            return use(result.parsed)
        except Unusable as reason:
            complaint = f"{reason}: {_excerpt(result.text)}"
    times = "once" if attempts == 1 else f"{attempts} times"
    raise UnusableReply(f"{model.model_name} was asked {times} and gave no usable reply; the last one {complaint}")


def _not_in_shape(result: ModelResult) -> str:
    cut = " (it was cut at 'max_tokens')" if result.finish_reason == "length" else ""
    return f"does not follow the schema{cut}: {_excerpt(result.text)}"


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…")
