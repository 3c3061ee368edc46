"""Labels as the list of samples takes them: a word for each labelled step of a metric."""

from heams.browse.index import Experiment
from heams.browse.labels.reading import read_labels
from heams.browse.labels.shown import labelled_results, staleness
from heams.browse.queries import Label, LabelKey, Metric
from heams.reporting.tables import Tables


def labels_for(experiment: Experiment, tables: Tables, metric: Metric | None) -> dict[LabelKey, Label]:
    """The labels under a metric, for ``Selection.labels``; those on answers that have changed since are left out."""
    if metric is None:
        return {}
    labels = read_labels(experiment.results).under(metric.evaluator, metric.name)
    found: dict[LabelKey, Label] = {}
    for result, label in labelled_results(tables, metric.evaluator, metric.name, labels):
        if label.verdict != "cleared" and staleness(label, result) != "answer":
            found[LabelKey(result.sample_id, result.repeat, result.step_index)] = label.verdict
    return found
