"""The roll-up of ``ci``: violation and coverage of every memory by the official definition, and what they are made of.

``render_ci_rollup_sections`` works on scenarios and results, from wherever they are; ``render_ci_rollup`` reads both
from saved artifacts and is what is registered for the type.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from heams.benchmarks.contextual_integrity.report_data import Disclosed, Situation, disclosed, situations
from heams.benchmarks.contextual_integrity.report_tables import (
    DOMAIN_NOTE,
    GROWTH_NOTE,
    HEADLINE_NOTE,
    RULES_NOTE,
    by_domain,
    by_rule,
    cautions,
    growth,
    headline,
)
from heams.orchestration.results import RunResult
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Markdown, escape, heading
from heams.reporting.rollup_axes import AXES_NOTE
from heams.reporting.rollup_groups import Group, Member, rollup_groups
from heams.reporting.wording import REFERENCES
from heams.scenarios.actions import UserStimulus
from heams.scenarios.scenario import Scenario


def render_ci_rollup_sections(
    scenarios: Iterable[Scenario], results: Mapping[str, Iterable[RunResult]], memory_labels: Mapping[str, str]
) -> list[str]:
    """Markdown sections that compare memory systems on the same contexts.

    Args:
        scenarios: the contexts, with the markers of the benchmark; those that no result belongs to are told as missing.
        results: the results of each memory system, the last attempt of every sample and repeat, by any name.
        memory_labels: how the memory systems are called in tables, by the names of ``results``; a name without one is
            shown itself.
    """
    known = situations(scenarios)
    members = [disclosed(memory_labels.get(name, name), found, known) for name, found in results.items()]
    return list(_sections(members, known)) if known else ["No context with labelled attributes was played."]


def render_ci_rollup(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``ci`` experiments of a results folder, one group for each set of contexts and agent."""
    return [section for group in rollup_groups(results) for section in _group(group)]


def _group(group: Group) -> Iterator[str]:
    yield from group.head()
    played = {member.digest.results.name: member.digest.results for member in group.members}
    labels = {member.digest.results.name: _label(member) for member in group.members}
    yield from render_ci_rollup_sections(_saved_scenarios(played.values()), played, labels)
    if any(member.digest.bound is not None for member in group.members):
        yield REFERENCES


def _label(member: Member) -> str:
    name, bound = member.cells
    return Markdown(f"{escape(name)} ({bound})") if bound else name


def _saved_scenarios(experiments: Iterable[ExperimentResults]) -> Iterator[Scenario]:
    """The contexts as the runs saved them, each once; the longest run is read first, and mostly the only one."""
    seen: set[str] = set()
    for experiment in sorted(experiments, key=len, reverse=True):
        unread = 0
        for result in experiment:
            if not result.transcript:
                unread += 1  # it failed before its request was put
            elif result.sample_id not in seen:
                seen.add(result.sample_id)
                actions = [UserStimulus.model_validate(step.action) for step in result.transcript]
                yield Scenario(id=result.sample_id, name=result.sample_name, actions=actions, tags=result.tags)
        if not unread:
            return


def _sections(members: Sequence[Disclosed], known: Mapping[str, Situation]) -> Iterator[str]:
    yield heading(3, "Violation and coverage")
    yield "\n\n".join([str(headline(members, known)), HEADLINE_NOTE, AXES_NOTE, *cautions(members)])
    table = growth(members)
    if table:
        yield heading(3, "Violation by number of messages")
        yield f"{table}\n\n{GROWTH_NOTE}"
    yield heading(3, "Violation, by domain")
    yield str(by_domain(members, known, "violation"))
    yield heading(3, "Coverage, by domain")
    yield f"{by_domain(members, known, 'coverage')}\n\n{DOMAIN_NOTE}"
    yield heading(3, "By rule")
    yield f"{by_rule(members, known)}\n\n{RULES_NOTE}"
