"""Configuration of the ``personamem`` benchmark."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from heams.benchmarks.info import BenchmarkInfo, ReportDimension, SavedConfig
from heams.evaluation.distinct import distinct_metrics
from heams.evaluation.factory import EvaluatorConfig
from heta_framework.common.config import WholeNumber
from heta_framework.common.text.prompt_template import gaps

QUESTION_TYPES: Mapping[str, str] = {
    "recall_user_shared_facts": "Facts the user shared",
    "recalling_facts_mentioned_by_the_user": "Facts the user mentioned",
    "track_full_preference_evolution": "How a preference evolved",
    "recalling_the_reasons_behind_previous_updates": "Why a preference changed",
    "provide_preference_aligned_recommendations": "Recommendations",
    "suggest_new_ideas": "New ideas",
    "generalizing_to_new_scenarios": "New scenarios",
}
_SIZE = re.compile(r"questions_(32k|128k|1M)")
_TOKENS = {"32k": 32_000, "128k": 128_000, "1M": 1_000_000}


class PersonaMemPrompts(BaseModel):
    """What the agent reads: ``choice`` wraps a question with its ``{options}``, each a line made by ``option``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    choice: Annotated[str, gaps("question", "options")]
    option: Annotated[str, gaps("letter", "text")]


def _size(saved: SavedConfig) -> str | None:
    found = _SIZE.fullmatch(PurePath(saved["questions_file"]).stem)
    return found[1] if found else None


def _display_name(saved: SavedConfig) -> str:
    size = _size(saved)
    return f"PersonaMem ({size})" if size else "PersonaMem"


def _context_tokens(saved: SavedConfig) -> int | None:
    return _TOKENS.get(_size(saved) or "")


class PersonaMemBenchmarkConfig(BaseModel):
    """PersonaMem, or any data in its format: what a user said over many sessions, and questions with four options.

    ``questions_file`` is the CSV of questions, ``contexts_file`` the JSON Lines of what was said; a question hears only
    what stands before its end there. ``question_types`` chooses questions, of which ``limit`` takes the first.
    ``option_order``: ``as_given``, or drawn ``per_question`` from ``seed`` and its id. ``system_messages: false``
    leaves out the messages that open the sessions, which describe the user.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["personamem"] = "personamem"
    report_info: ClassVar[BenchmarkInfo] = BenchmarkInfo(
        display_name="PersonaMem",
        dimension=ReportDimension.PERFORMANCE,
        criterion_tags=(("question_type",),),
        context_tokens=2_000,
        section="Personalisation",
        order=41,
        headline_metrics=("choice_accuracy",),
        metric_notes={
            "choice_accuracy": "the share of questions for which the right option was chosen",
        },
        criterion_names=QUESTION_TYPES,
        describe=_display_name,
        context_tokens_of=_context_tokens,
    )

    questions_file: Path
    contexts_file: Path
    question_types: tuple[str, ...] | None = Field(default=None, min_length=1)
    limit: WholeNumber | None = Field(default=None, ge=1)
    option_order: Literal["as_given", "per_question"] = "as_given"
    seed: WholeNumber = 0
    system_messages: bool = True
    prompts: PersonaMemPrompts
    evaluators: Annotated[tuple[EvaluatorConfig, ...], AfterValidator(distinct_metrics)] = Field(min_length=1)
