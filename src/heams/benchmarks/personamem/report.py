"""PersonaMem's roll-up: accuracy by type of question and by topic beside chance."""

from collections.abc import Iterator, Sequence

from heams.evaluation.multiple_choice import ACCURACY
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import heading
from heams.reporting.rollup_choice import CHOICE_NOTE, LEGACY_NOTE, accuracy_table, legacy_table
from heams.reporting.rollup_groups import Group, rollup_groups

_TYPE, _TOPIC = "question_type", "topic"


def render_personamem_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``personamem`` experiments of a results folder."""
    return [section for group in rollup_groups(results, [_TYPE, _TOPIC]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    yield heading(3, "Right choices, by type of question")
    yield "\n\n".join([str(accuracy_table(group, _TYPE)), CHOICE_NOTE, *group.cautions(ACCURACY)])
    if len(group.values_of(_TOPIC)) > 1:
        yield heading(3, "Right choices, by topic")
        yield str(accuracy_table(group, _TOPIC))
    legacy = legacy_table(group)
    if legacy is not None:
        yield heading(3, "By official extraction")
        yield f"{legacy}\n\n{LEGACY_NOTE}"
