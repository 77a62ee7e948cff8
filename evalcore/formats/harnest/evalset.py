"""Harnest's eval sets: ADK's lenses under Harnest's name."""

from __future__ import annotations

from evalcore.formats.adk.evalset import AdkEvalSets
from evalcore.formats.adk.legacy import lenses


class HarnestEvalSets(AdkEvalSets):
    """Sets as Harnest's playground and its users write them."""

    format_id = "harnest"


LENS = HarnestEvalSets()
LEGACY_LENSES = lenses("harnest")
