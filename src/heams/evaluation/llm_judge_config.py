"""The configuration of ``llm_judge``: which models judge, by which policy, with how many votes."""

import json
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, JsonValue, Tag

from heta_framework.common.config import WholeNumber
from heta_framework.common.judge import (
    FAMILIES,
    ClaimsPolicy,
    JudgePolicy,
    LabelPolicy,
    ListPolicy,
    ScalePolicy,
    Tie,
    built_in_policy,
    policy_hash,
    policy_names,
)
from heta_framework.common.models.settings import LanguageModelConfig

_SAMPLING = ("model_id", "temperature", "top_p", "max_tokens", "seed", "structured_output", "provider_options")
_PAIRWISE = "pairwise"


def _known_policy(name: str) -> str:
    known = sorted({*FAMILIES, *policy_names()} - {_PAIRWISE})
    if name not in known:
        from heta_framework.common.config import nearest

        near = nearest(name, known)
        hint = f"; did you mean {near!r}?" if near else "."
        raise ValueError(f"no judge policy is named {name!r}{hint} There are: {', '.join(known)}")
    return name


def _tag(value: Any) -> str | None:
    if isinstance(value, str):
        return "name"
    return value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)


PolicyChoice = Annotated[
    Annotated[str, AfterValidator(_known_policy), Tag("name")]
    | Annotated[LabelPolicy, Tag("labels")]
    | Annotated[ScalePolicy, Tag("scale")]
    | Annotated[ListPolicy, Tag("list")]
    | Annotated[ClaimsPolicy, Tag("claims")],
    Discriminator(
        _tag,
        custom_error_type="policy_choice",
        custom_error_message="must be the name of a policy, or a mapping whose 'kind' is labels, scale, list or claims",
    ),
]
"""The name of a built-in policy or family, or a policy of one's own, told apart by its ``kind``."""


class LLMJudgeEvaluatorConfig(BaseModel):
    """Answers judged by one language model or a panel of them, under a policy.

    ``judges``: the models; every one votes ``votes`` times. ``policy``: a built-in one by name, or one's own with
    ``kind``, ``name``, ``version``, ``system`` and ``prompt``. ``tie`` decides between labels with equally many votes.
    A reply that cannot be read is asked for again ``reminders`` times, and is no verdict after that.
    ``metric`` renames ``judge_<policy>``, so that two judges can stand beside each other. ``calibration_file`` is what
    ``heams calibrate-judge`` wrote about this very judge. ``entries_per_call``: how many entries of a memory are shown
    at once by policies that list entries.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["llm_judge"] = "llm_judge"
    judges: tuple[LanguageModelConfig, ...] = Field(min_length=1)
    policy: PolicyChoice
    votes: WholeNumber = Field(default=1, ge=1, le=99)
    tie: Tie = "unscored"
    reminders: WholeNumber = Field(default=2, ge=0, le=9)
    metric: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9_.@-]*$", max_length=60)
    calibration_file: Path | None = None
    entries_per_call: WholeNumber = Field(default=50, ge=1)

    @property
    def policy_name(self) -> str:
        """The name of the policy or family."""
        return self.policy if isinstance(self.policy, str) else self.policy.name

    @property
    def metric_name(self) -> str:
        """``judge_<policy>`` unless ``metric`` says otherwise."""
        return self.metric or f"judge_{self.policy_name}"

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metric, and for policies about claims its ``_coverage``."""
        claims = any(isinstance(policy, ClaimsPolicy) for policy in self.policies.values())
        return (self.metric_name, f"{self.metric_name}_coverage") if claims else (self.metric_name,)

    @cached_property
    def policies(self) -> Mapping[str, JudgePolicy]:
        """The policies that may be used, by name: several for a family."""
        if not isinstance(self.policy, str):
            return {self.policy.name: self.policy}
        members = FAMILIES[self.policy].members if self.policy in FAMILIES else (self.policy,)
        return {name: built_in_policy(name) for name in members}

    @cached_property
    def identity(self) -> dict[str, JsonValue]:
        """Everything that decides verdicts: models with their sampling, policies by hash, votes."""
        sampling = [{name: getattr(judge, name) for name in _SAMPLING} for judge in self.judges]
        policies = {name: policy_hash(policy) for name, policy in self.policies.items()}
        decided = {"judges": sampling, "policies": policies, "votes": self.votes, "tie": self.tie}
        identity: dict[str, JsonValue] = json.loads(json.dumps({**decided, "reminders": self.reminders}, default=dict))
        return identity

    @property
    def identity_hash(self) -> str:
        """sha256 of ``identity``."""
        return sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()
