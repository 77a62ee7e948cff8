"""Which of the expected tool calls were made in the expected order."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from evalcore.evaluators.uipath.names import sanitised
from evalcore.evaluators.uipath.spans import Recorded


def is_call_of(wanted: str, call: Recorded) -> bool:
    """Return whether a call is one of a tool: by its id if it has one, else by its cleaned name."""
    name, known, _ = call
    return sanitised(wanted) == sanitised(name) if known is None else wanted == known


def common_length(wanted: Sequence[str], made: Sequence[Recorded]) -> int:
    """Return how many names ``common_order`` finds."""
    if any(call[1] is not None for call in made):
        return len(common_order(wanted, made))
    names = [call[0] for call in made]
    # Numbers are compared by value; of texts only the hashes would be.
    numbers: dict[str, int] = {}
    number = {name: numbers.setdefault(sanitised(name), len(numbers)) for name in {*wanted, *names}}
    left, right = (list(map(number.__getitem__, side)) for side in (wanted, names))
    return int(LCSseq.similarity(left, right))


def common_order(wanted: Sequence[str], made: Sequence[Recorded]) -> list[str]:
    """Return the expected names of one longest common subsequence.

    Of several that are equally long it is the one that leaves out expected names from the end.

    Each row of the usual table is one integer: bit j of row i is set where the best length of the
    first i calls and j + 1 names is one more than that with j names (Hyyrö, 2004).
    """
    hits = _hits(wanted, made)
    flat = full = (1 << len(wanted)) - 1
    rows = [0]
    for hit in hits:
        common = flat & hit
        if common:
            flat = ((flat + common) | (flat - common)) & full
        rows.append(~flat)
    found: list[str] = []
    call, name = len(made), len(wanted)
    while call and name:
        bit = 1 << (name - 1)
        if hits[call - 1] & bit:
            found.append(wanted[name - 1])
            call, name = call - 1, name - 1
        elif rows[call] & bit:
            call -= 1
        else:
            name -= 1
    return found[::-1]


def _hits(wanted: Sequence[str], made: Sequence[Recorded]) -> list[int]:
    """Return, for each call, the places of the expected names that it is one of, as bits."""
    if not made:
        return []
    places: dict[str, int] = {}
    bit = 1
    for name in wanted:
        places[name] = places.get(name, 0) | bit
        bit <<= 1
    by_name: dict[str, int] = {}
    for name, bits in places.items():
        clean = sanitised(name)
        by_name[clean] = by_name.get(clean, 0) | bits
    names, ids, _ = zip(*made, strict=True)
    named = {name: by_name.get(sanitised(name), 0) for name in set(names)}
    if ids.count(None) == len(ids):
        return [named[name] for name in names]
    return [
        named[name] if known is None else places.get(known, 0)
        for name, known in zip(names, ids, strict=True)
    ]
