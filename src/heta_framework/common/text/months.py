"""The names of the months in English, which ``strptime`` would read in the language of the machine."""

from typing import Final

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def month_number(name: str) -> int | None:
    """1 to 12 for a whole name in any case; None for anything else."""
    return MONTHS.index(name.lower()) + 1 if name.lower() in MONTHS else None
