"""Whether a case can be answered from the documents, by its labels.

The first of these that says anything decides, in ``case.labels``, ``case.expected.metadata`` and ``case.metadata``:

1. ``answerable``, ``unanswerable`` or ``is_impossible`` (SQuAD 2.0's name), a yes or no;
2. expected answers: unanswerable where every one of them declines ("insufficient information"), else answerable;
3. ``expected.value`` is the text ``unanswerable``.

A yes or no is True or False, 1 or 0, or the words true, false, yes, no in any case.
"""

from __future__ import annotations

from heta_framework.evaluation.types import BenchmarkCase

_NAMES = (("answerable", True), ("unanswerable", False), ("is_impossible", False))
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def is_answerable(case: BenchmarkCase) -> bool | None:
    """Whether it can be answered; None where no label says so."""
    labelled = _labelled(case)
    if labelled is not None:
        return labelled
    answers = case.expected.answers
    if answers:
        from heta_framework.common.text.refusal import refuses

        return not all(refuses(one) for one in answers)
    value = case.expected.value
    return False if isinstance(value, str) and value.strip().casefold() == "unanswerable" else None


def _labelled(case: BenchmarkCase) -> bool | None:
    for labels in (case.labels, case.expected.metadata, case.metadata):
        for name, meaning in _NAMES:
            said = _yes_or_no(labels.get(name))
            if said is not None:
                return said is meaning
    return None


def _yes_or_no(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return _WORDS.get(str(value).strip().casefold()) if isinstance(value, str | int | float) else None
