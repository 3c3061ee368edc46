"""An index of saved results: which experiments there are, their tables, and single lines of their files."""

from heams.browse.index.experiment import Experiment
from heams.browse.index.library import Library, NoSuchExperiment
from heams.browse.index.opened import Opened

__all__ = ["Experiment", "Library", "NoSuchExperiment", "Opened"]
