"""Whether two systems pass equally often, from the questions that only one of them passes."""


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return the two-sided p of McNemar's test in its exact form: is a coin fair that fell so often on either side?

    `only_first` and `only_second` count the pairs that only the first, or only the second, passes; pairs that both or
    neither pass say nothing of the difference. p lies between 0 and 1 and is 1 without any such pair.

    Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12 (1947), with the binomial distribution in place of its approximation. The pairs must be
    independent: where they come in clusters, use `paired_permutation`, which equals this test where they do not. With
    few such pairs it rejects less often than its level says (under six of them, never at 5 %).

    Raises ValueError for a negative count.
    """
    if only_first < 0 or only_second < 0:
        raise ValueError(f"found the counts {only_first} and {only_second}; they must be 0 or more")
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(only_first, only_second), only_first + only_second, 0.5)))
