"""What a judge left in the audit of a verdict: how it was asked, every vote, and the replies as they came."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class _Kept(BaseModel):
    """Fields of other versions are ignored, missing ones empty: an audit is shown as far as it is understood."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Vote(_Kept):
    """One vote. ``raw`` are the replies in order, ``failures`` say why those that could not be read could not."""

    model: str = ""
    number: int = 0
    readable: bool = True
    value: float | None = None
    label: str | None = None
    chosen: tuple[int, ...] = ()
    reason: str = ""
    raw: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


class Opinion(_Kept):
    """The verdict of one policy over its votes."""

    policy: str = ""
    prompt_hash: str = ""
    label: str | None = None
    value: float | None = None
    agreement: float | None = None
    problem: str = ""
    parse_failures: int = 0
    votes: tuple[Vote, ...] = ()


class Judgement(_Kept):
    """What was judged: the whole answer, or one ``item`` of a rubric."""

    item: str | None = None
    asked: tuple[Opinion, ...] = ()


class JudgeAudit(_Kept):
    """Who judged, under which policy, how often, and with which result."""

    models: tuple[str, ...] = ()
    policy: str = ""
    versions: Mapping[str, int] = Field(default_factory=dict)
    policy_hashes: Mapping[str, str] = Field(default_factory=dict)
    votes_per_model: int = 1
    calibration: str = ""
    judgements: tuple[Judgement, ...] = ()

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """All of them, over all items."""
        return tuple(opinion for judgement in self.judgements for opinion in judgement.asked)

    @property
    def parse_failures(self) -> int:
        """Replies that could not be read."""
        return sum(opinion.parse_failures for opinion in self.opinions)


def judge_audit(audit: Mapping[str, Any]) -> JudgeAudit | None:
    """What a judge left; None where none did, or in a form that is not known."""
    try:
        return JudgeAudit.model_validate(audit["judge"]) if audit.get("judge") else None
    except ValidationError:
        return None
