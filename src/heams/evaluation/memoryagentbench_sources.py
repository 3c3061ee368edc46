"""The sources of MemoryAgentBench: which rule scores the answers to each, told by a part of the source's name."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Family = Literal[
    "eventqa",
    "ruler_qa",
    "ruler_niah",
    "longmemeval",
    "icl",
    "recsys",
    "infbench_sum",
    "infbench_choice",
    "detective_qa",
    "factconsolidation",
    "other",
]

SUBSTRING: Final = "substring_exact_match"
EXACT: Final = "exact_match"
NEEDLES: Final = "ruler_recall"
ANSWER_PROXY: Final = "answer_proxy"
KEYPOINTS_PROXY: Final = "keypoints_proxy"
F1: Final = "f1"
ROUGE: Final = "rouge_l"
NEWEST: Final = "newest_fact"
RECOMMENDED: Final[Mapping[int, str]] = {k: f"recsys_recall@{k}" for k in (1, 5, 10)}


class SourceRule(NamedTuple):
    """``headline`` is the metric by which a source is reported, ``beside`` those that stand beside it."""

    part: str
    headline: str
    beside: tuple[str, ...] = (F1, ROUGE)

    @property
    def metrics(self) -> tuple[str, ...]:
        """All of them, the headline first."""
        return (self.headline, *self.beside)


RULES: Final[Mapping[Family, SourceRule]] = {
    "eventqa": SourceRule("eventqa", SUBSTRING),
    "ruler_qa": SourceRule("ruler_qa", SUBSTRING),
    "ruler_niah": SourceRule("ruler_niah", NEEDLES, ()),
    "longmemeval": SourceRule("longmemeval", ANSWER_PROXY),
    "icl": SourceRule("icl", EXACT, ()),
    "recsys": SourceRule("recsys", RECOMMENDED[5], (RECOMMENDED[1], RECOMMENDED[10])),
    "infbench_sum": SourceRule("infbench_sum", KEYPOINTS_PROXY),
    "infbench_choice": SourceRule("infbench_choice", EXACT, ()),
    "detective_qa": SourceRule("detective_qa", EXACT),
    "factconsolidation": SourceRule("factconsolidation", SUBSTRING),
    "other": SourceRule("", SUBSTRING),
}
"""In this order: the first rule of which the source's name holds the part counts; every name holds the last one's."""


def family_of(source: str) -> Family:
    """The family of a source: ``factconsolidation`` of ``factconsolidation_sh_6k``; ``other`` where none is known."""
    return next(family for family, rule in RULES.items() if rule.part in source.lower())
