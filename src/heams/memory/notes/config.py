"""The configuration of ``notes``."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from heams.memory.listening.policy import BatchTokens, Policy
from heams.memory.vector import EmbeddingModel
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.text.prompt_template import gaps

NoteTool = Literal["list_files", "read_file", "create_file", "append", "replace_text", "delete_file"]
KeepPrompt = Annotated[str, gaps("events", "files", "now"), Field(description="Shows a batch, and which files exist.")]
ForgetPrompt = Annotated[str, gaps("demand", "files"), Field(description="Shows a demand, and which files exist.")]


class NotesMemoryConfig(BaseModel):
    """Files that a model reads and edits by tools when it is shown a batch of events.

    ``policy`` says how notes are kept; ``prompt`` shows the batch, the list of files, and the simulated time.
    ``forget_policy`` says how something is taken out; ``forget_prompt`` shows the demand and the list of files.
    ``tools`` describes all tools. A batch ends after ``batch_events`` events or ``batch_tokens`` tokens, with a
    session, or when something is asked of the memory.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["notes"] = "notes"
    llm: LanguageModelConfig = Field(description="The model that keeps the notes.")
    policy: Policy
    prompt: KeepPrompt
    forget_policy: Policy
    forget_prompt: ForgetPrompt
    tools: Mapping[NoteTool, Annotated[str, StringConstraints(pattern=r"\S")]] = Field(
        description="What the model is told about each tool."
    )
    embedding: EmbeddingModel = "wordllama"
    batch_events: int = Field(default=20, ge=1, description="The most events that the model reads at once.")
    batch_tokens: BatchTokens = 8_000
    step_limit: int = Field(
        default=16, ge=1, le=1_000, description="The most requests to the model per batch or demand."
    )
    max_files: int = Field(default=50, ge=1, description="The most files.")
    max_file_chars: int = Field(default=16_000, ge=1, description="The longest file, in characters.")

    @model_validator(mode="after")
    def _all_tools(self) -> Self:
        missing = [name for name in get_args(NoteTool) if name not in self.tools]
        if missing:
            raise ValueError(f"'tools' must describe {', '.join(missing)} too")
        return self
