"""``calibration.json``: how often a judge accepts what is wrong and rejects what is right."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from heta_framework.common.models.usage import Usage

Share = Annotated[float, Field(ge=0, le=1)]


class _Saved(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rate(_Saved):
    """``count`` of ``n`` with Wilson's 95 % interval; the share and its bounds are None where n is 0."""

    count: int
    n: int
    share: Share | None = None
    low: Share | None = None
    high: Share | None = None

    @classmethod
    def of(cls, count: int, n: int) -> Self:
        """The rate of ``count`` in ``n``."""
        if n == 0:
            return cls(count=count, n=n)
        from heta_framework.common.statistics import wilson_interval

        bounds = wilson_interval(count, n)
        return cls(count=count, n=n, share=count / n, low=bounds.low, high=bounds.high)

    @property
    def words(self) -> str:
        """Such as ``4.0 % [1.1, 13.5] of 50``."""
        if self.share is None or self.low is None or self.high is None:
            return "unknown (no case)"
        return f"{100 * self.share:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}] of {self.n}"


class KindResult(_Saved):
    """The cases of one kind. ``wrong`` is the rate of false accepts, or of false rejects where ``accept`` is right."""

    kind: str
    accept: bool
    cases: int
    unscored: int
    wrong: Rate


class Agreement(_Saved):
    """With labels by people: Cohen's kappa (None where it is not defined) over ``n`` cases that the judge scored."""

    n: int
    unscored: int
    kappa: float | None
    same: Rate


class CaseResult(_Saved):
    """One case, with the judge's verdict. ``accepted`` is None where there was none."""

    id: str
    kind: str
    accept: bool
    question: str
    expected: tuple[str, ...]
    answer: str
    accepted: bool | None
    verdict: str
    reason: str = ""


class Calibration(_Saved):
    """A calibration. ``judge_hash`` names the very judge: models, sampling, policy, votes."""

    schema_version: Literal[1] = 1
    judge: Mapping[str, JsonValue]
    judge_hash: str
    models: tuple[str, ...]
    policy: str
    benchmark: str
    sources: Mapping[str, str]
    seed: int
    kinds: tuple[KindResult, ...]
    false_accept: Rate
    false_reject: Rate
    unreadable_replies: Rate
    unscored: Rate
    agreement: Agreement | None = None
    usage: Usage = Usage()
    cases: tuple[CaseResult, ...] = ()

    @property
    def summary(self) -> str:
        """One line for reports."""
        parts = [
            f"false accept {self.false_accept.words}",
            f"false reject {self.false_reject.words}",
            f"unreadable replies {self.unreadable_replies.words}",
        ]
        if self.agreement is not None and self.agreement.kappa is not None:
            parts.append(f"kappa with human labels {self.agreement.kappa:.2f} of {self.agreement.n}")
        return f"calibrated on {self.benchmark}: {', '.join(parts)}"


def load_calibration(path: Path) -> Calibration:
    """Read a calibration.

    Raises:
        ValueError: the file cannot be read, or is no calibration.
    """
    try:
        return Calibration.model_validate_json(path.read_bytes())
    except OSError as cause:
        raise ValueError(f"{path}: this calibration cannot be read ({cause.strerror or cause})") from None
    except ValidationError as cause:
        error = cause.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, error["loc"])) or "the file"
        raise ValueError(f"{path}: this is no calibration of a judge ({place}: {error['msg']})") from None
