"""The folders of a workspace's sets as a tree that unfolds along the chosen one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

MANY_SETS = 40
"""Sets from which a list is helped by a tree of folders."""


@dataclass(frozen=True, slots=True)
class FolderRow:
    """One folder: its path, "" for all, its own name, how deep it is, how many sets are in it."""

    path: str
    label: str
    depth: int
    sets: int


def folder_rows(paths: Iterable[str], chosen: str = "") -> list[FolderRow]:
    """Return the folders to show: those at the top, and those beside and below the chosen one.

    A folder with nothing in it but another one is shown together with that, as ``adk/refunds``.
    """
    counts = Counter(folder for path in paths for folder in _folders(path))
    inside: defaultdict[str, list[str]] = defaultdict(list)
    for folder in sorted(counts):
        if folder:
            inside[folder.rpartition("/")[0]].append(folder)
    return [FolderRow("", "All folders", 0, counts[""]), *_below("", 1, counts, inside, chosen)]


def in_folder(path: str, folder: str) -> bool:
    """Return whether a file lies in a folder or deeper; "" holds all."""
    return not folder or path.startswith(f"{folder}/")


def _below(
    folder: str,
    depth: int,
    counts: Counter[str],
    inside: Mapping[str, Sequence[str]],
    chosen: str,
) -> Iterator[FolderRow]:
    for child in inside.get(folder, ()):
        end = child
        while len(deeper := inside.get(end, ())) == 1 and counts[deeper[0]] == counts[end]:
            end = deeper[0]
        yield FolderRow(end, end[len(folder) :].lstrip("/"), depth, counts[end])
        if in_folder(f"{chosen}/", end):
            yield from _below(end, depth + 1, counts, inside, chosen)


def _folders(path: str) -> Iterator[str]:
    yield ""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
