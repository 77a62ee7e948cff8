"""The most memory that this process has taken."""

import resource
from pathlib import Path


def memory_gb() -> float:
    """Return the most memory that this process has taken, in GB."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage says includes the memory of the process that started this one.
        (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
