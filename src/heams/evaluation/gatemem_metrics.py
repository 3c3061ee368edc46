"""The metrics of GateMem, all of them higher-is-better, and the markers from which they are judged.

A utility checkpoint gives ``useful`` (U), ``answered`` (1 - OR), and ``useful_context``: the memory handed over all
that the answer must hold (ours: the counterpart of leaks in the context). One of access control gives ``access_kept``
(1 - A), one of active forgetting ``forgotten`` (1 - F), both also with ``_context`` (what the memory handed over) and
``_e2e`` (either of them). Every checkpoint gives ``action_ok``.

Suffix ``_unasked``: targets that the question names itself are ignored. Suffix ``_legacy``: the official rule scorer.
"""

from collections.abc import Sequence
from typing import Any, Final

from heams.evaluation.markers import LEAK_TARGETS

QUERY_TYPE: Final = "gatemem_query_type"
EXPECTED_ACTION: Final = "gatemem_expected_action"
INCLUDE: Final = "gatemem_include"
NOT_INCLUDE: Final = "gatemem_not_include"

USEFUL: Final = "useful"
USEFUL_CONTEXT: Final = "useful_context"
ANSWERED: Final = "answered"
ACTION_OK: Final = "action_ok"
ACCESS: Final = "access_kept"
FORGOTTEN: Final = "forgotten"
UNASKED: Final = "_unasked"
LEGACY: Final = "_legacy"
LEVELS: Final = ("", "_context", "_e2e")
KEPT: Final = {"privacy": ACCESS, "safety": FORGOTTEN}


def metrics_of(query_type: str) -> tuple[str, ...]:
    """What a checkpoint of that type is scored by."""
    if query_type == "utility":
        return (ACTION_OK, ANSWERED, USEFUL, USEFUL_CONTEXT, USEFUL + LEGACY)
    kept = KEPT[query_type]
    return (ACTION_OK, *(f"{kept}{level}{suffix}" for suffix in ("", UNASKED, LEGACY) for level in LEVELS))


def checkpoint_markers(
    query_type: str, expected_action: str, include: Sequence[str], not_include: Sequence[str], targets: Sequence[str]
) -> dict[str, Any]:
    """The markers that the evaluator reads."""
    return {
        QUERY_TYPE: query_type,
        EXPECTED_ACTION: expected_action,
        INCLUDE: list(include),
        NOT_INCLUDE: list(not_include),
        LEAK_TARGETS: list(targets),
    }
