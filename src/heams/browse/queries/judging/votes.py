"""How the votes behind verdicts agree: with the verdict, with each other, and where they do not."""

from collections.abc import Mapping
from dataclasses import dataclass

from heams.browse.queries.selection import Metric
from heams.reporting.tables import Tables

_OPINIONS = """
    opinions AS (
        SELECT position, place, generate_subscripts(asked, 1) AS item, unnest(asked) AS opinion
        FROM (
            SELECT position, place, json_extract(judge, '$.judgements[*].asked[*]') AS asked FROM records
            WHERE evaluator = $evaluator AND metric = $metric AND json_type(judge) = 'OBJECT'
        )
    ),
    votes AS (
        SELECT position, place, item,
               coalesce(json_extract_string(opinion, '$.label'), json_extract_string(opinion, '$.value')) AS verdict,
               coalesce(json_extract_string(vote, '$.model'), '') AS model,
               coalesce(TRY_CAST(json_extract_string(vote, '$.number') AS BIGINT), 0) AS number,
               coalesce(json_extract_string(vote, '$.readable'), 'true') = 'true' AS readable,
               coalesce(json_extract_string(vote, '$.label'), json_extract_string(vote, '$.value')) AS said
        FROM (SELECT *, unnest(json_extract(opinion, '$.votes[*]')) AS vote FROM opinions)
    )
"""
_VOTERS = f"""
    WITH {_OPINIONS}
    SELECT model, number, count(*), count(*) FILTER (NOT readable),
           count(*) FILTER (readable AND verdict IS NOT NULL),
           count(*) FILTER (readable AND said = verdict)
    FROM votes GROUP BY ALL ORDER BY model, number
"""  # noqa: S608 - fixed expressions
_PAIRS = f"""
    WITH {_OPINIONS}
    SELECT a.model, a.number, b.model, b.number, a.said, b.said, count(*)
    FROM votes AS a JOIN votes AS b USING (position, place, item)
    WHERE a.readable AND b.readable AND (a.model, a.number) < (b.model, b.number)
    GROUP BY ALL
"""  # noqa: S608 - fixed expressions
_SPLIT = f"""
    WITH {_OPINIONS},
    split AS (
        SELECT position, place, count(DISTINCT said) FILTER (readable) AS different FROM votes
        GROUP BY position, place, item HAVING count(DISTINCT said) FILTER (readable) > 1
    )
    SELECT r.sample_id, r.repeat, r.step_index, r.sample_name, r.verdict, r.reason,
           TRY_CAST(json_extract(r.judge, '$.judgements[0].asked[0].agreement') AS DOUBLE), count(*) OVER ()
    FROM records AS r SEMI JOIN split ON split.position = r.position AND split.place = r.place
    ORDER BY 7 NULLS LAST, r.position, r.place LIMIT $size OFFSET $offset
"""  # noqa: S608 - fixed expressions


@dataclass(frozen=True, slots=True)
class Voter:
    """One vote of one model. Of ``asked`` votes ``unreadable`` ones say nothing; ``alike`` of ``decided`` say the
    same as the verdict."""

    model: str
    number: int
    asked: int
    unreadable: int
    decided: int
    alike: int


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A verdict whose votes differ; ``agreement`` is the share of votes that say the same as the verdict."""

    sample_id: str
    repeat: int
    step_index: int | None
    name: str
    verdict: str
    reason: str | None
    agreement: float | None


VoterName = tuple[str, int]


def voters_of(tables: Tables, judged: Metric) -> list[Voter]:
    """Everyone who voted."""
    return [Voter(*row) for row in tables.rows(_VOTERS, _asked(judged))]


def vote_pairs(tables: Tables, judged: Metric) -> dict[tuple[VoterName, VoterName], Mapping[tuple[str, str], int]]:
    """For every two voters, how often they said each pair of things about the same question."""
    found: dict[tuple[VoterName, VoterName], dict[tuple[str, str], int]] = {}
    for model, number, other_model, other_number, said, other, count in tables.rows(_PAIRS, _asked(judged)):
        pair = (model, number), (other_model, other_number)
        found.setdefault(pair, {})[str(said), str(other)] = count
    return dict(found)


def split_votes(tables: Tables, judged: Metric, *, size: int, offset: int = 0) -> tuple[list[SplitRow], int]:
    """Verdicts on which readable votes differ, least agreed on first, and how many there are."""
    rows = tables.rows(_SPLIT, {**_asked(judged), "size": size, "offset": offset})
    return [SplitRow(*row[:-1]) for row in rows], int(rows[0][-1]) if rows else 0


def _asked(judged: Metric) -> dict[str, object]:
    return {"evaluator": judged.evaluator, "metric": judged.name}
