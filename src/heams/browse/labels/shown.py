"""The verdict that a person labels, as the tables have it, and whether a label is about what it still says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from heams.browse.labels.saved import SavedLabel, SeenResult, VerdictKey
from heams.reporting.tables import Tables
from heta_framework.common.durable_lines import content_id

Staleness = Literal["answer", "verdict"]
_COMPARED = 2_000
"""Characters of each text by which results are told apart; the tables keep at least as many."""
_FIELDS = """r.position, r.sample_id, r.repeat, r.step_index, r.evaluator, r.metric, r.verdict,
    CASE WHEN r.outcome = 'scored' THEN r.value END, r.expected, r.observed, r.sample_name, r.reason,
    json_extract_string(r.judge, '$.judgements[0].asked[0].policy'),
    json_extract_string(r.judge, '$.judgements[0].asked[0].label'),
    TRY_CAST(json_extract(r.judge, '$.judgements[0].asked[0].value') AS DOUBLE)"""
_ONE = f"""
    SELECT {_FIELDS} FROM records AS r
    WHERE r.sample_id = $sample_id AND r.repeat = $repeat AND r.step_index IS NOT DISTINCT FROM $step_index
      AND r.evaluator = $evaluator AND r.metric = $metric
    ORDER BY r.ordinal LIMIT 1
"""  # noqa: S608 - fixed expressions
_MANY = f"""
    SELECT {_FIELDS} FROM records AS r JOIN (
        SELECT unnest(CAST($samples AS VARCHAR[])) AS sample_id, unnest(CAST($repeats AS BIGINT[])) AS repeat,
               unnest(CAST($steps AS BIGINT[])) AS step_index
    ) AS w ON w.sample_id = r.sample_id AND w.repeat = r.repeat AND w.step_index IS NOT DISTINCT FROM r.step_index
    WHERE r.evaluator = $evaluator AND r.metric = $metric AND r.ordinal = 1
"""  # noqa: S608 - fixed expressions
_UNLABELLED = f"""
    SELECT {_FIELDS} FROM records AS r ANTI JOIN (
        SELECT unnest(CAST($samples AS VARCHAR[])) AS sample_id, unnest(CAST($repeats AS BIGINT[])) AS repeat,
               unnest(CAST($steps AS BIGINT[])) AS step_index
    ) AS w ON w.sample_id = r.sample_id AND w.repeat = r.repeat AND w.step_index IS NOT DISTINCT FROM r.step_index
    WHERE r.evaluator = $evaluator AND r.metric = $metric AND r.ordinal = 1 AND r.outcome = 'scored'
    ORDER BY md5(concat_ws(' ', $seed, r.repeat, r.step_index, r.sample_id)), r.position LIMIT $most
"""  # noqa: S608 - fixed expressions


@dataclass(frozen=True, slots=True)
class ShownResult:
    """One verdict. ``policy``, ``label`` and ``judged`` are what a judge said first, None where none did.

    Texts are cut to what the tables keep.
    """

    position: int
    sample_id: str
    repeat: int
    step_index: int | None
    evaluator: str
    metric: str
    verdict: str
    value: float | None
    expected: str | None
    observed: str | None
    name: str
    reason: str | None
    policy: str | None = None
    label: str | None = None
    judged: float | None = None

    @property
    def key(self) -> VerdictKey:
        """What labels call it."""
        return VerdictKey(self.sample_id, self.repeat, self.step_index, self.evaluator, self.metric)

    @property
    def seen(self) -> SeenResult:
        """What a label remembers of it."""
        texts = (text or "" for text in (self.expected, self.observed))
        content = "\0".join(text[:_COMPARED] for text in texts)
        return SeenResult(
            content=content_id(content.encode("utf-8", "replace")), verdict=self.verdict, value=self.value
        )

    @property
    def said(self) -> str | None:
        """What the judge said in the words of its policy."""
        return self.label if self.label is not None or self.judged is None else f"{self.judged:g}"


def shown_result(tables: Tables, key: VerdictKey) -> ShownResult | None:
    """The result behind a key; None where there is none."""
    return next((ShownResult(*row) for row in tables.rows(_ONE, key._asdict())), None)


def unlabelled(
    tables: Tables, evaluator: str, metric: str, labelled: Mapping[VerdictKey, SavedLabel], *, seed: str, most: int
) -> list[ShownResult]:
    """Scored results without a label, in an order that ``seed`` decides and nothing else."""
    asked = {**_columns(labelled), "evaluator": evaluator, "metric": metric, "seed": seed, "most": most}
    return [ShownResult(*row) for row in tables.rows(_UNLABELLED, asked)]


def labelled_results(
    tables: Tables, evaluator: str, metric: str, labelled: Mapping[VerdictKey, SavedLabel]
) -> Iterator[tuple[ShownResult, SavedLabel]]:
    """Every labelled result of a metric with its label; labels of results that are gone are left out."""
    asked = {**_columns(labelled), "evaluator": evaluator, "metric": metric}
    for row in tables.rows(_MANY, asked) if labelled else ():
        result = ShownResult(*row)
        yield result, labelled[result.key]


def staleness(label: SavedLabel, result: ShownResult) -> Staleness | None:
    """What has changed since the label: the ``answer`` (or what was expected), else the ``verdict`` on it; or nothing.

    A label says whether an answer is right, so it outlives another verdict on the same answer.
    """
    seen = result.seen
    if label.seen.content != seen.content:
        return "answer"
    return None if label.seen == seen else "verdict"


def _columns(labelled: Mapping[VerdictKey, SavedLabel]) -> dict[str, object]:
    return {
        "samples": [key.sample_id for key in labelled],
        "repeats": [key.repeat for key in labelled],
        "steps": [key.step_index for key in labelled],
    }
