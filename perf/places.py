"""Where the suite works, and the environment of the processes that it measures.

Everybody who installed a package has its modules compiled. So that this holds here as well, whatever the shell says,
measured processes keep compiled modules in a folder of the suite's own; a first run, which is not counted, fills it.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cache_folder() -> Path:
    """Holds the peer and compiled modules: `HEAMS_PERF_CACHE`, or a folder in the user's cache."""
    chosen = os.environ.get("HEAMS_PERF_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(chosen) if chosen else Path(home) / "heams-perf"


def environment(*paths: Path) -> dict[str, str]:
    """The environment for a measured process; ``paths`` are added to its import path."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    search = [*map(str, paths), *filter(None, [kept.get("PYTHONPATH")])]
    added = {"PYTHONPYCACHEPREFIX": str(cache_folder() / "compiled"), "PYTHONPATH": os.pathsep.join(search)}
    return kept | added
