"""The checks of UiPath's coded and low-code agents."""

from evalcore.evaluators.uipath.classes import BinaryClassification, MulticlassClassification
from evalcore.evaluators.uipath.csv_columns import CsvColumns
from evalcore.evaluators.uipath.legacy import Equals, LegacyJsonSimilarity
from evalcore.evaluators.uipath.legacy_judges import LegacyOutputJudge, LegacyTrajectoryJudge
from evalcore.evaluators.uipath.output_judges import SemanticSimilarity, StrictJsonSimilarity
from evalcore.evaluators.uipath.outputs import Contains, ExactMatch, JsonSimilarity
from evalcore.evaluators.uipath.tools import (
    ToolCallArgs,
    ToolCallCount,
    ToolCallOrder,
    ToolCallOutput,
)
from evalcore.evaluators.uipath.trajectory_judges import (
    SimulatedTrajectory,
    TrajectorySimilarity,
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
    SemanticSimilarity,
    StrictJsonSimilarity,
    TrajectorySimilarity,
    SimulatedTrajectory,
    Equals,
    LegacyJsonSimilarity,
    CsvColumns,
    LegacyOutputJudge,
    LegacyTrajectoryJudge,
)
