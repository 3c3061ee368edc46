"""Configuration of the ``ci`` benchmark."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

_NAME = "Contextual integrity"
_Prompt = Annotated[str, gaps("recipient", "task")]


def _describe(saved: SavedConfig) -> str:
    return f"{_NAME}, prompt level {saved['prompt_level']}"


class ContextualIntegrityPrompts(BaseModel):
    """What the agent reads; four levels of one request, no scale of strictness.

    ``level_1`` just asks for the message; ``level_2`` for what is necessary alone; ``level_3`` for the least possible,
    privacy first; ``level_4`` for everything that helps, success first.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    level_1: _Prompt
    level_2: _Prompt
    level_3: _Prompt
    level_4: _Prompt

    def of_level(self, level: int) -> str:
        """The prompt of a level."""
        return (self.level_1, self.level_2, self.level_3, self.level_4)[level - 1]


class ContextualIntegrityBenchmarkConfig(BaseModel):
    """Messages to somebody for some purpose, by an agent whose memory knows far more than belongs into them.

    ``data_file`` holds profiles in the format of CIMemories, ``labels_file`` what belongs into which message (ours, or
    the published rows); without it, labels inside of the profiles count. ``legacy_substring_filter`` leaves out private
    attributes as the official script does: wherever "name", "address", "sex" or "age" is a part of a word. ``limit``
    takes the first contexts that can be scored. Memories are asked with ``recall_query``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["ci"] = "ci"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name=_NAME,
        dimension=ReportDimension.PRIVACY,
        criterion_tags=(("domain",),),
        context_tokens=2_000,
        section="Disclosure",
        order=40,
        headline_metrics=("withheld", "coverage"),
        metric_notes={
            "coverage": "the share of what belongs into a message that it tells; n counts attributes in messages",
            "withheld": "the share of what is private in a message that it does not tell, over all messages; n counts "
            "attributes in messages (the official violation, in the roll-up, is the worst case over messages)",
        },
        describe=_describe,
    )

    data_file: Path
    labels_file: Path | None = None
    legacy_substring_filter: bool = False
    limit: WholeNumber | None = Field(default=None, ge=1)
    prompt_level: Literal[1, 2, 3, 4]
    prompts: ContextualIntegrityPrompts
    recall_query: _Prompt
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
