"""An experiment whose results were read."""

from dataclasses import dataclass

from heams.browse.index import Experiment
from heams.reporting.digest import Digest


@dataclass(frozen=True, slots=True)
class Entry:
    """An experiment with what is known of it; ``version`` is that of the results that were read."""

    experiment: Experiment
    digest: Digest
    version: str
