"""The hash of what a case says, by which a review is seen to be of an older version of it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from evalcore.jsontree import MISSING, JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

LENGTH = 16


def case_hash(lens: EvalSetLens, raw: JsonValue) -> str:
    """Return the hash of a case's content: the first 16 digits of a SHA-256.

    The order of members and what the system writes itself (ids that nobody edits, times) make no
    difference, nor does the case's own name.
    """
    content = raw
    for field in lens.case_fields:
        is_own = field.read_only or field.name in ("created_at", lens.label_field)
        if is_own and isinstance(content, dict) and field.lens.get(content) is not MISSING:
            content = field.lens.put(content, MISSING, lens.default_style)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def hashes(lens: EvalSetLens, tree: JsonValue) -> dict[str, str]:
    """Return the hash of every case by its id; of several with the same id, the first's."""
    found: dict[str, str] = {}
    for raw in lens.raw_cases(tree):
        name = lens.case_id(raw)
        if name is not None:
            found.setdefault(lens.join_key(name), case_hash(lens, raw))
    return found
