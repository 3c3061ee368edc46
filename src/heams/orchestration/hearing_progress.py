"""How far the hearing of one shared history has come, for whoever watches the run."""

from dataclasses import dataclass


@dataclass(slots=True)
class HearingProgress:
    """One history that a memory, or an agent, is hearing. May be read at any time.

    ``heard`` of its ``events`` are done with; a memory that hears directly takes what lies between two boundaries at
    once. ``ended``: it was heard, or it failed. ``doing`` says what is going on, where it is something else.
    """

    history_id: str
    events: int
    heard: int = 0
    ended: bool = False
    doing: str = ""
