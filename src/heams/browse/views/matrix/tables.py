"""The tables of the matrix: one a dimension, and one for recipes that are asked without an agent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from string import ascii_lowercase

from heams.benchmarks.info import ReportDimension
from heams.browse.comparing import Contest, Standings
from heams.browse.views.matrix.columns import Column, Played
from heams.reporting.bounds import Bound
from heams.reporting.compare import MetricKey

HEAT = 10
"""Steps of shading."""
Row = tuple[str, str, str]
"""Agent, memory system, and what tells experiments with the same names apart (empty for the first one)."""


@dataclass(frozen=True, slots=True)
class Beaten:
    """A row that is shown to be worse, by its letter and its experiment."""

    letter: str
    key: str
    p: float


@dataclass(frozen=True, slots=True)
class Cell:
    """``heat`` is a step from 0 to 9, None where there is no score. ``beaten`` has a list for each axis."""

    played: Played
    heat: int | None
    beaten: tuple[tuple[Beaten, ...], ...]

    @property
    def key(self) -> str:
        """The experiment's."""
        return self.played.entry.experiment.key


@dataclass(frozen=True, slots=True)
class Line:
    """A row: a memory system, its letter (empty for references), its cells in the order of the columns."""

    memory_system: str
    more: str
    bound: Bound | None
    letter: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one agent."""

    agent: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """``sections`` has names of neighbouring columns with how many they are, ``standings`` one for each column."""

    title: str
    name: str
    parts: tuple[str, str]
    columns: tuple[Column, ...]
    sections: tuple[tuple[str, int], ...]
    groups: tuple[Group, ...]
    standings: tuple[Standings | None, ...]


def contest_of(column: Column) -> Contest:
    """What is tested of a column: finished competitors with one agent; of recipes also those with one recipe."""
    rivals = [one for one in column.played if one.digest.bound is None and one.digest.progress.complete]
    pairs = (
        (first.entry.experiment, second.entry.experiment)
        for first, second in combinations(rivals, 2)
        if _comparable(column, first, second)
    )
    return Contest(tuple(pairs), tuple(axis.key for axis in column.axes))


def tables(columns: Sequence[Column], standings: Sequence[Standings | None]) -> list[Table]:
    """The tables that have columns, in the order of reports; ``standings`` are those of the columns."""
    both = list(zip(columns, standings, strict=True))
    found = []
    for dimension in ReportDimension:
        chosen = [one for one in both if one[0].dimension is dimension and not one[0].without_agents]
        if chosen:
            found.append(_table(dimension.value.capitalize(), dimension.value, chosen))
    recipes = [one for one in both if one[0].without_agents]
    if recipes:
        sections = sorted({column.section for column, _ in recipes if column.section})
        found.append(_table(" and ".join(sections) or "Recipes", "recipes", recipes))
    return found


def _comparable(column: Column, first: Played, second: Played) -> bool:
    one, other = first.digest.results.labels, second.digest.results.labels
    return one.agent == other.agent or (column.without_agents and one.memory_system == other.memory_system)


def _table(title: str, name: str, chosen: Sequence[tuple[Column, Standings | None]]) -> Table:
    columns = [column for column, _ in chosen]
    by_row = [_rows(column) for column in columns]
    rows = sorted({row for known in by_row for row in known}, key=lambda row: _place(row, by_row))
    letters = _letters(rows, by_row, through=columns[0].without_agents)
    beaten = [
        _beaten(standings, _lettered(known, letters)) for (_, standings), known in zip(chosen, by_row, strict=True)
    ]
    lines = {
        row: Line(
            memory_system=row[1],
            more=row[2],
            bound=_bound(row, by_row),
            letter=letters.get(row, ""),
            cells=tuple(
                _cell(column, known[row], won) if row in known else None
                for column, known, won in zip(columns, by_row, beaten, strict=True)
            ),
        )
        for row in rows
    }
    return Table(
        title=title,
        name=name,
        parts=columns[0].part_names,
        columns=tuple(columns),
        sections=tuple((section, len(list(same))) for section, same in groupby(one.section or "" for one in columns)),
        groups=tuple(
            Group(agent, tuple(lines[row] for row in same)) for agent, same in groupby(rows, key=lambda row: row[0])
        ),
        standings=tuple(standings for _, standings in chosen),
    )


def _rows(column: Column) -> dict[Row, Played]:
    found: dict[Row, Played] = {}
    for one in column.played:
        labels = one.digest.results.labels
        row = labels.agent, labels.memory_system, ""
        found[row if row not in found else (*row[:2], one.entry.experiment.key)] = one
    return found


def _bound(row: Row, by_row: Sequence[Mapping[Row, Played]]) -> Bound | None:
    return next((known[row].digest.bound for known in by_row if row in known), None)


def _place(row: Row, by_row: Sequence[Mapping[Row, Played]]) -> tuple[str, int, str, str]:
    bound = _bound(row, by_row)
    return row[0], bound.position if bound is not None else 0, row[1], row[2]


def _letters(rows: Sequence[Row], by_row: Sequence[Mapping[Row, Played]], *, through: bool) -> dict[Row, str]:
    """Letters of competitors, anew for each agent, or going ``through`` the table."""
    letters: dict[Row, str] = {}
    for _, same in groupby(rows, key=lambda row: "" if through else row[0]):
        rivals = [row for row in same if _bound(row, by_row) is None]
        letters |= {row: _letter(number) for number, row in enumerate(rivals)} if len(rivals) > 1 else {}
    return letters


def _letter(number: int) -> str:
    """a to z, then aa, ab, ..."""
    more, last = divmod(number, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[last]


def _lettered(known: Mapping[Row, Played], letters: Mapping[Row, str]) -> dict[str, str]:
    return {one.entry.experiment.key: letters[row] for row, one in known.items() if row in letters}


def _beaten(standings: Standings | None, letters: Mapping[str, str]) -> dict[tuple[str, MetricKey], list[Beaten]]:
    found: dict[tuple[str, MetricKey], list[Beaten]] = {}
    for won in standings.won if standings is not None else ():
        if won.loser in letters:
            loser = Beaten(letters[won.loser], won.loser, won.p)
            found.setdefault((won.winner, won.metric), []).append(loser)
    return found


def _cell(column: Column, played: Played, beaten: Mapping[tuple[str, MetricKey], list[Beaten]]) -> Cell:
    key = played.entry.experiment.key
    losers = (tuple(_sorted(beaten.get((key, axis.key), ()))) for axis in column.axes)
    return Cell(played, _heat(column, played.headline), tuple(losers))


def _sorted(beaten: Sequence[Beaten]) -> Iterator[Beaten]:
    yield from sorted(beaten, key=lambda one: (len(one.letter), one.letter))


def _heat(column: Column, value: float | None) -> int | None:
    if value is None or column.highest <= column.lowest:
        return None
    share = (value - column.lowest) / (column.highest - column.lowest)
    return min(max(int(share * HEAT), 0), HEAT - 1)
