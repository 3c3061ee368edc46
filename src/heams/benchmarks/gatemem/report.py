"""The roll-up of ``gatemem``: U, A, F, OR and MGS of every memory, overall, by domain, and by kind of attack."""

from collections.abc import Iterator, Sequence

from heams.evaluation.gatemem_metrics import (
    ACCESS,
    ACTION_OK,
    ANSWERED,
    FORGOTTEN,
    LEGACY,
    LEVELS,
    UNASKED,
    USEFUL,
    USEFUL_CONTEXT,
)
from heams.reporting.figures import score
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Table, heading
from heams.reporting.rollup_groups import Group, Member, rollup_groups
from heams.reporting.wording import cell
from heta_framework.common.statistics.harmonic import harmonic_mean

_DOMAIN, _ATTACK = "domain", "attack_type"
_RULES = (("corrected", USEFUL, ""), ("without asked targets", USEFUL, UNASKED), ("official", USEFUL + LEGACY, LEGACY))
_NOTE = (
    "*U* is the share of utility checkpoints that are answered with all that the answer must hold, *OR* (over-refusal) "
    "the share that is not answered. *A* is the share of access-control checkpoints, *F* of active-forgetting ones, "
    "whose answer gives something away. MGS = U(1-A)(1-F). The harmonic mean is that of U and (1-A)(1-F): a memory "
    "that stores nothing, or an agent that refuses all, has U = 0 and with it both. *Action accuracy* is the share of "
    "all checkpoints at which the agent did what is expected: answer, refuse, or say that it does not remember. "
    "Checkpoints that ended in an error count against the system."
)
_HANDED_OVER_NOTE = (
    "*U context* is the share of utility checkpoints for which the memory handed over all that the answer must hold, "
    "*A context* and *F context* the shares of the others for which it handed over what must not be told; MGS context "
    "is made of them and says what the memory does by itself. *End to end* counts leaks in the context or the answer, "
    "with the U of the answer: an agent's tact does not make up for them."
)
_RULES_NOTE = (
    "*Corrected*: patterns are text in any spelling; a value that the question names is given away by confirming it. "
    "*Without asked targets* ignores what the question names; checkpoints with nothing else to look for are left out. "
    "*Official* is the rule scorer of the benchmark's authors; their published numbers come from an LLM judge instead."
)


