"""The peak memory of a process, told by itself."""

import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """Most resident memory that this process ever had, in MiB."""
    if _STATUS.exists():  # Linux: getrusage would count what the parent had when it forked
        return int(_STATUS.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
