"""10xGraph's checks that compute. Each scores a whole case once.

Expected calls and nodes of all turns are put together, as are those made. The reply judged is that of
the last turn; the expected one is that of the last turn that has any, which may be an earlier turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal, TypeVar

from pydantic import Field

from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.evaluators.measures.rouge import tenxgraph_overlap
from evalcore.evaluators.measures.trajectory import (
    matches_by_place,
    prefix_in_order,
    taken_in_any_order,
)
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

T = TypeVar("T")
MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]


class Criterion(Params):
    """Parameters that every check of 10xGraph has."""

    threshold: float = Field(0.8, title="Pass mark", description="Scores from here on pass.")


class OrderedCriterion(Criterion):
    """Parameters of a check of an order."""

    match_type: MatchType = Field(
        "EXACT",
        title="Order",
        description="EXACT: place by place. IN_ORDER: up to the first missing. ANY_ORDER: any.",
    )


class TrajectoryCriterion(OrderedCriterion):
    """Parameters of the tool trajectory."""

    check_args: bool = Field(
        False, title="Compare arguments", description="An expected call without any matches all."
    )


class KeywordsCriterion(Criterion):
    """Parameters of the keyword check."""

    keywords: list[str] = Field(default_factory=list, title="Words to find")


class WholeCase(Evaluator):
    """A check that gives one number for a case."""

    params: Criterion
    params_type: ClassVar[type[Params]] = Criterion

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the case."""
        value, reason, cautions = self.measure(sample)
        overall = self.score(value, reason, threshold=self.params.threshold, cautions=cautions)
        return Outcome(overall=overall)

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Return the score, its reason, and what it hides."""
        raise TypeError(f"{type(self).__name__} does not say how it measures")


class Trajectory(WholeCase):
    """``trajectory``: the share of expected calls that were made."""

    kind = "tenxgraph.trajectory"
    label = "Tool trajectory"
    help = "Were the expected tools called, in the expected order?"
    needs = frozenset({Need.TOOL_CALLS})
    params_type: ClassVar[type[Params]] = TrajectoryCriterion
    params: TrajectoryCriterion

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Compare the calls of all turns together."""
        wanted, made = expected_calls(sample), actual_calls(sample)
        names = f"Expected {[c.name for c in wanted]}, got {[c.name for c in made]}."
        if not wanted:
            strict = self.params.match_type == "EXACT" and made
            cautions = ["Nothing is expected, so any calls pass."] if made and not strict else ()
            return 0.0 if strict else 1.0, f"No calls are expected. {names}", cautions
        score = share_matched(self.params.match_type, wanted, made, self._match)
        free = self.params.match_type == "EXACT" and len(made) > len(wanted)
        extra = f"{len(made) - len(wanted)} more calls than expected are free under EXACT."
        return score, f"Matched {score:.0%} of the calls. {names}", [extra] if free else ()

    def _match(self, expected: ToolCall, actual: ToolCall) -> bool:
        if expected.name != actual.name:
            return False
        args = _args(expected)
        return not self.params.check_args or not args or args == _args(actual)


class ToolNames(WholeCase):
    """``tool_name_match``: the share of expected tool names that were called, in any order."""

    kind = "tenxgraph.tool_name_match"
    label = "Tool names"
    help = "Were the expected tools called, whatever the order and arguments?"
    needs = frozenset({Need.TOOL_CALLS})

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Compare names as often as they occur; further calls are free."""
        wanted = [c.name for c in expected_calls(sample)]
        made = [c.name for c in actual_calls(sample)]
        reason = f"Expected {wanted}, got {made}."
        if not wanted:
            if not made:
                return 1.0, reason, ()
            return 0.5, reason, ["No tool is expected: any call scores 0.5."]
        return taken_in_any_order(wanted, made, str.__eq__) / len(wanted), reason, ()


class NodeOrder(WholeCase):
    """``node_order``: the share of expected nodes that were visited."""

    kind = "tenxgraph.node_order"
    label = "Node order"
    help = "Were the expected nodes of the graph visited?"
    needs = frozenset({Need.NODE_VISITS})
    params_type: ClassVar[type[Params]] = OrderedCriterion
    params: OrderedCriterion

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Compare the nodes of all turns together."""
        wanted = [n for t in sample.turns if t.expected for n in t.expected.node_order]
        visited = [n for t in sample.turns for n in t.actual.node_visits or ()]
        reason = f"Expected {wanted}, visited {visited}."
        if not wanted:
            return 1.0, reason, ["No node is expected, so any visits pass."] if visited else ()
        starts = visited[:1] == ["__start__"] and wanted[0] != "__start__"
        cautions = ["Runs record __start__ first and never a ToolNode."] if starts else ()
        return share_matched(self.params.match_type, wanted, visited, str.__eq__), reason, cautions


