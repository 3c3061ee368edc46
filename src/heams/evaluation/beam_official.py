"""The published scoring of BEAM as its code has it, faults included, for comparison with published numbers.

Source: https://github.com/mohammadtavakoli78/BEAM, ``src/evaluation`` at commit b2a3ee8. What is wrong with it is said
in the documentation of the benchmark; nothing here is meant to be used where a score of its own is wanted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

RESULT_FILE = "evaluation-results"
EVENT_ORDERING = "event_ordering"

Equivalent = Callable[[str, str], bool]
"""Whether an event of the reference and one of the system mean the same: a judge's YES or NO."""


class Alignment(NamedTuple):
    """The system's list with the words of the reference where they mean the same; how often the judge was asked."""

    aligned: list[str]
    calls: int


class OrderScore(NamedTuple):
    """``tau_norm`` is what the published report shows: not a number where fewer than two events are told apart."""

    precision: float
    recall: float
    f1: float
    tau_norm: float

    @property
    def final_score(self) -> float:
        """``tau_norm * f1``: computed by the published code, and reported nowhere."""
        return self.tau_norm * self.f1


def align(reference: Sequence[str], system: Sequence[str], equivalent: Equivalent) -> Alignment:
    """Greedy: each entry of the system takes the first event that is free and means the same."""
    free = list(range(len(reference)))
    aligned, calls = [], 0
    for entry in system:
        found = None
        for index in free:
            calls += 1
            if equivalent(reference[index], entry):
                found = index
                break
        if found is not None:
            free.remove(found)
        aligned.append(entry if found is None else reference[found])
    return Alignment(aligned, calls)


def order_score(reference: Sequence[str], aligned: Sequence[str]) -> OrderScore:
    """Precision, recall, F1 and the order of an aligned list.

    Whatever stands in one list only shares the last rank of the other.
    """
    known, found = set(reference), set(aligned)
    hits = len(known & found)
    strays = sum(entry not in known for entry in aligned)
    precision = hits / (hits + strays) if hits + strays else 0.0
    recall = hits / len(known) if known else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return OrderScore(precision, recall, f1, _tau_norm(reference, aligned))


def rubric_score(scores: Sequence[Any], *, whole: bool) -> float:
    """The sum of a judge's scores over the items, divided by their number.

    ``whole`` is how nine of the ten abilities read a score: ``int()``, so that 0.5 is 0. Event ordering uses
    ``float()``.

    Raises:
        ValueError: a score is a text that is no (whole) number.
        TypeError: a score is neither number nor text.
        OverflowError: a score that is read as a whole number is infinite.
        ZeroDivisionError: there is no item.
    """
    read: Callable[[Any], float] = int if whole else float
    return sum(map(read, scores)) / len(scores)


Results = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
"""Of one chat: per result file and ability the scores of its questions."""


def report_table(chats: Mapping[str, Results], row_names: Sequence[str]) -> list[dict[str, Any]]:
    """The published report: a row per result file, the mean over chats of the mean over questions per ability.

    Columns are named by position and rows by the order of sorted file names, whatever they hold. Numbers have the 16
    digits that the spreadsheet keeps.

    Raises:
        ValueError: a chat's name is no number, or it lacks an ability.
        IndexError: there are fewer files than names.
        ZeroDivisionError: an ability has no questions.
    """
    by_file: dict[str, list[list[float]]] = {}
    for chat in sorted(chats, key=int):
        for name in sorted(chats[chat]):
            if RESULT_FILE in name:
                by_file.setdefault(name, []).append(list(_ability_means(chats[chat][name])))
    rows = list(by_file.values())
    return [{"RowName": name, **_row(rows[place])} for place, name in enumerate(row_names)]


COLUMNS = (
    "abstention",
    "contradiction_resolution",
    EVENT_ORDERING,
    "information_extraction",
    "instruction_following",
    "knowledge_update",
    "multi_session_reasoning",
    "preference_following",
    "summarization",
    "temporal_reasoning",
)


def _tau_norm(reference: Sequence[str], aligned: Sequence[str]) -> float:
    union = list(dict.fromkeys([*reference, *aligned]))
    if len(union) < 2:
        return float("nan")
    from scipy.stats import kendalltau

    tau = kendalltau(_ranks(union, reference), _ranks(union, aligned), variant="b").statistic
    return float((tau + 1) / 2)


def _ranks(union: Sequence[str], listed: Sequence[str]) -> list[int]:
    place = {entry: number for number, entry in enumerate(listed)}
    return [place.get(entry, len(listed)) for entry in union]


def _ability_means(content: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[float]:
    for ability, questions in content.items():
        field = "tau_norm" if ability == EVENT_ORDERING else "llm_judge_score"
        yield sum(question[field] for question in questions) / len(questions)


def _row(chats: Sequence[Sequence[float]]) -> dict[str, float]:
    means = (sum(column) / len(chats) for column in zip(*chats, strict=True))
    return dict(zip(COLUMNS, (float(f"{mean:.16g}") for mean in means), strict=True))
