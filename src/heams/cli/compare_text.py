"""A comparison for terminals, from 80 columns on, and as plain text where there is none."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

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

_NAME_WIDTH = 12
_GAP = 2


class _Grid(NamedTuple):
    """A table that is yet to be fitted into the terminal."""

    first: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, ...]]


def print_comparison(partners: Partners, lines: Sequence[MatrixLine], different: int) -> None:
    """Print one comparison in full, or a table of many."""
    console = Console(markup=False, highlight=False, emoji=False)
    single = len(lines) == 1 and not (partners.only_in_a or partners.only_in_b)
    parts = _single(lines[0].compared, different) if single else _matrix(partners, lines)
    for part in parts:
        console.print(_table(part, console.width) if isinstance(part, _Grid) else part)


def gate_lines(lines: Sequence[MatrixLine], gates: Mapping[int, Sequence[GateResult]]) -> Iterator[str]:
    """A line for each gate, with the experiment where there are several; those that failed are last, as logs end."""
    tried = [(place, result) for place, results in gates.items() for result in results]
    for place, result in sorted(tried, key=lambda one: one[1].failed):
        name = f"{lines[place].compared.a.directory.name}: " if len(lines) > 1 else ""
        yield f"gate {'FAILED' if result.failed else 'held'}: {name}fail if {result.gate}: {result.why}"


def _single(compared: ExperimentComparison, different: int) -> Iterator[str | _Grid]:
    main = compared.main
    for letter, name, one in zip("AB", side_names(compared), (compared.a, compared.b), strict=True):
        yield f"{letter}  {name}, run {one.run_id}"
    yield from what_differs(compared)
    yield f"\n{main.metric.metric}: {main.verdict}\n"
    yield _Grid("metric", NUMBERS, list(metric_rows(compared)))
    yield METRICS if compared.others else "n counts pairs."
    yield from counts(main)
    yield from left_out_of_others(compared)
    yield from cautions(main)
    yield from damage(compared)
    if main.groups:
        yield ""
        yield _Grid(str(main.by), NUMBERS, list(group_rows(main)))
        yield ADJUSTED
    for cell in CHANGED:
        rows = list(changed_rows(compared, cell, different))
        if rows:
            yield ""
            yield _Grid(f"most {cell}", LISTED, rows)


def _matrix(partners: Partners, lines: Sequence[MatrixLine]) -> Iterator[str | _Grid]:
    yield _Grid("experiment", NUMBERS, list(matrix_rows(lines)))
    yield ADJUSTED
    yield from remarks_on_all([line.compared for line in lines])
    for letter, rest in (("A", partners.only_in_a), ("B", partners.only_in_b)):
        if rest:
            yield f"Only in {letter}: {', '.join(one.directory.name for one in rest)}."


def _table(grid: _Grid, width: int) -> Table:
    """Names are folded first; numbers only where the terminal is too narrow for them, and nothing is ever cut."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(Text(grid.first), overflow="fold", min_width=_NAME_WIDTH)
    named = [(column.removeprefix(">"), column) for column in grid.columns]
    cells = zip(*([name for name, _ in named], *(row[1:] for row in grid.rows)), strict=True)
    fits = _NAME_WIDTH + sum(_GAP + max(map(len, column)) for column in cells) <= width
    for name, column in named:
        side: Literal["left", "right"] = "right" if column.startswith(">") else "left"
        table.add_column(name, justify=side, overflow="fold", no_wrap=fits)
    for row in grid.rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
