"""The names of STALE: its two types of scenarios, the controls that are ours, and the three probes of each."""

from collections.abc import Mapping
from typing import Final, Literal

ScenarioType = Literal["T1", "T2", "control"]
Probe = Literal["dim1", "dim2", "dim3"]

CONTROL: Final = "control"
UPDATED: Final[tuple[ScenarioType, ...]] = ("T1", "T2")
PROBES: Final[tuple[Probe, ...]] = ("dim1", "dim2", "dim3")
TYPE_NAMES: Mapping[str, str] = {"T1": "T1", "T2": "T2", CONTROL: "Control"}
PROBE_NAMES: Mapping[str, str] = {"dim1": "SR", "dim2": "PR", "dim3": "IPA"}


def cell_of(scenario_type: str, probe: str) -> str:
    """The cell of a probe in the table of results: ``T1 SR``."""
    return f"{TYPE_NAMES[scenario_type]} {PROBE_NAMES[probe]}"


CELLS: Final = tuple(cell_of(kind, probe) for kind in UPDATED for probe in PROBES)
CONTROL_CELLS: Final = tuple(cell_of(CONTROL, probe) for probe in PROBES)
