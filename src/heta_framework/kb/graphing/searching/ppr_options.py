"""The options of ``ppr_search``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heta_framework.kb.search.base_modes import FULL_TEXT, VECTOR
from heta_framework.kb.search.options import chosen_modes, flag, is_number, whole


@dataclass(frozen=True)
class PprOptions:
    """How to walk.

    Attributes:
        damping: the probability of following an edge rather than beginning anew, in [0, 1).
        passage_weight: what a passage that resembles the question weighs against a seed of its own, at least 0.
        synonym_threshold: the least cosine of synonyms that are joined; those below what the graph was built with are
            not known.
        seed_top_k: how many facts bring seeds.
        passage_top_k: how many passages a walk may begin at.
        passage_modes: in which modes these are looked for; the first that is available counts.
        filter_facts: whether a language model picks from the facts those that the question is about.
    """

    damping: float = 0.5
    passage_weight: float = 0.05
    synonym_threshold: float = 0.8
    seed_top_k: int = 5
    passage_top_k: int = 100
    passage_modes: tuple[str, ...] = (VECTOR, FULL_TEXT)
    filter_facts: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> PprOptions:
        """From a request.

        Raises:
            ValueError: one cannot be; the message says what is allowed.
        """
        usual = cls()
        return cls(
            number(options, "damping", usual.damping, below=1.0),
            number(options, "passage_weight", usual.passage_weight),
            number(options, "synonym_threshold", usual.synonym_threshold),
            whole(options, "seed_top_k", usual.seed_top_k),
            whole(options, "passage_top_k", usual.passage_top_k, least=0),
            chosen_modes(options, "passage_modes", usual.passage_modes) or usual.passage_modes,
            flag(options, "filter_facts", usual.filter_facts),
        )


def number(options: Mapping[str, Any], name: str, default: float, *, below: float | None = None) -> float:
    """A number of at least 0; None counts as missing.

    Raises:
        ValueError: it is none, or not below ``below``.
    """
    value = options.get(name)
    if value is None:
        return default
    allowed = "at least 0" + (f" and below {below:g}" if below is not None else "")
    if not is_number(value) or value < 0:
        raise ValueError(f"option {name} must be a number of {allowed}, found {value!r}")
    if below is not None and value >= below:
        raise ValueError(f"option {name} must be a number of {allowed}, found {value!r}")
    return float(value)
