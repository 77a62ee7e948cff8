"""Where a new set goes and what it is called, before anybody has to think about file names."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from evalcore.formats import built_in, plugged_in
from evalcore.formats.base import Format, Kind

if TYPE_CHECKING:
    from evalcore.workspace import Entry


def choosable_formats() -> dict[str, Format]:
    """Return the formats in which a set can be made, by id."""
    return {
        f.id: f
        for f in (*built_in(), *plugged_in())
        if any(known.kind is Kind.EVAL_SET for known in f.known_files)
    }


def slug(name: str) -> str:
    """Return a name as file names and ids have it: lower case, words joined by ``_``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_") or "new_set"


def suggested_path(
    of: Format, name: str, entries: Iterable[Entry], project: str | None = None
) -> str:
    """Return a free path for a new set, in a folder where its system reads sets.

    It lies beside the format's other sets, as far as those lie where the system looks for them; in
    ``project``, where that folder is given. ``entries`` are those of the workspace.
    """
    listed = list(entries)
    taken = {e.path for e in listed}
    pattern = _pattern(of)
    usual = posixpath.join(project or "", posixpath.dirname(pattern))
    folders = [
        posixpath.dirname(e.path)
        for e in listed
        if e.kind is Kind.EVAL_SET and e.detection and e.detection.format_id == of.id
        if _is_read(pattern, e.path) and project in (None, project_of(of, e.path))
    ]
    folder = min(folders, key=_nearest_and_fullest(folders), default=usual)
    ending = posixpath.basename(pattern).partition("*")[2] or ".json"
    stem = slug(name)
    names = (stem, *(f"{stem}_{n}" for n in range(2, len(taken) + 3)))
    paths = (posixpath.join(folder, n + ending) for n in names)
    return next(path for path in paths if path not in taken)


def project_of(of: Format, path: str) -> str:
    """Return the folder of the project that a set of a format lies in."""
    folder, own = posixpath.dirname(path), posixpath.dirname(_pattern(of))
    if folder == own or folder.endswith(f"/{own}"):
        return folder.removesuffix(own).rstrip("/") if own else folder
    return folder


def _is_read(pattern: str, path: str) -> bool:
    """Return whether a system reads sets in a file's folder; a workspace may begin inside of it."""
    folder, own = posixpath.dirname(path), posixpath.dirname(pattern)
    if not (folder and own):
        return True
    return f"/{folder}".endswith(f"/{own}") or f"/{own}".endswith(f"/{folder}")


def _nearest_and_fullest(folders: Sequence[str]) -> Callable[[str], tuple[int, int, str]]:
    return lambda folder: (folder.count("/"), -folders.count(folder), folder)


def _pattern(of: Format) -> str:
    """Return the first place pattern of the format's sets that a name can be put into."""
    places = [k.where for k in of.known_files if k.kind is Kind.EVAL_SET]
    for pattern in ", ".join(places).replace(" or ", ", ").split(", "):
        if re.fullmatch(r"[\w./-]*\*[\w.-]*\.json", pattern):
            return pattern.removeprefix("**/").lstrip("/")
    return "*.json"
