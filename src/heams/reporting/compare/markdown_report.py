"""A comparison as Markdown, for pull requests and notebooks."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from heams.reporting.compare.cells import (
    ADJUSTED,
    LISTED,
    METRICS,
    NUMBERS,
    changed_rows,
    group_rows,
    matrix_rows,
    metric_rows,
)
from heams.reporting.compare.gates import GateResult
from heams.reporting.compare.matrix import ExperimentComparison, MatrixLine
from heams.reporting.compare.pairs import CHANGED
from heams.reporting.compare.partners import Partners
from heams.reporting.compare.remarks import (
    cautions,
    counts,
    damage,
    left_out_of_others,
    remarks_on_all,
    side_names,
    what_differs,
)
from heams.reporting.markdown import Markdown, Table, bold, bullets, document, escape, heading


def markdown_report(
    partners: Partners, lines: Sequence[MatrixLine], gates: Mapping[int, Sequence[GateResult]], different: int
) -> str:
    """``gates`` are the results by the place of the line; ``different`` is how many samples are listed each way."""
    single = len(lines) == 1 and not (partners.only_in_a or partners.only_in_b)
    blocks = _single(lines[0].compared, different) if single else _matrix(partners, lines)
    return document([*blocks, *_gates(lines, gates)])


def _single(compared: ExperimentComparison, different: int) -> Iterator[str]:
    main = compared.main
    yield heading(2, "{} (A) and {} (B)".format(*side_names(compared)))
    yield bullets(what_differs(compared))
    yield Markdown(f"{bold(main.metric.metric)}: {escape(main.verdict)}")
    yield _table("metric", NUMBERS, metric_rows(compared))
    notes = (counts(main), left_out_of_others(compared), cautions(main), damage(compared))
    yield bullets([*([METRICS] if compared.others else []), *chain.from_iterable(notes)])
    if main.groups:
        yield heading(3, f"By {main.by}")
        yield _table(str(main.by), NUMBERS, group_rows(main))
        yield escape(ADJUSTED)
    for cell in CHANGED:
        rows = list(changed_rows(compared, cell, different))
        if rows:
            yield heading(3, f"Most {cell}")
            yield _table("sample", LISTED, rows)


def _matrix(partners: Partners, lines: Sequence[MatrixLine]) -> Iterator[str]:
    yield heading(2, "B beside A")
    yield _table("experiment", NUMBERS, matrix_rows(lines))
    yield escape(ADJUSTED)
    yield bullets(remarks_on_all([line.compared for line in lines]))
    for letter, rest in (("A", partners.only_in_a), ("B", partners.only_in_b)):
        if rest:
            yield escape(f"Only in {letter}: {', '.join(one.directory.name for one in rest)}.")


def _gates(lines: Sequence[MatrixLine], gates: Mapping[int, Sequence[GateResult]]) -> Iterator[str]:
    said = [
        f"{'failed' if result.failed else 'held'}: fail if {result.gate} "
        f"({lines[place].compared.a.directory.name}: {result.why})"
        for place, results in gates.items()
        for result in results
    ]
    if said:
        yield heading(3, "Gates")
        yield bullets(said)


def _table(first: str, columns: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> str:
    table = Table(first, *columns)
    for row in rows:
        table.add(*row)
    return str(table)
