"""The checks of 10xGraph."""

from evalcore.evaluators.tenxgraph.local import (
    ContainsKeywords,
    ExactMatch,
    NodeOrder,
    RougeMatch,
    ToolNames,
    Trajectory,
)

EVALUATORS = (Trajectory, ToolNames, NodeOrder, RougeMatch, ExactMatch, ContainsKeywords)
