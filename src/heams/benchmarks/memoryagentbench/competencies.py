"""The four competencies of MemoryAgentBench, each a file of its data."""

from collections.abc import Mapping
from typing import Literal, get_args

Competency = Literal["Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution"]

COMPETENCIES: tuple[Competency, ...] = get_args(Competency)
"""In the order of the paper."""

TITLES: Mapping[str, str] = {
    "Accurate_Retrieval": "Accurate retrieval",
    "Test_Time_Learning": "Test-time learning",
    "Long_Range_Understanding": "Long-range understanding",
    "Conflict_Resolution": "Conflict resolution",
}
"""Their names in reports."""
