"""What holds for any pairs: swapping A and B mirrors everything, and counts add up."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.reporting.compare import CELLS, Pairs
from heams.reporting.compare.numbers import paired_numbers

_VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
_ROWS = st.lists(st.tuples(_VALUES, _VALUES, st.sampled_from("abcd")), min_size=1, max_size=14)


def _pairs(rows: list[tuple[float, float, str]]) -> Pairs:
    a, b = (np.array([row[side] for row in rows]) for side in (0, 1))
    cluster = np.array([f"history {row[2]}" for row in rows], dtype=object)
    return Pairs({"value_a": a, "value_b": b, "passes_a": a, "passes_b": b, "cluster": cluster})


@settings(max_examples=25, deadline=None)
@given(_ROWS)
def test_swapping_the_sides_mirrors_everything(rows: list[tuple[float, float, str]]) -> None:
    there, back = paired_numbers(_pairs(rows)), paired_numbers(_pairs([(b, a, c) for a, b, c in rows]))
    assert there.delta == pytest.approx(-(back.delta or 0))
    assert there.p == pytest.approx(back.p)
    assert (there.improved, there.regressed) == (back.regressed, back.improved)
    assert there.no_interval == back.no_interval
    assert there.two_by_two is not None
    assert back.two_by_two is not None
    assert (there.two_by_two.only_a, there.two_by_two.only_b) == (back.two_by_two.only_b, back.two_by_two.only_a)


@settings(max_examples=25, deadline=None)
@given(_ROWS)
def test_cells_divide_the_pairs(rows: list[tuple[float, float, str]]) -> None:
    pairs = _pairs(rows)
    numbers = paired_numbers(pairs)
    assert numbers.improved + numbers.regressed + numbers.equal == numbers.n == len(rows)
    assert numbers.two_by_two is not None
    assert sum(asdict(numbers.two_by_two).values()) == len(rows)
    sizes = {cell: len(pairs.where(cell)) for cell in CELLS}
    assert sizes["different"] == sizes["improved"] + sizes["regressed"]


def test_an_unknown_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="no cell is called 'won'"):
        _pairs([(0, 1, "a")]).where("won")  # type: ignore[arg-type]