class RougeMatch(WholeCase):
    """``rouge_match``: F1 of the two replies' sets of words."""

    kind = "tenxgraph.rouge_match"
    label = "Word overlap"
    help = "How many different words do the reply and the expected reply share?"
    needs = frozenset({Need.OUTPUT})

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Compare sets of words; without an expected reply the score says nothing."""
        expected, actual = expected_reply(sample), final_reply(sample)
        if not expected:
            score = 0.5 if actual else 1.0
            return score, "No reply is expected.", ["No reply is expected: this is no measure."]
        found = tenxgraph_overlap(expected, actual)
        reason = f"Precision {found.precision:.3f}, recall {found.recall:.3f} of different words."
        return found.f1, reason, ()


class ExactMatch(WholeCase):
    """``exact_match``: 1 if both replies are the same text, else 0."""

    kind = "tenxgraph.exact_match"
    label = "Exact match"
    help = "Is the reply the expected one, letter by letter?"
    needs = frozenset({Need.OUTPUT})

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Compare texts without the white space around them."""
        expected, actual = expected_reply(sample).strip(), final_reply(sample).strip()
        same = expected == actual
        return float(same), "The texts are the same." if same else "The texts differ.", ()


class ContainsKeywords(WholeCase):
    """``contains_keywords``: the share of the configured words that the reply contains."""

    kind = "tenxgraph.contains_keywords"
    label = "Keywords"
    help = "Does the reply contain these words?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = KeywordsCriterion
    params: KeywordsCriterion

    def measure(self, sample: Sample) -> tuple[float, str, Sequence[str]]:
        """Look for each word anywhere in the reply, inside other words too."""
        words, reply = self.params.keywords, final_reply(sample).lower()
        if not words:
            return 1.0, "No words are configured.", ["No words are configured: always passes."]
        missing = [word for word in words if word.lower() not in reply]
        score = (len(words) - len(missing)) / len(words)
        return score, f"Missing: {missing}." if missing else "All words are there.", ()


def share_matched(
    match_type: MatchType, wanted: Sequence[T], made: Sequence[T], match: Callable[[T, T], bool]
) -> float:
    """Return the share of ``wanted``, which is not empty, that ``made`` has by a match type."""
    rules = {
        "EXACT": matches_by_place,
        "IN_ORDER": prefix_in_order,
        "ANY_ORDER": taken_in_any_order,
    }
    return rules[match_type](wanted, made, match) / len(wanted)


def expected_calls(sample: Sample) -> list[ToolCall]:
    """Return the expected calls of all turns."""
    return [c for t in sample.turns if t.expected for c in t.expected.tool_calls]


def actual_calls(sample: Sample) -> list[ToolCall]:
    """Return the calls made in all turns."""
    return [c for t in sample.turns for c in t.actual.actual_tool_calls or ()]


def final_reply(sample: Sample) -> str:
    """Return the reply of the last turn, "" if there is none."""
    output = sample.turns[-1].actual.actual_output if sample.turns else MISSING
    return output if isinstance(output, str) else ""


def expected_reply(sample: Sample) -> str:
    """Return the expected reply of the last turn that has one, "" if none has."""
    for turn in reversed(sample.turns):
        expected = turn.expected.expected_output if turn.expected else MISSING
        if isinstance(expected, str):
            return expected
    return ""


def _args(call: ToolCall) -> object:
    return {} if call.args is MISSING else call.args
