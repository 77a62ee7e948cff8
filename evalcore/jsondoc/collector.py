"""Bulk loads without the cyclic garbage collector, which otherwise costs more than the parsing."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Stop cyclic collection inside the block; leave it alone where it is already stopped.

    The switch belongs to the whole process, so keep the block short.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
