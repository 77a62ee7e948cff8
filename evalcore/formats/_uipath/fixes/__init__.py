"""What mends a problem of a UiPath file."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.formats._uipath.fixes.cases import CASES
from evalcore.formats._uipath.fixes.evaluators import EVALUATORS
from evalcore.formats._uipath.fixes.mocks import MOCKS
from evalcore.formats._uipath.fixes.sets import SETS
from evalcore.formats.fixes import Fixer

FIXES: Mapping[str, Fixer] = {**SETS, **CASES, **MOCKS, **EVALUATORS}
