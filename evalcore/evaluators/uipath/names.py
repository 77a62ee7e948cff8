"""The names of tools as UiPath writes them into traces."""

import re
from functools import lru_cache

LONGEST_NAME = 64
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")


@lru_cache(maxsize=4096)
def sanitised(name: str) -> str:
    """Return a name with _ for blanks between words, and of the rest only A–Z, a–z, 0–9, _ and -.

    At most 64 characters are kept. A name with none of these becomes "", so that all such names
    are alike.
    """
    return _FOREIGN.sub("", "_".join(name.split()))[:LONGEST_NAME]
