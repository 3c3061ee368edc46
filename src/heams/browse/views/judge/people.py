"""A judge against the labels that people gave to the same answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heams.browse.index import Experiment
from heams.browse.labels import SavedLabel, VerdictKey, read_labels
from heams.browse.labels.choices import policy_choices, policy_of
from heams.browse.labels.shown import ShownResult, labelled_results, staleness
from heams.browse.queries import Metric
from heams.browse.queries.judging.agreement import DECIDED
from heams.browse.rendering import links
from heams.browse.views.judge.enough import Enough, enough
from heams.browse.views.judge.matrix import Counts, Matrix, added, matrix, verdict_classes
from heams.reporting.lines import Damage
from heams.reporting.tables import Tables

CELL = "/judge/cell"
PEOPLE = "people"
"""Stands in addresses where a metric could: the other side are people."""


@dataclass(frozen=True, slots=True)
class People:
    """``labelled`` results have a label; of these ``stale`` have another answer now, and ``unscored`` no verdict.

    ``verdicts`` has pass and fail; ``words`` those of the policy, where it has more than two (else None).
    ``blind`` labels were given without knowing what the judge had said. ``wordless`` ones chose none of these words.
    """

    verdicts: Matrix
    words: Matrix | None
    labelled: int
    stale: int
    unscored: int
    blind: int
    wordless: int
    enough: Enough
    damaged: tuple[Damage, ...]


Labelled = tuple[ShownResult, SavedLabel]


def people(experiment: Experiment, tables: Tables, metric: Metric) -> People:
    """How a judge agrees with people."""
    labels = read_labels(experiment.results)
    found = _labelled(tables, metric, labels.under(metric.evaluator, metric.name))
    fresh = [pair for pair in found if staleness(pair[1], pair[0]) != "answer"]
    scored = [pair for pair in fresh if pair[0].verdict in DECIDED]
    counts = added((result.verdict, label.verdict) for result, label in scored)
    verdicts = matrix(counts, verdict_classes(counts), _hrefs(experiment, metric, "verdict"))
    words, wordless = _words(experiment, metric, scored)
    return People(
        verdicts=verdicts,
        words=words,
        labelled=len(found),
        stale=len(found) - len(fresh),
        unscored=len(fresh) - len(scored),
        blind=sum(label.blind for _, label in scored),
        wordless=wordless,
        enough=enough(verdicts.agreed, verdicts.n),
        damaged=labels.damaged,
    )


def labelled_in_cell(
    experiment: Experiment, tables: Tables, metric: Metric, said: str, label: str, *, words: bool
) -> list[Labelled]:
    """The labelled results of one cell of a matrix, in the order of the results."""
    found = _labelled(tables, metric, read_labels(experiment.results).under(metric.evaluator, metric.name))
    inside = [pair for pair in found if staleness(pair[1], pair[0]) != "answer" and _pair(pair, words) == (said, label)]
    return sorted(inside, key=lambda pair: pair[0].position)


def _labelled(tables: Tables, metric: Metric, labels: Mapping[VerdictKey, SavedLabel]) -> list[Labelled]:
    return list(labelled_results(tables, metric.evaluator, metric.name, labels))


def _pair(pair: Labelled, words: bool) -> tuple[str | None, str | None]:
    result, label = pair
    return (result.said, label.label) if words else (result.verdict, label.verdict)


def _words(experiment: Experiment, metric: Metric, scored: list[Labelled]) -> tuple[Matrix | None, int]:
    """The matrix in the words of the policy, and how many labels have none; None for two words, which pass and fail."""
    policies = {result.policy for result, _ in scored}
    if len(policies) != 1:
        return None, 0
    named = [
        one.label for one in policy_choices(policy_of(experiment.results, policies.pop())) if one.label is not None
    ]
    if len(named) <= 2:
        return None, 0
    pairs = [(result.said, label.label) for result, label in scored]
    counts: Counts = added((said, label) for said, label in pairs if said is not None and label is not None)
    return matrix(counts, named, _hrefs(experiment, metric, "words")), sum(label is None for _, label in pairs)


def _hrefs(experiment: Experiment, metric: Metric, of: str) -> Callable[[str, str], str]:
    """Makes the addresses of cells."""
    common = [("run", experiment.key), ("metric", str(metric)), ("against", PEOPLE), ("of", of)]
    return lambda said, label: links.address(CELL, [*common, ("said", said), ("other", label)])
