"""Which experiment of A is compared with which of B: two folders of single experiments, or of whole matrices."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heams.reporting.errors import ResultsError
from heams.reporting.load import ExperimentResults, Labels, load_results
from heta_framework.common.config import nearest

_MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Partners:
    """``found`` are to be compared; the others have no partner."""

    found: tuple[tuple[ExperimentResults, ExperimentResults], ...]
    only_in_a: tuple[ExperimentResults, ...] = ()
    only_in_b: tuple[ExperimentResults, ...] = ()


def partners(path_a: Path, path_b: Path, run_a: str | None = None, run_b: str | None = None) -> Partners:
    """The experiments below two folders, each with its partner.

    Two single experiments are partners, whatever they are; others are where agent, memory system and benchmark have the
    same names. ``run_a`` and ``run_b`` choose other runs than the newest.

    Raises:
        ResultsError: a folder has no such results, or nothing in A has a partner in B.
    """
    a, b = (_experiments(path, run_id) for path, run_id in ((path_a, run_a), (path_b, run_b)))
    if len(a) == len(b) == 1:
        return Partners(((_same_benchmark(a[0], b[0]), b[0]),))
    found = _matched(a, b)
    if not found:
        raise ResultsError(_nothing_matches(a, b))
    taken = {id(one) for pair in found for one in pair}
    rest = (tuple(one for one in side if id(one) not in taken) for side in (a, b))
    # one experiment beside a matrix was asked for: that the rest of the matrix has no partner is no news
    only_in_a, only_in_b = ((), ()) if 1 in (len(a), len(b)) else rest
    return Partners(tuple(found), only_in_a, only_in_b)


def _experiments(path: Path, run_id: str | None) -> list[ExperimentResults]:
    if not path.is_dir():
        near = nearest(path.name, _folders(path.parent))
        meant = path.parent if path.is_file() else path.with_name(near) if near else None
        hint = f"; did you mean {str(meant)!r}?" if meant else ""
        raise ResultsError(f"{path}: no such folder{hint}")
    try:
        return load_results(path, run_id=run_id).experiments
    except ResultsError:
        if run_id is None:
            raise
        known = sorted({known for one in load_results(path).experiments for known in one.run_ids}, reverse=True)
        near = nearest(run_id, known)
        hint = f"; did you mean {near}?" if near else "."
        raise ResultsError(f"{path}: no run {run_id}{hint} There are: {_named(known)}") from None


def _folders(parent: Path) -> list[str]:
    return [entry.name for entry in parent.iterdir() if entry.is_dir()] if parent.is_dir() else []


def _same_benchmark(a: ExperimentResults, b: ExperimentResults) -> ExperimentResults:
    """``a``, unless the two were made with different benchmarks.

    Raises:
        ResultsError: they were.
    """
    if a.benchmark_type == b.benchmark_type:
        return a
    try:
        beside: Sequence[ExperimentResults] = load_results(b.directory.parent).experiments
    except ResultsError:
        beside = ()
    fitting = {
        one.directory.name: one
        for one in beside
        if one.benchmark_type == a.benchmark_type and one.directory.resolve() != a.directory.resolve()
    }
    near = nearest(b.directory.name, fitting)
    hint = f"; did you mean {str(b.directory.with_name(near))!r}?" if near else ""
    raise ResultsError(
        f"nothing in common: {a.name} was made with the benchmark {a.benchmark_type}, {b.name} with "
        f"{b.benchmark_type}{hint}"
    )


def _matched(
    a: Sequence[ExperimentResults], b: Sequence[ExperimentResults]
) -> list[tuple[ExperimentResults, ExperimentResults]]:
    """Pairs with the same labels, and the same folder names where labels are not unique."""
    shared = Counter(one.labels for one in a) | Counter(one.labels for one in b)

    def key(one: ExperimentResults) -> tuple[Labels, str]:
        return one.labels, one.directory.name if shared[one.labels] > 1 else ""

    in_b = {key(one): one for one in b}
    return [(one, in_b[key(one)]) for one in a if key(one) in in_b]


def _nothing_matches(a: Sequence[ExperimentResults], b: Sequence[ExperimentResults]) -> str:
    names = [[one.directory.name for one in side] for side in (a, b)]
    hints = ((name, nearest(name, names[1])) for name in names[0])
    name, near = next(((name, near) for name, near in hints if near), ("", None))
    hint = f"; did you mean {name} of A and {near} of B? Name these folders themselves." if near else "."
    return (
        "no experiment of A has a partner in B with the same agent, memory system and benchmark: "
        f"A has {_named(names[0])}; B has {_named(names[1])}{hint}"
    )


def _named(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
