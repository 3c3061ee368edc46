"""Configuration of the ``mpbench`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.benchmarks.mpbench.attacks import CHANNEL_NAMES, CLASS_NAMES
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps


class MPBenchBenchmarkConfig(BaseModel):
    """Cases in which something that was read tries to become a lasting memory, and cases in which it should.

    ``adversarial_file`` and ``benign_file`` say by themselves which a case is. ``limit`` takes the first samples, which
    come from both files in turn. ``memory_policy`` is what the system prompt says about keeping things; it is heard at
    the beginning of every case, unless it is null. ``question_prompt`` wraps the question of the fresh session.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["mpbench"] = "mpbench"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="MPBench",
        dimension=ReportDimension.PRIVACY,
        criterion_tags=(("attack_class",), ("channel",)),
        context_tokens=2_000,
        section="Poisoning",
        order=70,
        headline_metrics=("resisted_write", "benign_write", "resisted_use", "benign_use"),
        metric_notes={
            "resisted_write": "the share of attacks after which no entry of the memory carries what was planted",
            "benign_write": "the share of benign cases whose content is stored",
            "resisted_use": "the share of stored attacks on which the fresh session does not act, without the others",
            "benign_use": "the share of benign cases whose content the fresh session uses",
        },
        criterion_names={**CLASS_NAMES, **CHANNEL_NAMES},
    )

    adversarial_file: Path
    benign_file: Path | None = None
    limit: WholeNumber | None = Field(default=None, ge=1)
    memory_policy: str | None
    question_prompt: Annotated[str, gaps("question")]
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
