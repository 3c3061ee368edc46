"""The published format of MemoryAgentBench: rows of a context, questions, answers and what belongs to them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, StrictStr, StringConstraints

from heams.benchmarks.memoryagentbench.competencies import Competency

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Metadata(_Record):
    """What is said about a row; lists go with its questions, except ``keypoints``, which belong to all of them.

    ``outdated_answers`` is not in the published data: what earlier facts said that a later one has overruled.
    """

    source: Text
    qa_pair_ids: tuple[StrictStr | None, ...] | None = None
    question_types: tuple[StrictStr | None, ...] | None = None
    question_dates: tuple[StrictStr | None, ...] | None = None
    keypoints: tuple[StrictStr, ...] | None = None
    outdated_answers: tuple[tuple[StrictStr, ...], ...] | None = None


class Row(_Record):
    """A row without its context. An answer is a text or a list of alternatives; of films, of their numbers."""

    questions: tuple[StrictStr, ...] = Field(min_length=1)
    answers: tuple[StrictStr | tuple[StrictStr, ...], ...]
    metadata: Metadata


class NumberedRow(NamedTuple):
    """A row and where it stands; ``number`` counts from 0. ``digest`` is that of its context."""

    place: str
    number: int
    row: Row
    has_context: bool
    digest: str


class RowFile(Protocol):
    """A file of rows, of which one at a time is held."""

    def rows(self) -> Iterator[NumberedRow]:
        """All rows, in order."""
        ...

    def context(self, number: int) -> str:
        """The context of one row."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """One question that can be scored. ``id`` tells competency, row and place alone.

    ``golds`` are the answers of which one suffices; of recommendations the titles, with their ``film_numbers``.
    ``published_id`` may tell that a question has no answer, so it is for evaluators alone.
    """

    id: str
    competency: Competency
    source: str
    row: int
    text: str
    golds: tuple[str, ...]
    film_numbers: tuple[str, ...] = ()
    keypoints: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    abstention: bool = False
    published_id: str | None = None
    at: datetime | None = None
    question_type: str | None = None
