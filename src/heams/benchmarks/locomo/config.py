"""Configuration of the ``locomo`` benchmark."""

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.benchmarks.locomo.categories import CATEGORY_NAMES, CategoryId
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

ALL_CATEGORIES: tuple[CategoryId, ...] = tuple(CATEGORY_NAMES)

_OFFICIAL_FILE = "locomo10"
_CRITERIA: Mapping[str, str] = {
    "multi_hop": "Multi-hop",
    "temporal": "Temporal",
    "open_domain": "Open-domain",
    "single_hop": "Single-hop",
    "adversarial": "Adversarial",
}


def _counts_as_abstention(option: str) -> str:
    from heams.evaluation.locomo_scoring import abstains

    if not abstains(option):
        raise ValueError(
            "must contain 'not mentioned' or 'no information available', which the official scorer looks for"
        )
    return option


class LocomoPrompts(BaseModel):
    """What the agent reads.

    ``question`` wraps every question. ``date_hint`` is put behind questions of category 2 under
    ``temporal_prompt: official``. ``adversarial`` replaces ``question`` in category 5 under
    ``adversarial_prompt: official``: a choice between the trap and ``abstention``, in an order drawn from ``seed``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: Annotated[str, gaps("question")]
    date_hint: str = Field(min_length=1)
    adversarial: Annotated[str, gaps("question", "a", "b")]
    abstention: Annotated[str, AfterValidator(_counts_as_abstention)]


def _display_name(saved: SavedConfig) -> str:
    stem = PurePath(saved["data_file"]).stem
    name = "LoCoMo" if stem == _OFFICIAL_FILE else f"LoCoMo format: {stem}"
    return f"{name} (audited gold)" if saved.get("gold") == "audited" else name


class LocomoBenchmarkConfig(BaseModel):
    """LoCoMo, or any data in its format.

    ``gold: audited`` corrects answers and evidence by ``audit_file`` (``errors.json`` of the dataset ``locomo_audit``);
    ``audit_sha256`` names another version of that file than the registered one. ``categories`` and ``conversations``
    (sample ids) choose questions, of which ``limit`` takes the first. ``image_captions`` puts the captions of shared
    images into the turns.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["locomo"] = "locomo"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="LoCoMo",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("category",),),
        context_tokens=16_600,
        section="Conversational memory",
        order=10,
        headline_metrics=("f1", "adversarial_accuracy", "recall@10", "mrr"),
        criterion_names=_CRITERIA,
        metric_notes={
            "f1": "the token F1 of answers to categories 1 to 4",
            "adversarial_accuracy": "the share of category 5, which has no answer, whose reply says so",
            "adversarial_refusal": "the same, with refusals in other words than the published scorer knows",
        },
        describe=_display_name,
    )

    data_file: Path
    gold: Literal["official", "audited"] = "official"
    audit_file: Path | None = None
    audit_sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    categories: tuple[CategoryId, ...] = Field(default=ALL_CATEGORIES, min_length=1)
    conversations: tuple[str, ...] | None = Field(default=None, min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    prompts: LocomoPrompts
    temporal_prompt: Literal["plain", "official"] = "plain"
    adversarial_prompt: Literal["open", "official"] = "open"
    seed: WholeNumber = 0
    image_captions: bool = True
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)

    @model_validator(mode="after")
    def _audit_file_exactly_when_audited(self) -> Self:
        if self.gold == "audited" and self.audit_file is None:
            raise ValueError("'gold: audited' needs audit_file, the errors.json of the dataset 'locomo_audit'")
        if self.gold == "official" and (self.audit_file or self.audit_sha256):
            raise ValueError("audit_file and audit_sha256 belong to 'gold: audited' (found 'gold: official')")
        return self
