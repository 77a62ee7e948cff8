"""The checks of Google ADK and Harnest."""

from evalcore.evaluators.adk.local import ResponseMatch, ToolTrajectory

EVALUATORS = (ToolTrajectory, ResponseMatch)
