"""The script: everything a test can say about how the server behaves, as one model that also loads from JSON."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .brains import BrainSpec
from .faults import Quota, RuleSpec


class Script(BaseModel):
    """How the server behaves. ``latency`` in seconds: a number, or a range from which each request draws.

    ``brains`` maps model names (``*`` and ``?`` allowed; the first match wins) to brains, ``brain`` serves the rest.
    ``faults``: of the rules that concern a request, the first that strikes. Quotas refuse before faults are drawn.
    ``models``: when given, other models get 404. ``api_key``: when given, other keys get 401. ``usage`` "none" leaves
    usage out of replies. ``dimensions`` of embeddings, where the request names none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    brain: BrainSpec = "auto"
    brains: dict[str, BrainSpec] = Field(default_factory=dict)
    faults: tuple[RuleSpec, ...] = ()
    quotas: tuple[Quota, ...] = ()
    latency: float | tuple[float, float] = 0.0
    seed: int = 0
    models: tuple[str, ...] | None = None
    api_key: str | None = None
    usage: Literal["full", "none"] = "full"
    cached_tokens: int = Field(default=0, ge=0)
    dimensions: int = Field(default=64, ge=1)
