"""What tells Google ADK's eval sets and criteria from 10xGraph's, which use the same names.

ADK's turns have ``parts``, ``final_response`` and ``intermediate_data``; 10xGraph's have
``content`` and ``expected_…``. Both sides ask here, so that they never both claim a file.
"""

from __future__ import annotations

from typing import Final, Literal

from evalcore.jsontree import JsonObject

Side = Literal["adk", "tenxgraph"]

ADK_TURN: Final = frozenset(
    {"userContent", "finalResponse", "final_response", "intermediateData", "intermediate_data"}
)
TENXGRAPH_TURN: Final = frozenset(
    {
        "expected_tool_trajectory",
        "expected_node_order",
        "expected_final_response",
        "expected_intermediate_responses",
    }
)
ADK_CASE: Final = frozenset(
    {"evalId", "conversationScenario", "conversation_scenario", "sessionInput"}
)
ADK_SET: Final = frozenset({"evalSetId", "evalCases", "creation_timestamp"})
SHARED_CRITERIA: Final = frozenset(
    {
        "tool_trajectory_avg_score",
        "response_match_score",
        "final_response_match_v2",
        "rubric_based_final_response_quality_v1",
        "hallucinations_v1",
        "safety_v1",
    }
)
"""Metrics of ADK's after which 10xGraph names its criteria in results."""
TENXGRAPH_CRITERIA: Final = frozenset(
    {
        "tool_name_match",
        "trajectory",
        "node_order",
        "response_match",
        "rouge_match",
        "contains_keywords",
        "llm_judge",
        "rubric_based",
        "factual_accuracy",
        "hallucination",
        "safety",
        "simulation_goals",
        "tool_name_match_score",
        "trajectory_match",
        "node_order_score",
        "node_order_match_score",
        "rubric_based_score",
        "factual_accuracy_v1",
        "factual_accuracy_score",
        "safety_score",
        "simulation_goals_match",
        "conversation_goals",
        "exact_match",
    }
)
"""What 10xGraph calls its criteria or once called them, where ADK has no metric of that name."""
CASES_LOOKED_AT: Final = 200


def sides_of_turn(turn: JsonObject) -> set[Side]:
    """Return whose marks a turn has: one side's, both sides' or none."""
    said = turn.get("user_content")
    inside = said.keys() if isinstance(said, dict) else ()
    sides: set[Side] = set()
    if ADK_TURN & turn.keys() or "parts" in inside:
        sides.add("adk")
    if TENXGRAPH_TURN & turn.keys() or "content" in inside:
        sides.add("tenxgraph")
    return sides
