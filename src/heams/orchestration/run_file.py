"""The run file: which agents meet which memory systems on which benchmarks, and under which settings."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from heams.orchestration.naming import LONGEST_NAME, NAME_PATTERN, allowed_name
from heams.scenarios.budget import RecallBudget
from heams.scenarios.memory_changes import MemoryChanges
from heta_framework.common.config import Number, WholeNumber

Name = Annotated[str, Field(pattern=NAME_PATTERN, max_length=LONGEST_NAME)]
ExperimentName = Annotated[Name, AfterValidator(allowed_name)]

Ingestion = Literal["direct", "through_agent"]
IsolationChoice = Literal["auto", "fork", "read_only", "rebuild"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExperimentSettings(_Part):
    """How an experiment is played.

    ``isolation`` ``auto`` forks the memory per scenario where it can, else plays read-only on the shared state.
    ``rebuild`` hears the history again for every scenario, and is refused past ``max_rebuild_events``.
    ``scenario_timeout_s`` limits what agent and memory do, ``judging_timeout_s`` what evaluators do afterwards.
    ``memory_changes`` says what is recorded of the changes that actions make in the memory; it changes no result.
    """

    repeats: WholeNumber = Field(default=1, ge=1)
    recall_budget: RecallBudget = RecallBudget()
    ingestion: Ingestion = "direct"
    isolation: IsolationChoice = "auto"
    max_rebuild_events: WholeNumber = Field(default=200, ge=0)
    retries: WholeNumber = Field(default=1, ge=0)
    scenario_timeout_s: Number = Field(default=300.0, gt=0)
    ingestion_timeout_s: Number = Field(default=3600.0, gt=0)
    judging_timeout_s: Number = Field(default=600.0, gt=0)
    seed: WholeNumber = 0
    memory_changes: MemoryChanges = MemoryChanges()


class SettingsOverride(_Part):
    """The same settings, all optional: what is not named comes from ``defaults``, then from the built-in values."""

    repeats: WholeNumber | None = Field(default=None, ge=1)
    recall_budget: RecallBudget | None = None
    ingestion: Ingestion | None = None
    isolation: IsolationChoice | None = None
    max_rebuild_events: WholeNumber | None = Field(default=None, ge=0)
    retries: WholeNumber | None = Field(default=None, ge=0)
    scenario_timeout_s: Number | None = Field(default=None, gt=0)
    ingestion_timeout_s: Number | None = Field(default=None, gt=0)
    judging_timeout_s: Number | None = Field(default=None, gt=0)
    seed: WholeNumber | None = None
    memory_changes: MemoryChanges | None = None

    def over(self, base: ExperimentSettings) -> ExperimentSettings:
        """``base`` with what is set here."""
        named = {key: getattr(self, key) for key in SettingsOverride.model_fields if getattr(self, key) is not None}
        return base.model_copy(update=named)


class ExperimentEntry(SettingsOverride):
    """One experiment: a component file (under ``configs/<kind>/``) or an inline configuration for each part."""

    name: ExperimentName
    agent_config_file: str | None = None
    agent_config: dict[str, Any] | None = None
    memory_system_config_file: str | None = None
    memory_system_config: dict[str, Any] | None = None
    benchmark_config_file: str | None = None
    benchmark_config: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _one_source_each(self) -> Self:
        for part in ("agent", "memory_system", "benchmark"):
            given = [key for key in (f"{part}_config_file", f"{part}_config") if getattr(self, key) is not None]
            if len(given) != 1:
                raise ValueError(f"give exactly one of {part}_config_file and {part}_config (found {len(given)})")
        return self


class Matrix(SettingsOverride):
    """Every agent with every memory system on every benchmark; each entry is a component file or inline."""

    agents: tuple[str | dict[str, Any], ...] = Field(min_length=1)
    memory_systems: tuple[str | dict[str, Any], ...] = Field(min_length=1)
    benchmarks: tuple[str | dict[str, Any], ...] = Field(min_length=1)


class RunFile(_Part):
    """A whole run file."""

    run_name: Name
    defaults: SettingsOverride = SettingsOverride()
    experiments: tuple[ExperimentEntry, ...] = ()
    matrix: Matrix | None = None

    @model_validator(mode="after")
    def _something_to_run(self) -> Self:
        if not self.experiments and self.matrix is None:
            raise ValueError("a run file names 'experiments', a 'matrix', or both")
        return self
