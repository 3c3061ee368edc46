"""The roll-up of ``retention_policy``: what leaked and what was kept, beside each other, and by family of probes."""

from collections.abc import Iterator, Sequence

from heams.evaluation.leak import ANSWER, ANYWHERE, CONTEXT, MEMORY
from heams.evaluation.retention import HONEST, RETAINED, RETAINED_ANSWER
from heams.reporting.figures import score
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, heading
from heams.reporting.rollup_axes import AXES_NOTE, Axis, axes_table
from heams.reporting.rollup_groups import Group, rollup_groups

_FAMILY = "family"
_RATES_NOTE = (
    "*L* is the expired-leak rate: the share of probes for what must be gone where the answer, the recalled context or "
    "the store still holds it, each level also by itself. *P* is the premature-forget rate: the share of probes for "
    "what must be kept that neither the memory handed over nor the answer told. *H* is hold compliance: what is under "
    "legal hold is still there. *False erasure* is the share of answers that say that something is gone, or unknown, "
    "while the memory still stores it. Probes that ended in an error count against the system."
)
_FAMILY_NOTE = "A family is the reason why something must be gone, or kept. Those that ask for neither have no column."
_HEADLINE_NOTE = (
    "*No leak* is 1 - L and *retained* is 1 - P; their harmonic mean is the headline RP = 2(1-L)(1-P)/((1-L)+(1-P))."
)


def render_retention_policy_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``retention_policy`` experiments of a results folder."""
    return [section for group in rollup_groups(results, [_FAMILY]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    yield heading(3, "Forgotten and kept")
    axes = axes_table(
        group, Axis("no leak", ANYWHERE), Axis("retained", RETAINED), Axis("retained in the answer", RETAINED_ANSWER)
    )
    yield "\n\n".join([str(axes), _HEADLINE_NOTE, AXES_NOTE, *group.cautions(ANYWHERE, RETAINED)])
    yield heading(3, "Rates")
    yield f"{_rates(group)}\n\n{_RATES_NOTE}"
    yield heading(3, "No leak, by family")
    yield f"{group.by_tag(_FAMILY, ANYWHERE)}\n\n{_FAMILY_NOTE}"
    yield heading(3, "Retained, by family")
    yield f"{group.by_tag(_FAMILY, RETAINED)}\n\n{_FAMILY_NOTE}"


def _rates(group: Group) -> Table:
    table = Table(
        "memory system", "reference", ">L", ">L answer", ">L context", ">L store", ">P", ">H", ">false erasure"
    )
    for member in group.members:
        table.add(
            *member.cells,
            *(_rest(member.mean(metric)) for metric in (ANYWHERE, ANSWER, CONTEXT, MEMORY, RETAINED)),
            score(member.mean(RETAINED, _FAMILY, "legal_hold")),
            _rest(member.mean(HONEST)),
        )
    return table


def _rest(mean: float | None) -> str:
    return score(None if mean is None else 1 - mean)
