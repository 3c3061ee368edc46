"""``human_labels.jsonl``: what people say about verdicts, a line for each time somebody said something.

The file lies in the folder of an experiment, beside the results, which it never touches. Of all lines about one verdict
the last one counts.
"""

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from heams.scenarios.clock import Instant

FILE = "human_labels.jsonl"
LONGEST_NOTE = 4_000
Said = Literal["pass", "fail", "cleared"]


class VerdictKey(NamedTuple):
    """Which verdict: of a metric of an evaluator, on a step (None: the whole scenario) of a played sample."""

    sample_id: str
    repeat: int
    step_index: int | None
    evaluator: str
    metric: str


class _Saved(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SeenResult(_Saved):
    """The result that was labelled. ``content`` is a hash of what was expected and what was answered."""

    content: str
    verdict: str
    value: Annotated[float | None, Field(allow_inf_nan=False)] = None


class SavedLabel(_Saved):
    """What a person said about one verdict, at ``at``.

    ``label`` is the verdict in the words of the judge's policy (a label, or a number on its scale), where it was chosen
    from those. ``blind`` means that the person was not shown what the judge had said.
    """

    schema_version: Literal[1] = 1
    run_id: str
    at: Instant
    sample_id: str
    repeat: Annotated[int, Field(ge=0)] = 0
    step_index: int | None = None
    evaluator: str
    metric: str
    verdict: Said
    label: str | None = None
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""
    blind: bool = False
    seen: SeenResult

    @property
    def key(self) -> VerdictKey:
        """The verdict that it is about."""
        return VerdictKey(self.sample_id, self.repeat, self.step_index, self.evaluator, self.metric)
