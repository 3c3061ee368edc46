"""What a phase of work consumed: model calls, tokens and money, kept per role."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, TypeAdapter, model_serializer

UsageRole = Literal["agent", "memory", "judge", "embedding"]


class Usage(BaseModel):
    """Model usage. Tokens are the provider's counts; ``estimated`` says that some are not.

    ``cost_usd`` is None when a price is unknown, which is not the same as 0: a sum with an unknown part is unknown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    calls: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    cost_usd: float | None = Field(default=0.0, ge=0, allow_inf_nan=False)
    estimated: bool = False

    @model_serializer(mode="wrap")
    def _keep_unknown_cost(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Artifacts leave out None; an unknown cost must stay, or it would be read back as free."""
        return {**handler(self), "cost_usd": self.cost_usd}

    def __add__(self, other: "Usage") -> "Usage":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost_usd=(self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
            estimated=self.estimated or other.estimated,
        )


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
