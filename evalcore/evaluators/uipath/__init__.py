"""The checks of UiPath's coded and low-code agents."""

from evalcore.evaluators.uipath.legacy import CsvColumns, Equals, LegacyJsonSimilarity
from evalcore.evaluators.uipath.outputs import (
    BinaryClassification,
    Contains,
    ExactMatch,
    JsonSimilarity,
    MulticlassClassification,
)
from evalcore.evaluators.uipath.tools import (
    ToolCallArgs,
    ToolCallCount,
    ToolCallOrder,
    ToolCallOutput,
)

EVALUATORS = (
    ExactMatch,
    Contains,
    JsonSimilarity,
    ToolCallOrder,
    ToolCallArgs,
    ToolCallCount,
    ToolCallOutput,
    BinaryClassification,
    MulticlassClassification,
    Equals,
    LegacyJsonSimilarity,
    CsvColumns,
)
