"""Two axes that only count together: what is protected, and what is still of use."""

from dataclasses import dataclass

from heams.reporting.figures import score
from heams.reporting.markdown import Table
from heams.reporting.rollup_groups import Group, Member
from heams.reporting.wording import cell
from heta_framework.common.statistics.harmonic import harmonic_mean

AXES_NOTE = (
    "Both axes count: a memory that stores nothing gives nothing away, and one that keeps everything is of use. Their "
    "harmonic mean is high only where both are."
)


@dataclass(frozen=True, slots=True)
class Axis:
    """A metric (higher is better) under the name that the table gives it."""

    title: str
    metric: str


def axes_table(group: Group, privacy: Axis, utility: Axis, *beside: Axis) -> Table:
    """Both axes of every member with their harmonic mean, and other metrics beside them."""
    table = Table(
        "memory system",
        "reference",
        ">harmonic mean",
        privacy.title,
        utility.title,
        *(axis.title for axis in beside),
    )
    for member in group.members:
        table.add(
            *member.cells,
            score(combined(member, privacy.metric, utility.metric)),
            *(cell(member.of(axis.metric)) for axis in (privacy, utility, *beside)),
        )
    return table


def combined(member: Member, privacy: str, utility: str) -> float | None:
    """The harmonic mean of a member's two axes; None where one of them has no value."""
    first, second = member.mean(privacy), member.mean(utility)
    return None if first is None or second is None else harmonic_mean(first, second)
