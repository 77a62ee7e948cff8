"""What the eval set of a run says of its cases today, for results that do not say it themselves."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from evalcore.errors import FormatError
from evalcore.model import EvalCase
from evalcore.report.selection import Joins, no_join
from evalcore.results import CaseResult
from evalcore.store import CaseLine, Manifest
from evalcore.store.rows import case_key
from evalcore.views.expectations import Join

if TYPE_CHECKING:
    from evalcore.workspace import Workspace

CASES_KEPT = 512


def joins_of(workspace: Workspace, manifest: Manifest) -> Joins:
    """Return what finds the case of the eval set that a result belongs to.

    Nothing is found where the run does not know its set. Raises WorkspaceError, DocumentError or
    FormatError where the set is not there any more or cannot be read.
    """
    path = manifest.eval_set.path
    if not path:
        return no_join
    opened = workspace.open(path)
    if opened.format is None or opened.detection is None:
        raise FormatError(f"{path} is no eval set any more")
    lens, value = opened.format.lens_for(opened.detection), opened.document.value
    raw, pointers = lens.raw_cases(value), lens.case_pointers(value)

    @lru_cache(CASES_KEPT)
    def read(place: int) -> EvalCase:
        return lens.read_case(raw[place], pointers[place])

    places: dict[str, int] = {}
    for place, case in enumerate(raw):
        key = case_key(CaseResult(origin="", case_id=lens.case_id(case)), place)
        places.setdefault(key, place)

    def joined(line: CaseLine) -> Join | None:
        place = places.get(line.case_key)
        return None if place is None else Join(path, place, read(place), "id")

    return joined
