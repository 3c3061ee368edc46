"""The configuration of ``facts``."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.memory.governance.policy import Access, Retention, Screening
from heams.memory.listening.policy import BatchTokens, Policy
from heams.memory.vector import EmbeddingModel
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.text.prompt_template import gaps

ExtractPrompt = Annotated[str, gaps("events", "facts", "now"), Field(description="Shows a batch, facts, the time.")]
ForgetPrompt = Annotated[str, gaps("demand", "facts"), Field(description="Shows a demand and facts.")]


class FactsMemoryConfig(BaseModel):
    """Facts that a model extracts from batches of events, found by words and by meaning.

    ``extract_policy`` says how facts are made; ``extract_prompt`` shows a batch of events, the known facts closest to
    it, and the simulated time. ``forget_policy`` says which facts a demand is about, where none contains its words;
    ``forget_prompt`` shows the demand and the facts closest to it. A batch ends after ``batch_events`` events or
    ``batch_tokens`` tokens, with a session, or when something is asked of the memory.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["facts"] = "facts"
    llm: LanguageModelConfig = Field(description="The model that extracts and forgets.")
    extract_policy: Policy
    extract_prompt: ExtractPrompt
    forget_policy: Policy
    forget_prompt: ForgetPrompt
    embedding: EmbeddingModel = "wordllama"
    batch_events: int = Field(default=20, ge=1, description="The most events that the model reads at once.")
    batch_tokens: BatchTokens = 8_000
    related_facts: int = Field(default=20, ge=1, description="The most known facts that the model is shown.")
    attempts: int = Field(default=3, ge=1, description="How often the model is asked until its reply can be used.")
    retention: Retention = None
    access: Access = None
    screening: Screening = None
