"""PrefEval's roll-up: accuracy by form beside chance, what was recalled, and the checks of open answers."""

from collections.abc import Iterator, Sequence

from heams.evaluation.multiple_choice import ACCURACY
from heams.evaluation.preference_checks import FOLLOWED, LEGACY, METRICS
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, heading
from heams.reporting.rollup_choice import CHOICE_NOTE, LEGACY_NOTE, accuracy_table, legacy_table, recall_metrics
from heams.reporting.rollup_groups import Group, rollup_groups
from heams.reporting.wording import cell

_FORM, _TOPIC = "form", "topic"
_RECALL_NOTE = (
    "The share of the turns that tell the preference among the first recalled items, whatever the agent made of it. Of "
    "a preference told in passing every turn of the user in that talk is labelled, though not each of them tells it."
)
_CHECKS_NOTE = (
    "A judge's four checks of open answers, and the official combination of them: *preference_followed* is the share "
    "of helpful answers that do not violate the preference. The kinds of errors are printed as the share of answers "
    "without them. Where a check could not be read, the answer is left out."
)


def render_prefeval_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``prefeval`` experiments of a results folder."""
    return [section for group in rollup_groups(results, [_FORM, _TOPIC]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    if any(ACCURACY in member.overall for member in group.members):
        yield from _choices(group)
    if any(FOLLOWED in member.overall for member in group.members):
        yield heading(3, "Open answers")
        yield f"{_checks(group)}\n\n{_CHECKS_NOTE}"
        yield heading(3, "Preference followed, by form")
        yield str(group.by_tag(_FORM, FOLLOWED))
    for metric in recall_metrics(group):
        yield heading(3, f"Recalled ({metric}), by form")
        yield f"{group.by_tag(_FORM, metric)}\n\n{_RECALL_NOTE}"


def _choices(group: Group) -> Iterator[str]:
    yield heading(3, "Right choices, by form")
    yield "\n\n".join([str(accuracy_table(group, _FORM)), CHOICE_NOTE, *group.cautions(ACCURACY)])
    yield heading(3, "Right choices, by topic")
    yield str(accuracy_table(group, _TOPIC))
    legacy = legacy_table(group)
    if legacy is not None:
        yield heading(3, "By official extraction")
        yield f"{legacy}\n\n{LEGACY_NOTE}"


def _checks(group: Group) -> Table:
    metrics = [metric for metric in (*METRICS, LEGACY) if any(metric in member.overall for member in group.members)]
    table = Table("memory system", "reference", *metrics)
    for member in group.members:
        table.add(*member.cells, *(cell(member.of(metric)) for metric in metrics))
    return table
