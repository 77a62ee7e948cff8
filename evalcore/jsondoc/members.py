"""Which old member each new member of an object is, renamed ones included."""

from collections.abc import Iterator
from itertools import groupby

from evalcore.jsontree import JsonObject, same


def origins(old: JsonObject, new: JsonObject) -> dict[str, str | None]:
    """Return the old key of every key of ``new``, None for an added member.

    A member whose key is gone was renamed if a new key stands in its place, between the same
    members that were kept: as many new keys as old ones there are renamed in order, otherwise
    those that kept their value.
    """
    found: dict[str, str | None] = {key: key if key in old else None for key in new}
    if new.keys() == old.keys():
        return found
    gone = dict(_gaps(old, new))
    for place, added in _gaps(new, old):
        for key, source in _renamed(old, new, gone.get(place, []), added):
            found[key] = source
    return found


def _gaps(members: JsonObject, others: JsonObject) -> Iterator[tuple[str | None, list[str]]]:
    """Yield the runs of keys that ``others`` lacks, each by the key before it that it has."""
    before: str | None = None
    for shared, keys in groupby(members, key=others.__contains__):
        run = list(keys)
        if shared:
            before = run[-1]
        else:
            yield before, run


def _renamed(
    old: JsonObject, new: JsonObject, gone: list[str], added: list[str]
) -> Iterator[tuple[str, str]]:
    if len(gone) == len(added):
        yield from zip(added, gone, strict=True)
        return
    left = gone
    for key in added:
        source = next((source for source in left if same(old[source], new[key])), None)
        if source is not None:
            left = left[left.index(source) + 1 :]
            yield key, source
