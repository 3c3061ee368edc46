"""Which judges there are in an experiment, and what each of them did."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heams.browse.queries.selection import Metric
from heams.reporting.tables import Tables

REPLIES = "list_sum([json_array_length(x) for x in json_extract(judge, '$.judgements[*].asked[*].votes[*].raw')])"
UNREADABLE = "list_sum(TRY_CAST(json_extract(judge, '$.judgements[*].asked[*].parse_failures') AS BIGINT[]))"
"""SQL over ``records``: replies that came, and those of them that could not be read."""
IS_JUDGED = "json_type(judge) = 'OBJECT'"
_FACTS = f"""
    SELECT evaluator, metric, json_extract_string(judge, '$.policy'),
           CAST(json_extract(judge, '$.models') AS VARCHAR), CAST(json_extract(judge, '$.versions') AS VARCHAR),
           CAST(json_extract(judge, '$.policy_hashes') AS VARCHAR),
           coalesce(TRY_CAST(json_extract_string(judge, '$.votes_per_model') AS BIGINT), 1),
           coalesce(json_extract_string(judge, '$.calibration'), ''),
           count(*), count(*) FILTER (outcome = 'scored'), count(*) FILTER (outcome = 'unscored'),
           coalesce(sum({REPLIES}), 0), coalesce(sum({UNREADABLE}), 0),
           count(*) FILTER (coalesce({UNREADABLE}, 0) > 0 OR outcome = 'unscored')
    FROM records WHERE {IS_JUDGED} GROUP BY ALL ORDER BY min(row(position, place))
"""  # noqa: S608 - fixed expressions


@dataclass(frozen=True, slots=True)
class JudgeFacts:
    """One judge: what was judged under which metric, by which models, and how. ``versions`` and ``hashes`` by policy.

    ``judged`` are its records: ``scored`` ones have a value, ``unscored`` ones no readable verdict. Of ``replies`` so
    many were ``unreadable``; ``troubled`` records had one of these, or no verdict.
    """

    metric: Metric
    policy: str
    models: tuple[str, ...]
    versions: Mapping[str, str]
    hashes: Mapping[str, str]
    votes: int
    calibration: str
    judged: int
    scored: int
    unscored: int
    replies: int
    unreadable: int
    troubled: int

    @property
    def voters(self) -> int:
        """How many votes each verdict is made of."""
        return max(1, len(self.models)) * self.votes


def judges_of(tables: Tables) -> list[JudgeFacts]:
    """Every judge of every metric, in the order in which they appear."""
    return [_facts(*row) for row in tables.rows(_FACTS)]


def _facts(
    evaluator: str, metric: str, policy: str | None, models: str, versions: str, hashes: str, *counts: Any
) -> JudgeFacts:
    listed = _parsed(models)
    return JudgeFacts(
        Metric(evaluator, metric),
        policy or "not saved",
        tuple(map(str, listed)) if isinstance(listed, list) else (),
        _texts(_parsed(versions)),
        _texts(_parsed(hashes)),
        *counts,
    )


def _parsed(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _texts(found: Any) -> dict[str, str]:
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, Mapping) else {}
