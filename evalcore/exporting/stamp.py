"""The last column of an export: what its row was, so that edits are told from what was there.

A stamp names the row's place in the set and holds a short digest of each cell. When the row comes
back, a cell that still has its digest was not edited, whatever has become of the file since.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

VERSION: Final = "v1"
_KEY: Final = 4
_DIGEST: Final = 7
_STAMP = re.compile(r"v1 (\d+)(?:/(\d+))? ([\w\-]*)")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a row was when it was exported.

    ``case`` and ``turn`` count from 0; ``turn`` is None for a row without one.
    """

    case: int
    turn: int | None
    digests: Mapping[str, str] = field(default_factory=dict)

    def was(self, key: str, text: str) -> bool:
        """Return whether a column's cell had this text; cells not in the stamp were empty."""
        return self.digests.get(_short(key, _KEY), "") == (_short(text, _DIGEST) if text else "")


def stamp(case: int, turn: int | None, texts: Iterable[tuple[str, str]]) -> str:
    """Return the stamp of a row; ``texts`` are the keys of its columns and its cells as texts."""
    digests = "".join(_short(key, _KEY) + _short(text, _DIGEST) for key, text in texts if text)
    place = f"{case + 1}" if turn is None else f"{case + 1}/{turn + 1}"
    return f"{VERSION} {place} {digests}"


def read_stamp(text: object) -> Stamp | None:
    """Return what a stamp says, None for anything else."""
    found = _STAMP.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or not 0 < len(found[1]) < 10 or len(found[2] or "") > 9:
        return None
    size, digests = _KEY + _DIGEST, found[3]
    parts = [digests[at : at + size] for at in range(0, len(digests), size)]
    turn = None if found[2] is None else int(found[2]) - 1
    return Stamp(int(found[1]) - 1, turn, {part[:_KEY]: part[_KEY:] for part in parts})


def _short(text: str, length: int) -> str:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return urlsafe_b64encode(digest).decode("ascii")[:length]
