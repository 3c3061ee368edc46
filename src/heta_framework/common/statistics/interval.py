"""A confidence interval."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """The interval [low, high] in the unit of the values, and the name of the method that it comes from."""

    low: float
    high: float
    method: str
