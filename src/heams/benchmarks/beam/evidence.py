"""Evidence labels: which messages hold the answer, whatever the shape in which their ids are written."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from heams.benchmarks.beam import defects
from heams.benchmarks.evidence_labels import EvidenceReading, Finding


class KnownMessages:
    """The messages of a chat by the number that labels give them; in plans, several may have the same number."""

    def __init__(self, message_ids: Iterable[str]) -> None:
        self._by_number: Mapping[str, list[str]] = defaultdict(list)
        for message_id in message_ids:
            self._by_number[message_id.rpartition(":")[2]].append(message_id)

    def named(self, number: str) -> Sequence[str]:
        """The ids of the messages that ``number`` may mean."""
        return self._by_number.get(number, ())


def read_evidence(labels: Any, known: KnownMessages) -> EvidenceReading:
    """The labelled messages that exist. ``labels`` is a list, or a mapping of lists, of message numbers."""
    numbers, findings = [], []
    for label in _flat(labels):
        if isinstance(label, str | int) and str(label).strip().isdecimal():
            numbers.append(str(int(label)))
        else:
            findings.append(Finding(defects.UNREADABLE_EVIDENCE, f"{label!r} is no number of a message"))
    if not numbers and not findings:
        findings.append(Finding(defects.MISSING_EVIDENCE, "the question has no evidence label"))
    if _is_nested(labels):
        findings.append(Finding(defects.NESTED_EVIDENCE, "lists within lists are read as one"))
    findings += [
        Finding(defects.REPEATED_EVIDENCE, f"message {number} is labelled more than once")
        for number in _repeated(numbers)
    ]
    found = {number: known.named(number) for number in numbers}
    findings += [_unresolved(number, candidates) for number, candidates in found.items() if len(candidates) != 1]
    return EvidenceReading(tuple(ids[0] for ids in found.values() if len(ids) == 1), tuple(findings))


def _unresolved(number: str, candidates: Sequence[str]) -> Finding:
    if candidates:
        return Finding(defects.AMBIGUOUS_EVIDENCE, f"message {number} may be any of {', '.join(candidates)}")
    return Finding(defects.UNRESOLVED_EVIDENCE, f"no message {number} in the chat")


def _flat(labels: Any) -> Iterator[Any]:
    if isinstance(labels, Mapping):
        labels = labels.values()
    elif not isinstance(labels, list | tuple):
        if labels is not None:
            yield labels
        return
    for label in labels:
        yield from _flat(label)


def _is_nested(labels: Any) -> bool:
    """Whether a list holds lists; a mapping of lists is the form that questions about two statements have."""
    lists = labels.values() if isinstance(labels, Mapping) else [labels]
    return any(isinstance(label, list | Mapping) for one in lists if isinstance(one, list) for label in one)


def _repeated(numbers: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for number in numbers:
        if number in seen:
            yield number
        seen.add(number)
