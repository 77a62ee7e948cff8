"""Which eval set of a workspace a run was made of."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.results import Run


def choose_set(
    run: Run, result_path: str, sets: Sequence[tuple[str, str | None, str | None]]
) -> str | None:
    """Return the path of the eval set that was run, None where none fits.

    ``sets`` holds (path, id, name) of the eval sets of the run's format. The id decides, in any
    letter case, then the name; among several, the one whose folders are nearest to the result.
    """
    for wanted, at in ((run.eval_set_id, 1), (run.eval_set_name, 2), (run.eval_set_id, 2)):
        if not wanted:
            continue
        fits = [s[0] for s in sets if (s[at] or "").casefold() == wanted.casefold()]
        if fits:
            return min(fits, key=lambda path: (-_shared_folders(path, result_path), path))
    return None


def _shared_folders(a: str, b: str) -> int:
    left, right = a.split("/")[:-1], b.split("/")[:-1]
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return shared
