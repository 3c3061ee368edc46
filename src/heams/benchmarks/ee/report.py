"""The roll-up of ``ee``: what each memory's agent learnt, against the same agent without a memory in the same order.

Reads saved artifacts only.
"""

from collections.abc import Iterator, Sequence

from heams.benchmarks.ee.report_charts import course_figure
from heams.benchmarks.ee.report_data import Condition, Learner, conditions, learners
from heams.benchmarks.ee.report_tables import costs, course_table, exposures, gains
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Markdown, bullets, heading
from heams.reporting.rollup_groups import Group, rollup_groups
from heams.reporting.wording import REFERENCES, TOKENS

_SPLITS = {
    "plain": "Every problem once",
    "repeat": "Every problem, then every problem again",
    "isomorphic": "Problems, then the same with new numbers",
}
_FEEDBACK = {"none": "nothing is told", "correctness": "right or wrong is told", "gold": "the answer is told"}
_NO_GAIN = "There is no experiment with `no_memory` beside these, so there is no gain over it."
_READING = (
    Markdown(
        "*Accuracy* is the share of visits whose problem was solved, over all orders, also by thirds of the streams; "
        "errors count as 0. Intervals (95 %) resample problems: the visits of one problem are no independent trials."
    ),
    Markdown("*By the official code* is the same by `aime_accuracy_legacy`, where the benchmark asks for it."),
    Markdown("*Slope* is the accuracy of the last third minus that of the first."),
    Markdown(
        "*Spread* is the standard deviation of accuracy over the orders, where there are at least three: the less, the "
        "more robust."
    ),
    Markdown(
        "*Gain* is the accuracy minus that of the same agent with `no_memory`, visit by visit in the same order. "
        "*Better* and *worse* count problems by their mean over orders; *p* is McNemar's exact test on these counts."
    ),
    Markdown("*Negative transfer* is the share of visits that were solved without the memory and failed with it."),
    Markdown("*Retention* is the accuracy on problems that are met again minus that of the first time."),
    Markdown("After problems with new numbers nothing is told, so that only what was learnt before helps."),
    Markdown(
        "*Model tokens* are those of the calls of agent and memory without the judge's, *recalled tokens* those that "
        f"the memory handed over; both of all visits, divided by the number of solved ones. {TOKENS}"
    ),
)


def render_ee_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``ee`` experiments of a results folder."""
    groups = rollup_groups(results)
    sections = [section for number, group in enumerate(groups, 1) for section in _sections(group, number)]
    return [*sections, heading(2, "How to read these tables"), bullets(_READING)]


def _sections(group: Group, number: int) -> Iterator[str]:
    yield from group.head()
    if any(member.digest.bound is not None for member in group.members):
        yield REFERENCES
    members = learners(group)
    for place, condition in enumerate(conditions(members), 1):
        split = _SPLITS.get(condition.split, condition.split)
        title = f"{split} ({_FEEDBACK.get(condition.feedback, condition.feedback)})"
        played = [member for member in members if member.under(condition)]
        yield heading(3, title)
        yield from _tables(played, condition)
        figure = course_figure(played, condition, name=f"course_{number}_{place}", title=title)
        if figure is not None:
            yield figure


def _tables(members: Sequence[Learner], condition: Condition) -> Iterator[str]:
    yield str(course_table(members, condition))
    without = next((learner for learner in members if learner.remembers_nothing), None)
    if without is None:
        yield _NO_GAIN
    elif len(members) > 1:
        yield str(gains(members, without, condition))
    if condition.split != "plain":
        yield str(exposures(members, condition))
    yield str(costs(members, condition))
