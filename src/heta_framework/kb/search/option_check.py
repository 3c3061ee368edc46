"""Whether the options of a configuration can be used, found out before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from heta_framework.kb.graphing.searching.ppr_options import PprOptions
from heta_framework.kb.search.base_modes import BASE_MODES
from heta_framework.kb.search.options import GENERATE_ANSWER, chosen_modes, flag, mode_weights, whole

_Reader = Callable[[Mapping[str, Any], str], object]


def option_problems(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The names of built-in options whose values are refused, each with the reason; other options are passed over."""
    for name, value in options.items():
        reader = OPTION_READERS.get(name)
        try:
            if reader is not None:
                reader({name: value}, name)
        except ValueError as refusal:
            yield name, str(refusal)


def _whole(options: Mapping[str, Any], name: str, *, least: int = 1) -> object:
    return whole(options, name, least, least=least)


def _weights(options: Mapping[str, Any], name: str) -> object:
    return mode_weights(options, name, BASE_MODES, BASE_MODES)


def _modes(options: Mapping[str, Any], name: str) -> object:
    return chosen_modes(options, name, BASE_MODES)


def _walk(options: Mapping[str, Any], name: str) -> object:
    return PprOptions.of(options)


OPTION_READERS: Mapping[str, _Reader] = {
    GENERATE_ANSWER: partial(flag, default=False),
    "candidate_top_k": _whole,
    "rrf_k": partial(_whole, least=0),
    "hybrid_weights": _weights,
    "hybrid_modes": _modes,
    "max_rounds": _whole,
    "evidence_top_k": _whole,
    "relation_expand_limit": partial(_whole, least=0),
    **dict.fromkeys(PprOptions.__dataclass_fields__, _walk),
}
"""How the engines read each option."""
