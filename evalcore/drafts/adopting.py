"""Taking over drafts of a workspace from where they were kept before.

A workspace that could be written at one start of a server and cannot at the next, or the other way
round, has its drafts in two places. What is taken over stays where it was, and is taken only once:
a draft that was dropped here does not come back.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from pathlib import Path
from typing import Final

LOG = logging.getLogger("evaldesk")
TAKEN: Final = "taken_over.json"
OLDER: Final = ".older"
KINDS: Final = (".draft", ".base")


def take_over(source: Path, target: Path) -> list[str]:
    """Copy drafts and the versions they start from that are newer than the target's, or only there.

    An older draft that is replaced is kept beside it under another name. Returns the names of the
    drafts that were copied; one that cannot be is left where it is, and logged.
    """
    found = _listed(source)
    if not found:
        return []
    known = _taken(target)
    made: list[str] = []
    for name, stamp in sorted(found.items()):
        if known.get(name, -1) >= stamp:
            continue
        try:
            if _copied(source / name, target / name, stamp) and name.endswith(KINDS[0]):
                made.append(name)
            known[name] = stamp
        except OSError as error:
            LOG.warning("the draft %s stays where it is: %s", source / name, error)
    if target.is_dir():
        _note(target, known)
    return made


def _copied(source: Path, target: Path, stamp: int) -> bool:
    if target.exists():
        if target.suffix == ".base" or target.stat().st_mtime_ns >= stamp:
            return False
        target.replace(target.with_name(target.name + OLDER))
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = target.with_name(f"{target.name}.{os.urandom(4).hex()}.tmp")
    shutil.copyfile(source, new)
    os.utime(new, ns=(stamp, stamp))
    new.replace(target)
    return True


def _listed(folder: Path) -> dict[str, int]:
    try:
        with os.scandir(folder) as entries:
            return {
                e.name: e.stat().st_mtime_ns
                for e in entries
                if e.name.endswith(KINDS) and e.is_file(follow_symlinks=False)
            }
    except FileNotFoundError:
        return {}
    except OSError as error:
        LOG.warning("drafts in %s cannot be looked at: %s", folder, error)
        return {}


def _taken(folder: Path) -> dict[str, int]:
    try:
        found = json.loads((folder / TAKEN).read_bytes())
    except (OSError, ValueError):
        # There is none yet, or it was cut off: drafts that were dropped come back at worst.
        return {}
    items = found.items() if isinstance(found, dict) else ()
    return {name: stamp for name, stamp in items if isinstance(stamp, int)}


def _note(folder: Path, taken: dict[str, int]) -> None:
    try:
        (folder / TAKEN).write_text(json.dumps(taken, indent=1), encoding="utf-8")
    except OSError as error:
        LOG.warning("cannot note in %s which drafts were taken over: %s", folder, error)
