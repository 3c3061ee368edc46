"""Verdicts that wait for a person's label, chosen at random, without what the judge said about them."""

from dataclasses import dataclass

from heams.browse.index import Experiment
from heams.browse.labels import LabelForm, form_for, read_labels
from heams.browse.labels.exporting import question_of
from heams.browse.labels.shown import unlabelled
from heams.browse.queries import Metric
from heams.reporting.tables import Tables

AT_ONCE = 20
_SCORED = """
    SELECT count(*) FROM records
    WHERE evaluator = $evaluator AND metric = $metric AND ordinal = 1 AND outcome = 'scored'
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One verdict to label, with the question that was asked."""

    question: str
    form: LabelForm


@dataclass(frozen=True, slots=True)
class LabelQueue:
    """``labelled`` of ``scored`` verdicts have a label; ``waiting`` are some of the others."""

    metric: Metric
    seed: str
    waiting: tuple[Waiting, ...]
    labelled: int
    scored: int

    @property
    def address(self) -> str:
        """The metric as addresses write it."""
        return str(self.metric)

    @property
    def next_seed(self) -> str:
        """The seed of other ones."""
        return str(int(self.seed) + 1) if self.seed.isascii() and self.seed.isdigit() else "1"


def label_queue(experiment: Experiment, tables: Tables, metric: Metric, seed: str, *, back: str) -> LabelQueue:
    """At most ``AT_ONCE`` verdicts that ``seed`` chooses from those without a label."""
    labels = read_labels(experiment.results).under(metric.evaluator, metric.name)
    found = unlabelled(tables, metric.evaluator, metric.name, labels, seed=seed, most=AT_ONCE)
    (scored,) = tables.row(_SCORED, {"evaluator": metric.evaluator, "metric": metric.name})
    forms = (form_for(experiment, result, back=back, blind=True) for result in found)
    waiting = tuple(Waiting(question_of(experiment, form.result), form) for form in forms)
    return LabelQueue(metric, seed, waiting, len(labels), scored)
