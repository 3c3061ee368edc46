"""The rules that the settings of the graph steps share."""

from __future__ import annotations

from heta_framework.common.stores.fields import positive


def check_attempts(max_attempts: int, temperature: float) -> None:
    """Raise ValueError where a model would never be asked, or with a temperature below zero."""
    positive("max_attempts", max_attempts)
    check_temperature(temperature)


def check_temperature(temperature: float) -> None:
    """Raise ValueError where it is negative."""
    if temperature < 0:
        raise ValueError(f"temperature must not be negative, found {temperature}")


def check_similarity(name: str, value: float) -> None:
    """Raise ValueError where it is not between 0 and 1."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be between 0 and 1, found {value}")


def check_metric(metric: str) -> None:
    """Raise ValueError where it is no metric of vector stores."""
    if metric not in ("cosine", "dot", "l2"):
        raise ValueError(f"vector_metric must be one of: cosine, dot, l2; found {metric!r}")