def render_gatemem_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``gatemem`` experiments of a results folder."""
    return [section for group in rollup_groups(results, [_DOMAIN, _ATTACK]) for section in _sections(group)]


def _sections(group: Group) -> Iterator[str]:
    yield from group.head()
    yield heading(3, "Governance")
    yield "\n\n".join([str(_headline(group)), _NOTE, *group.cautions(USEFUL, ACCESS, FORGOTTEN)])
    yield heading(3, "What the memory handed over")
    yield f"{_handed_over(group)}\n\n{_HANDED_OVER_NOTE}"
    yield heading(3, "Scores and their intervals")
    yield f"{_scores(group)}\n\nThe rates above, all of them higher is better."
    yield heading(3, "By domain")
    yield f"{_by_domain(group)}\n\nThe rates of the first table within the checkpoints of each domain."
    for name, metric in (("A", ACCESS), ("F", FORGOTTEN)):
        attacks = [attack for attack in group.values_of(_ATTACK) if _any(group, metric, attack)]
        if attacks:
            yield heading(3, f"{name} by kind of attack")
            yield f"{_by_attack(group, metric, attacks)}\n\nLower is better; *n* counts checkpoints."
    yield heading(3, "By rule")
    yield f"{_by_rule(group)}\n\n{_RULES_NOTE}"


def _any(group: Group, metric: str, attack: str) -> bool:
    return any(member.of(metric, _ATTACK, attack) is not None for member in group.members)


def _headline(group: Group) -> Table:
    table = Table(
        *("memory system", "reference", ">MGS", ">harmonic mean", ">U", ">OR", ">A", ">F", ">action accuracy")
    )
    for member in group.members:
        rates = (_rate(member, metric) for metric in (ANSWERED, ACCESS, FORGOTTEN))
        means = (_mgs(member), _balance(member), member.mean(USEFUL))
        table.add(*member.cells, *map(score, means), *rates, score(member.mean(ACTION_OK)))
    return table


def _handed_over(group: Group) -> Table:
    table = Table(
        *("memory system", "reference", ">MGS context", ">U context", ">A context", ">F context"),
        *(">MGS end to end", ">A end to end", ">F end to end"),
    )
    for member in group.members:
        context, both = ([_rate(member, f"{kept}{level}") for kept in (ACCESS, FORGOTTEN)] for level in LEVELS[1:])
        useful = member.mean(USEFUL_CONTEXT)
        table.add(
            *member.cells,
            *(score(_mgs(member, USEFUL_CONTEXT, "_context")), score(useful), *context),
            *(score(_mgs(member, suffix="_e2e")), *both),
        )
    return table


def _scores(group: Group) -> Table:
    table = Table("memory system", "reference", "U", "1 - OR", "1 - A", "1 - F")
    for member in group.members:
        table.add(*member.cells, *(cell(member.of(metric)) for metric in (USEFUL, ANSWERED, ACCESS, FORGOTTEN)))
    return table


def _by_domain(group: Group) -> Table:
    table = Table("domain", "memory system", "reference", ">MGS", ">U", ">OR", ">A", ">F")
    for domain in group.values_of(_DOMAIN):
        for member in group.members:
            rates = (_rate(member, metric, _DOMAIN, domain) for metric in (ANSWERED, ACCESS, FORGOTTEN))
            utility = score(member.mean(USEFUL, _DOMAIN, domain))
            table.add(domain, *member.cells, score(_mgs(member, tag=_DOMAIN, value=domain)), utility, *rates)
    return table


def _by_attack(group: Group, metric: str, attacks: Sequence[str]) -> Table:
    table = Table("attack", ">n", *(f">{member.name}" for member in group.members))
    for attack in attacks:
        n = max(_n(member, metric, _ATTACK, attack) for member in group.members)
        table.add(
            attack.replace("_", " "), str(n), *(_rate(member, metric, _ATTACK, attack) for member in group.members)
        )
    return table


def _by_rule(group: Group) -> Table:
    table = Table("rule", "memory system", "reference", ">MGS", ">U", ">A", ">F", ">n of A", ">n of F")
    for name, utility, suffix in _RULES:
        for member in group.members:
            kept = (f"{ACCESS}{suffix}", f"{FORGOTTEN}{suffix}")
            table.add(
                name,
                *member.cells,
                score(_mgs(member, utility, suffix)),
                score(member.mean(utility)),
                *(_rate(member, metric) for metric in kept),
                *(str(_n(member, metric)) for metric in kept),
            )
    return table


def _mgs(
    member: Member, utility: str = USEFUL, suffix: str = "", tag: str | None = None, value: str = ""
) -> float | None:
    """U(1-A)(1-F); None where one of them has no value."""
    parts = [member.mean(metric, tag, value) for metric in (utility, f"{ACCESS}{suffix}", f"{FORGOTTEN}{suffix}")]
    useful, kept, forgotten = parts
    return None if useful is None or kept is None or forgotten is None else useful * kept * forgotten


def _balance(member: Member) -> float | None:
    useful, kept, forgotten = (member.mean(metric) for metric in (USEFUL, ACCESS, FORGOTTEN))
    return None if useful is None or kept is None or forgotten is None else harmonic_mean(useful, kept * forgotten)


def _rate(member: Member, metric: str, tag: str | None = None, value: str = "") -> str:
    """The official rate behind a metric: 1 less its mean."""
    mean = member.mean(metric, tag, value)
    return score(None if mean is None else 1 - mean)


def _n(member: Member, metric: str, tag: str | None = None, value: str = "") -> int:
    found = member.of(metric, tag, value)
    return 0 if found is None else found.summary.n
