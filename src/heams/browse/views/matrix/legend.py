"""What a reader of a table of the matrix has to know, beyond how shading and bars are meant."""

from dataclasses import dataclass

from heams.browse.views.matrix.tables import Table


@dataclass(frozen=True, slots=True)
class Legend:
    """``tests`` counts comparisons, ``unlike`` pairs that were not compared; ``hopeless`` names columns in which no
    outcome could have shown a difference. ``references`` and ``odd`` say that there are any.
    """

    tests: int
    hopeless: tuple[str, ...]
    unlike: int
    references: bool
    odd: bool
    problems: tuple[str, ...]


def legend(table: Table) -> Legend:
    """The legend of a table."""
    known = [(column, found) for column, found in zip(table.columns, table.standings, strict=True) if found is not None]
    return Legend(
        tests=sum(found.tests for _, found in known),
        hopeless=tuple(column.title for column, found in known if found.tests and found.hopeless == found.tests),
        unlike=sum(len(found.unlike) for _, found in known),
        references=any(line.bound is not None for group in table.groups for line in group.lines),
        odd=any(played.unlike for column in table.columns for played in column.played),
        problems=tuple(f"{column.title}: {found.problem}" for column, found in known if found.problem),
    )
