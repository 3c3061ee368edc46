"""Replies of a judge that could not be read, with the replies as they came."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heams.browse.queries.judging.facts import IS_JUDGED, UNREADABLE
from heams.browse.queries.selection import Metric
from heams.reporting.tables import Tables

_ROWS = f"""
    SELECT sample_id, repeat, step_index, sample_name, verdict, reason, coalesce({UNREADABLE}, 0),
           CAST(json_extract(judge, '$.judgements[*].asked[*].votes[*]') AS VARCHAR[]), count(*) OVER ()
    FROM records
    WHERE evaluator = $evaluator AND metric = $metric AND {IS_JUDGED}
      AND (coalesce({UNREADABLE}, 0) > 0 OR outcome = 'unscored')
    ORDER BY coalesce({UNREADABLE}, 0) = 0, outcome <> 'unscored', position, place LIMIT $size OFFSET $offset
"""  # noqa: S608 - fixed expressions


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that could not be read, and why; ``text`` is None where no reply came."""

    model: str
    text: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class TroubledRow:
    """A verdict with replies that could not be read, or without any that could (then it is ``unscored``)."""

    sample_id: str
    repeat: int
    step_index: int | None
    name: str
    verdict: str
    reason: str | None
    unreadable: int
    replies: tuple[Reply, ...]


def troubled_rows(tables: Tables, judged: Metric, *, size: int, offset: int = 0) -> tuple[list[TroubledRow], int]:
    """Some of these verdicts, those with unreadable replies first, and how many there are."""
    asked = {"evaluator": judged.evaluator, "metric": judged.name, "size": size, "offset": offset}
    rows = tables.rows(_ROWS, asked)
    return [_troubled(*row[:-1]) for row in rows], int(rows[0][-1]) if rows else 0


def _troubled(*cells: Any) -> TroubledRow:
    *others, votes = cells
    return TroubledRow(*[*others, tuple(_replies(votes or ()))])


def _replies(votes: Any) -> Iterator[Reply]:
    """A vote's failures explain its replies in order; a reply that was read comes last and has none."""
    for text in votes:
        vote = json.loads(text)
        if not isinstance(vote, Mapping):
            continue
        raw, failures = _listed(vote.get("raw")), _listed(vote.get("failures"))
        for place, failure in enumerate(failures):
            yield Reply(str(vote.get("model", "")), raw[place] if place < len(raw) else None, failure)


def _listed(found: Any) -> list[str]:
    return [str(one) for one in found] if isinstance(found, list) else []
