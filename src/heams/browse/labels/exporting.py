"""Labels in the form that ``heams calibrate-judge --human`` reads: question, expected, answer and label a line."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from heams.browse.index import Experiment
from heams.browse.labels.choices import choices_of
from heams.browse.labels.reading import read_labels
from heams.browse.labels.saved import SavedLabel
from heams.browse.labels.shown import ShownResult, labelled_results, staleness
from heams.evaluation.markers import expected_answers
from heams.orchestration.results import TranscriptStep

_MARKERS = "step_evaluation_markers"


def human_lines(experiment: Experiment, evaluator: str, metric: str) -> Iterator[str]:
    """A line for each label on a result that has a question, an expected answer and an answer.

    Labels on answers that have changed are left out, and so are those that the judge's policy has no word for.
    """
    labels = read_labels(experiment.results).under(evaluator, metric)
    with experiment.tables() as tables:
        found = list(labelled_results(tables, evaluator, metric, labels))
    for result, label in sorted(found, key=lambda pair: pair[0].position):
        word = _word(experiment, result, label)
        if word is not None and staleness(label, result) != "answer":
            line = _line(experiment, result, word)
            if line is not None:
                yield json.dumps(line, ensure_ascii=False) + "\n"


def question_of(experiment: Experiment, result: ShownResult) -> str:
    """What was asked; the sample's name where nothing was."""
    step = _step(experiment, result)
    asked = None if step is None else step.action.get("recall_query") or step.action.get("content")
    return asked if isinstance(asked, str) and asked.strip() else result.name


def _line(experiment: Experiment, result: ShownResult, word: str) -> dict[str, Any] | None:
    step = _step(experiment, result)
    if step is None:
        return None
    markers = step.action.get(_MARKERS)
    expected = [text for text in expected_answers(markers if isinstance(markers, Mapping) else {}) if text]
    question = question_of(experiment, result)
    if step.reply is None or not expected or not question:
        return None
    gold: Any = expected[0] if len(expected) == 1 else expected
    return {"question": question, "expected": gold, "answer": step.reply, "label": word}


def _word(experiment: Experiment, result: ShownResult, label: SavedLabel) -> str | None:
    if label.label is not None:
        return label.label
    fitting = [one.label for one in choices_of(experiment.results, result) if one.verdict == label.verdict]
    return fitting[0] if len(fitting) == 1 else None


def _step(experiment: Experiment, result: ShownResult) -> TranscriptStep | None:
    played = experiment.result(result.position)
    return next((step for step in played.transcript if step.index == result.step_index), None)
