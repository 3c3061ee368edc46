"""What work with models consumed: calls, tokens, money and time, kept per role."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, TypeAdapter, model_serializer

UsageRole = Literal["agent", "memory", "judge", "embedding"]
_COSTS = ("cost_usd", "saved_cost_usd")


class Usage(BaseModel):
    """Model usage. Tokens are the provider's counts; ``estimated`` says that some are not.

    ``calls`` are replies that a provider delivered whole, and tokens and ``cost_usd`` are theirs. What came from the
    cache or a cassette was not paid for: ``cache_hits`` and ``replayed`` count those replies, ``saved_...`` hold what
    they would have cost. ``retries`` are further attempts at the same call; ``possibly_billed`` are attempts whose
    reply never arrived whole although the provider may have worked for it. ``seconds`` is the time spent on whole
    replies of the provider, each call by itself.

    A cost is None when a price is unknown, which is not the same as 0: a sum with an unknown part is unknown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    calls: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    cost_usd: float | None = Field(default=0.0, ge=0, allow_inf_nan=False)
    estimated: bool = False
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    retries: int = Field(default=0, ge=0)
    possibly_billed: int = Field(default=0, ge=0)
    cache_hits: int = Field(default=0, ge=0)
    replayed: int = Field(default=0, ge=0)
    saved_input_tokens: int = Field(default=0, ge=0)
    saved_output_tokens: int = Field(default=0, ge=0)
    saved_cost_usd: float | None = Field(default=0.0, ge=0, allow_inf_nan=False)

    @model_serializer(mode="wrap")
    def _keep_unknown_cost(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Artifacts leave out None; an unknown cost must stay, or it would be read back as free."""
        return {**handler(self), **{name: getattr(self, name) for name in _COSTS}}

    def __add__(self, other: "Usage") -> "Usage":
        counted = {
            name: getattr(self, name) + getattr(other, name)
            for name in Usage.model_fields
            if name not in _COSTS and name != "estimated"
        }
        return Usage(
            **counted,
            estimated=self.estimated or other.estimated,
            cost_usd=_sum(self.cost_usd, other.cost_usd),
            saved_cost_usd=_sum(self.saved_cost_usd, other.saved_cost_usd),
        )


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


UsageByRole = Mapping[UsageRole, Usage]


_USAGE_BY_ROLE: TypeAdapter[UsageByRole] = TypeAdapter(UsageByRole)


def checked_usage(given: Any) -> UsageByRole:
    """What a component says it used, validated.

    Raises:
        ValueError: it is no mapping of roles to usages.
    """
    return _USAGE_BY_ROLE.validate_python(given) if given else {}


def add_usage(parts: Iterable[UsageByRole]) -> dict[UsageRole, Usage]:
    """Sum usages role by role."""
    total: dict[UsageRole, Usage] = {}
    for part in parts:
        for role, usage in part.items():
            total[role] = total[role] + usage if role in total else usage
    return total
