"""The four competencies of MemoryAgentBench, each a file of its data."""

from collections.abc import Mapping
from typing import Literal

Competency = Literal["Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution"]

COMPETENCIES: Mapping[Competency, str] = {
    "Accurate_Retrieval": "Accurate retrieval",
    "Test_Time_Learning": "Test-time learning",
    "Long_Range_Understanding": "Long-range understanding",
    "Conflict_Resolution": "Conflict resolution",
}
"""In the order of the paper, with their names in reports."""
