"""The named rules by which defects of STALE's data are mended, or cost a record its label or its place."""

from typing import Final

MISSING_QUERY: Final = "missing_query"
MISSING_TIMESTAMP: Final = "missing_timestamp"
UNREADABLE_TIMESTAMP: Final = "unreadable_timestamp"
TIMESTAMP_OUT_OF_ORDER: Final = "timestamp_out_of_order"
UNRESOLVED_EVIDENCE: Final = "unresolved_evidence"
EMPTY_TURN: Final = "empty_turn"
EMPTY_SESSION: Final = "empty_session"
