"""What BEAM's published report would make of the same answers, computed as its code computes it."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from heams.benchmarks.beam.abilities import ABILITIES
from heams.evaluation import nugget
from heams.evaluation.beam_official import COLUMNS, EVENT_ORDERING, RESULT_FILE, report_table
from heams.reporting.digest import opened
from heams.reporting.figures import score
from heams.reporting.markdown import Markdown, Table, bold, heading
from heams.reporting.rollup_groups import Member

_NOTE = (
    "The rules of the published code on the same answers, with words in the place of its judge: 0.5 counts 0, every "
    "line of an answer is an event, events that stand in one list only share the last rank of the other, and what is "
    "shown for event ordering is (tau-b + 1) / 2 however few events were named. It is here to compare with published "
    "numbers, not to rank systems: an answer that names no event at all gets points."
)
_ROW = "RowName"
_QUESTIONS = """
    SELECT tags['chat'], tags['ability'], sample_id, avg(contribution)
    FROM records WHERE metric IN ($items, $order, $abstention) AND tags['chat'] IS NOT NULL
    GROUP BY ALL ORDER BY ALL
"""


def published_section(members: Sequence[Member], title: Callable[[Member], str]) -> Iterator[str]:
    """The table of the published report; nothing where no experiment was scored by its rules."""
    scored = [member for member in members if member.of(nugget.NUGGET_LEGACY) or member.of(nugget.ORDER_LEGACY)]
    if not scored:
        return
    table = Table("ability", *map(title, scored))
    columns = [_column(member) for member in scored]
    for name in COLUMNS:
        table.add(ABILITIES[name].title, *(column.get(name, "") for column in columns))  # type: ignore[index]
    table.add(bold("Overall"), *(column["overall"] for column in columns))
    yield heading(3, "As the published code scores (proxy, no model)")
    yield f"{table}\n\n{_NOTE}"


def _column(member: Member) -> Mapping[str, str]:
    try:
        (row,) = report_table(_results_by_chat(member), [member.name])
    except (ValueError, ZeroDivisionError, IndexError):
        return {"overall": Markdown("*none: the published report needs questions on all ten abilities in every chat*")}
    means = [row[name] for name in COLUMNS]
    return {**{name: _figure(row[name]) for name in COLUMNS}, "overall": _figure(sum(means) / len(means))}


def _results_by_chat(member: Member) -> dict[str, dict[str, dict[str, list[dict[str, Any]]]]]:
    """The scores of every question in the layout of the published result files."""
    metrics = {"items": nugget.NUGGET_LEGACY, "order": nugget.ORDER_LEGACY, "abstention": nugget.ABSTENTION}
    found: dict[str, dict[str, dict[str, list[dict[str, Any]]]]] = {}
    with opened(member.digest.results) as (_, tables):
        for chat, ability, _, value in tables.rows(_QUESTIONS, metrics):
            field = "tau_norm" if ability == EVENT_ORDERING else "llm_judge_score"
            by_ability = found.setdefault(chat, {RESULT_FILE: {}})[RESULT_FILE]
            by_ability.setdefault(ability, []).append({field: math.nan if value is None else value})
    return found


def _figure(value: float) -> str:
    return "not a number" if math.isnan(value) else score(value)
