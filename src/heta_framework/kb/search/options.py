"""Reads the options of a request: a missing one is its default, a wrong one is refused with what is allowed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from heta_framework.common.config import nearest
from heta_framework.kb.search.types import QueryRequest

GENERATE_ANSWER = "generate_answer"
BUILT_IN_OPTIONS = frozenset(
    {
        GENERATE_ANSWER,
        "candidate_top_k",
        "rrf_k",
        "hybrid_weights",
        "hybrid_modes",
        "max_rounds",
        "evidence_top_k",
        "relation_expand_limit",
        "damping",
        "passage_weight",
        "seed_top_k",
        "passage_top_k",
        "passage_modes",
        "synonym_threshold",
        "filter_facts",
    }
)
"""The options of all built-in modes. A query passes over those that its mode does not know; a configuration can be
stricter."""
_MOST_CANDIDATES = 50
_CANDIDATES_PER_RESULT = 3


def flag(options: Mapping[str, Any], name: str, default: bool) -> bool:
    """A switch.

    Raises:
        ValueError: it is neither true nor false.
    """
    value = options.get(name, default)
    if not isinstance(value, bool):
        raise ValueError(f"option {name} must be true or false, found {value!r}")  # noqa: TRY004 - documented as such
    return value


def whole(options: Mapping[str, Any], name: str, default: int, *, least: int = 1) -> int:
    """A whole number; None counts as missing.

    Raises:
        ValueError: it is none, or below ``least``.
    """
    value = options.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < least or not is_number(value):
        raise ValueError(f"option {name} must be a whole number of at least {least}, found {value!r}")
    return value


def candidate_count(request: QueryRequest) -> int:
    """``candidate_top_k``: how many results each asked mode gives; three times top_k by default, but 50 are enough.

    Never below top_k, so that fusing cannot cost results.
    """
    usual = min(_CANDIDATES_PER_RESULT * request.top_k, _MOST_CANDIDATES)
    return whole(request.options, "candidate_top_k", max(usual, request.top_k))


def rrf_constant(request: QueryRequest) -> int:
    """``rrf_k``: the k of reciprocal rank fusion."""
    return whole(request.options, "rrf_k", 60, least=0)


def mode_weights(
    options: Mapping[str, Any], name: str, modes: Collection[str], known: Collection[str]
) -> dict[str, float]:
    """Weights by mode, 1 where none is given, of the modes that take part.

    Args:
        modes: those that take part.
        known: those that could; a weight for one that does not take part is passed over.

    Raises:
        ValueError: a mode is not known, or a weight is not a finite number above 0.
    """
    given = options.get(name)
    if given is None:
        return dict.fromkeys(modes, 1.0)
    if not isinstance(given, Mapping):
        raise ValueError(f"option {name} must map modes to weights, found {given!r}")  # noqa: TRY004 - documented as such
    for mode, weight in given.items():
        _check_mode(name, mode, known)
        if not is_number(weight) or weight <= 0:
            raise ValueError(f"option {name}: the weight of {mode} must be a number above 0, found {weight!r}")
    return {mode: float(given.get(mode, 1.0)) for mode in modes}


def chosen_modes(options: Mapping[str, Any], name: str, known: Collection[str]) -> tuple[str, ...] | None:
    """The modes that the caller wants to take part, each once; None where the option is missing.

    Raises:
        ValueError: it is not a list of modes, or one is not known.
    """
    given = options.get(name)
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Collection) or not given:
        raise ValueError(f"option {name} must be a list of modes, found {given!r}")
    for mode in given:
        _check_mode(name, mode, known)
    return tuple(dict.fromkeys(given))


def is_number(value: object) -> bool:
    """Whether it is a number that can be computed with: neither NaN nor infinite, nor beyond what a float holds."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def passed_down(request: QueryRequest, **changes: Any) -> QueryRequest:
    """The request for an engine below: with the same options, but without an answer, which only the outermost gives."""
    options = {name: value for name, value in request.options.items() if name != GENERATE_ANSWER}
    return replace(request, options={**options, GENERATE_ANSWER: False}, **changes)


def _check_mode(option: str, mode: object, known: Collection[str]) -> None:
    if mode in known:
        return
    near = nearest(mode, known) if isinstance(mode, str) else None
    hint = f"did you mean {near}? " if near else ""
    raise ValueError(f"option {option} names an unknown mode {mode!r}; {hint}allowed: {', '.join(known)}")
