"""The checks of Google ADK and Harnest."""

from evalcore.evaluators.adk.cloud import (
    ResponseEvaluation,
    Safety,
    TaskSuccess,
    ToolUseQuality,
    TrajectoryQuality,
)
from evalcore.evaluators.adk.judged import FinalResponseMatch, Hallucinations
from evalcore.evaluators.adk.local import ResponseMatch, ToolTrajectory
from evalcore.evaluators.adk.rubrics import ConversationRubrics, ReplyRubrics, ToolUseRubrics
from evalcore.evaluators.adk.simulator import SimulatorQuality
from evalcore.evaluators.adk.usage import (
    InferenceCallCount,
    InvocationDuration,
    TokenUsage,
    ToolCallCount,
)

EVALUATORS = (
    ToolTrajectory,
    ResponseMatch,
    FinalResponseMatch,
    ReplyRubrics,
    ToolUseRubrics,
    ConversationRubrics,
    Hallucinations,
    SimulatorQuality,
    ToolCallCount,
    InferenceCallCount,
    TokenUsage,
    InvocationDuration,
    ResponseEvaluation,
    Safety,
    TaskSuccess,
    TrajectoryQuality,
    ToolUseQuality,
)
