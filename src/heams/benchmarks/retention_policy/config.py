"""Configuration of the ``retention_policy`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps


class RetentionPolicyBenchmarkConfig(BaseModel):
    """A policy, what was told under it, and questions at moments of a simulated clock.

    ``tell_policy`` lets the memory hear the policy's words before everything else; memories that follow rules have
    theirs in their own configuration. ``limit`` takes the first cases. ``question_prompt`` wraps every question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["retention_policy"] = "retention_policy"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="Retention policy",
        dimension=ReportDimension.PRIVACY,
        criterion_tags=(("family",),),
        context_tokens=2_000,
        section="Forgetting",
        order=60,
        headline_metrics=("no_leak", "retained", "honest_erasure"),
        metric_notes={
            "no_leak": "the share of probes for what must be gone where neither answer, context nor store holds it",
            "retained": "the share of probes for what must be kept that memory or answer still tell",
            "honest_erasure": "the share of answers about what must be gone that do not deny it while it is stored",
            "no_leak_answer": "the share of probes for what must be gone whose answer does not tell it",
            "no_leak_context": "the share of probes for what must be gone for which the memory does not hand it over",
            "no_leak_memory": "the share of probes for what must be gone after which the memory does not store it",
            "retained_answer": "the share of probes for what must be kept whose answer tells it",
        },
        criterion_names={
            "ttl_expired": "Time is over",
            "ttl_boundary": "A day before, a day after",
            "user_delete": "Deleted on demand",
            "supersede": "Replaced",
            "purpose_limit": "Purpose ended",
            "legal_hold": "Legal hold",
            "derived_residue": "Residue in what was derived",
            "guess_confirm": "Guess to be confirmed",
            "retain_control": "Must be kept",
        },
    )

    data_file: Path
    limit: WholeNumber | None = Field(default=None, ge=1)
    tell_policy: bool = True
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
