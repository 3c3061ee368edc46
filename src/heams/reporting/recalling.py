"""What recalls handed to the agent, question by question, and what the recall budget held back."""

from dataclasses import dataclass

from heams.reporting.tables import Tables
from heams.reporting.timing import Percentiles


@dataclass(frozen=True, slots=True)
class Recalling:
    """Recalls over the questions of scenarios that were played to their end; every repeat counts.

    ``tokens`` reached the agent and ``withheld`` items did not, per question; ``waited`` are seconds per question spent
    waiting for an agent or a memory that was busy with others. Of all ``questions``, ``served`` are those for which
    the memory gave at least one item, ``affected`` those in which the budget withheld any, and ``starved`` those in
    which it withheld every one.
    """

    tokens: Percentiles
    withheld: Percentiles
    waited: Percentiles
    questions: int = 0
    served: int = 0
    affected: int = 0
    starved: int = 0

    @property
    def mostly_starved(self) -> bool:
        """Whether the budget withheld everything in more than half of the questions with something to recall."""
        return 2 * self.starved > self.served


_QUESTIONS = """
    SELECT count(*), count(*) FILTER (items + withheld > 0), count(*) FILTER (withheld > 0),
           count(*) FILTER (withheld > 0 AND items = 0),
           quantile_cont(tokens, [0.5, 0.95]), quantile_cont(withheld, [0.5, 0.95]),
           quantile_cont(waited, [0.5, 0.95]), count(*) FILTER (waited > 0)
    FROM (SELECT unnest(questions, recursive := true) FROM scenarios WHERE status = 'completed')
"""


def recalling(tables: Tables) -> Recalling:
    """What was recalled in a run."""
    questions, served, affected, starved, tokens, withheld, waited, waiting = tables.row(_QUESTIONS)
    return Recalling(
        tokens=_percentiles(questions, tokens),
        withheld=_percentiles(questions, withheld),
        waited=_percentiles(questions if waiting else 0, waited),
        questions=questions,
        served=served,
        affected=affected,
        starved=starved,
    )


def _percentiles(n: int, values: list[float] | None) -> Percentiles:
    return Percentiles(n, *values) if n and values else Percentiles(0, None, None)
