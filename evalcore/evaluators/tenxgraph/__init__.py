"""The checks of 10xGraph."""

from evalcore.evaluators.tenxgraph.combined import Composite, Weighted
from evalcore.evaluators.tenxgraph.judged import (
    FactualAccuracy,
    Hallucination,
    LlmJudge,
    ResponseMatch,
    Rubrics,
    Safety,
    SimulationGoals,
)
from evalcore.evaluators.tenxgraph.local import (
    ContainsKeywords,
    ExactMatch,
    NodeOrder,
    RougeMatch,
    ToolNames,
    Trajectory,
)

EVALUATORS = (
    ToolNames,
    Trajectory,
    NodeOrder,
    ResponseMatch,
    RougeMatch,
    ContainsKeywords,
    LlmJudge,
    Rubrics,
    FactualAccuracy,
    Hallucination,
    Safety,
    SimulationGoals,
    ExactMatch,
    Composite,
    Weighted,
)
