"""The configuration of ``summary``."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.memory.listening.policy import BatchTokens, Policy
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.text.prompt_template import gaps

RewritePrompt = Annotated[
    str, gaps("summary", "events", "now", "max_tokens"), Field(description="Shows the summary and a batch of events.")
]
ShortenPrompt = Annotated[
    str, gaps("summary", "tokens", "max_tokens"), Field(description="Shows a summary that became too long.")
]
ForgetPrompt = Annotated[str, gaps("summary", "demand"), Field(description="Shows the summary and a demand.")]


class SummaryMemoryConfig(BaseModel):
    """One text that a model rewrites with every batch of events.

    ``rewrite_policy`` says how the summary is written; ``rewrite_prompt`` shows the present one, the batch, the
    simulated time and the limit. A reply that is too long is shown once more, in ``shorten_prompt`` under the same
    policy, and what is still too long is cut at the end of a sentence. ``forget_policy`` says how something is taken
    out of the summary; ``forget_prompt`` shows it and the demand. A batch ends after ``batch_events`` events or
    ``batch_tokens`` tokens, with a session, or when something is asked of the memory.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["summary"] = "summary"
    llm: LanguageModelConfig = Field(description="The model that writes.")
    rewrite_policy: Policy
    rewrite_prompt: RewritePrompt
    shorten_prompt: ShortenPrompt
    forget_policy: Policy
    forget_prompt: ForgetPrompt
    max_tokens: int = Field(default=1_000, ge=1, description="The longest summary, in tokens of the shipped tokenizer.")
    recent_events: int = Field(default=0, ge=0, description="The last events that are kept word for word as well.")
    batch_events: int = Field(default=20, ge=1, description="The most events that the model reads at once.")
    batch_tokens: BatchTokens = 8_000
    attempts: int = Field(default=3, ge=1, description="How often the model is asked until its reply can be used.")
