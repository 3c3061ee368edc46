"""The harmonic mean of two scores: high only where both are."""


def harmonic_mean(first: float, second: float) -> float:
    """``2ab / (a + b)`` of two scores from 0 to 1; 0 where either is 0.

    Raises:
        ValueError: a score is negative or not a number.
    """
    if not (first >= 0 and second >= 0):
        raise ValueError(f"scores must be 0 or more, found {first} and {second}")
    return 0.0 if first == 0 or second == 0 else 2 * first * second / (first + second)
