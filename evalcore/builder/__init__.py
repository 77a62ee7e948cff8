"""Eval sets built by a program, in any format.

builder = EvalSetBuilder("weather", to="tenxgraph")
builder.add_case("Weather in London?", "Sunny.", expected_tools=["get_weather"])
builder.add_multi_turn([("Hello", "Hi!"), ("Weather in Paris?", "It is 18 degrees.")])
builder.save("evals/weather.json")
"""

from evalcore.builder.builder import EvalSetBuilder, filter_by_tags
from evalcore.builder.cases import Case, Tool, Turn, multi_turn, single_turn
from evalcore.model import ToolCall

__all__ = [
    "Case",
    "EvalSetBuilder",
    "Tool",
    "ToolCall",
    "Turn",
    "filter_by_tags",
    "multi_turn",
    "single_turn",
]
