"""Converts a set of one format into another, and says what becomes of every value in it.

Nothing can be lost unseen: each leaf of the original is followed to the field that reads it, each
field to where it was written, and the new set is read back and compared. What did not arrive is
lost, whatever the converter meant to do with it.
"""

from evalcore.convert.carry import ROOM
from evalcore.convert.converting import convert
from evalcore.convert.files import PlannedFile, planned_file
from evalcore.convert.model import (
    Conversion,
    Fate,
    Group,
    Options,
    Report,
    Source,
    Status,
    Target,
)
from evalcore.convert.report import as_data, as_markdown, as_text

__all__ = [
    "ROOM",
    "Conversion",
    "Fate",
    "Group",
    "Options",
    "PlannedFile",
    "Report",
    "Source",
    "Status",
    "Target",
    "as_data",
    "as_markdown",
    "as_text",
    "convert",
    "planned_file",
]
