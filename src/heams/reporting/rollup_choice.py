"""Accuracy of choices beside what blind guessing would have: overall, and within each value of a tag."""

from collections.abc import Mapping

from heams.evaluation.multiple_choice import ACCURACY
from heams.reporting.digest import opened
from heams.reporting.figures import score
from heams.reporting.markdown import Markdown, Table
from heams.reporting.rollup_groups import Group
from heams.reporting.wording import cell

OPTIONS_TAG = "options"
"""The tag that says how many options a question offers."""
CHOICE_NOTE = (
    "The share of questions for which the right option was chosen, by its letter or in its own words; a reply that "
    "chooses none, or several, is wrong. *Chance* is what guessing blindly would have: the mean of 1 over the number "
    "of options."
)
LEGACY_NOTE = (
    "How the official code reads the same replies. Replies on which that code fails are left out there; a rule that "
    "looks for a form of answer that the prompt did not ask for finds none."
)
_CHANCE = """
    SELECT tags[$tag], avg(1.0 / TRY_CAST(tags[$options] AS INTEGER)) FROM records
    WHERE metric = $metric AND TRY_CAST(tags[$options] AS INTEGER) > 0 GROUP BY GROUPING SETS ((tags[$tag]), ())
    HAVING count(*) > 0
"""


def accuracy_table(group: Group, tag: str) -> Table:
    """Accuracy over all questions and within each value of ``tag``; the first row is chance."""
    values = [value for value in group.values_of(tag) if any(one.of(ACCURACY, tag, value) for one in group.members)]
    names = group.members[0].digest.info.criterion_names
    table = Table("memory system", "reference", "all", *(names.get(value, value) for value in values))
    chance = _chance(group, tag)
    if chance:
        table.add(Markdown("*chance*"), "", *(score(chance.get(value)) for value in (None, *values)))
    for member in group.members:
        within = (cell(member.of(ACCURACY, tag, value)) for value in values)
        table.add(*member.cells, cell(member.of(ACCURACY)), *within)
    return table


def legacy_table(group: Group) -> Table | None:
    """Accuracy by each official rule beside ours; None where no rule was asked for."""
    found = {metric: None for member in group.members for metric in member.overall if metric.endswith("_legacy")}
    if not found:
        return None
    table = Table("memory system", "reference", ACCURACY, *found)
    for member in group.members:
        table.add(*member.cells, *(cell(member.of(metric)) for metric in (ACCURACY, *found)))
    return table


def recall_metrics(group: Group) -> list[str]:
    """The names of the recall@k metrics that any member has, by k."""
    found = {metric for member in group.members for metric in member.overall if metric.startswith("recall@")}
    return sorted(found, key=lambda metric: int(metric.partition("@")[2]))


def _chance(group: Group, tag: str) -> Mapping[str | None, float]:
    """Chance within each value of ``tag``, and under None over all questions; empty where nothing is known of it."""
    parameters = {"tag": tag, "options": OPTIONS_TAG, "metric": ACCURACY}
    with opened(group.members[0].digest.results) as (_, tables):
        return {value: chance for value, chance in tables.rows(_CHANCE, parameters) if chance is not None}
