"""A benchmark sample: one thing to play, described without agent or memory policy."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from heams.scenarios.actions import Action, SharedHistory
from heams.scenarios.scenario import Scenario
from heams.scenarios.whole_text import WholeText


class BenchmarkSample(BaseModel):
    """One sample.

    ``id`` is unique in the benchmark. ``evaluators`` are evaluator configurations. Samples with the same ``history``
    should stand next to each other: the history is then heard once and every sample is played on a fork.
    ``tags`` are copied onto each of the sample's evaluation records.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: WholeText = Field(min_length=1)
    name: WholeText
    execution_sequence: Sequence[Action]
    evaluators: Sequence[SerializeAsAny[BaseModel]]
    history: SharedHistory | None = None
    tags: Mapping[str, str] = Field(default_factory=dict)

    def to_scenario(self) -> Scenario:
        """The mechanical projection: nothing is added, dropped or reordered."""
        return Scenario(
            id=self.id,
            name=self.name,
            actions=self.execution_sequence,
            evaluators=self.evaluators,
            history=self.history,
            tags=self.tags,
        )
