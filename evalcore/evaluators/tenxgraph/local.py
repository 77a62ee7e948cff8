"""10xGraph's checks that compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import eq
from typing import ClassVar, TypeVar

from pydantic import Field

from evalcore.evaluators.base import Need, Params, Sample, further_calls
from evalcore.evaluators.measures.rouge import overlap, tenxgraph_words
from evalcore.evaluators.measures.trajectory import (
    matches_by_place,
    prefix_in_order,
    taken_in_any_order,
)
from evalcore.evaluators.tenxgraph import traps
from evalcore.evaluators.tenxgraph.base import (
    Criterion,
    WholeCase,
    actual_calls,
    expected_calls,
    expected_nodes,
    expected_reply,
    final_reply,
    visited_nodes,
)
from evalcore.evaluators.tenxgraph.traps import MatchType, args_of
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.results import Remarks, Score

T = TypeVar("T")
NO_REPLY = "No reply is expected."


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

    keywords: list[str] = Field(
        default_factory=list,
        title="Words to find",
        description="The score is the share of them that the reply contains.",
    )


class Trajectory(WholeCase):
    """``trajectory``: the share of expected calls that were made."""

    kind = "tenxgraph.trajectory"
    label = "Tool trajectory"
    help = "Were the expected tools called, in the expected order?"
    needs = frozenset({Need.TOOL_CALLS})
    params_type: ClassVar[type[Params]] = TrajectoryCriterion
    params: TrajectoryCriterion

    def measure(self, sample: Sample) -> Score:
        """Compare the calls of all turns together."""
        wanted, made = expected_calls(sample), actual_calls(sample)
        params = self.params
        order, with_args = params.match_type, params.check_args
        if not wanted:
            strict = order == "EXACT"
            value = 0.0 if strict and made else 1.0
            given = 0.0 if strict else 1.0
            reason = "No calls are expected."
            return self.measured(
                value, lambda: Remarks(f"{reason} {_names(wanted, made)}"), given=given
            )
        matched = matched_calls(order, wanted, made, with_args=with_args)
        return self.measured(matched / len(wanted), lambda: self._remarks(wanted, made, matched))

    def _remarks(
        self, wanted: Sequence[ToolCall], made: Sequence[ToolCall], matched: int
    ) -> Remarks:
        order, with_args = self.params.match_type, self.params.check_args
        match = _same_call if with_args else _same_name
        cautions = traps.of_alignment(order, wanted, made, match, matched, "calls")
        if made:
            cautions += traps.of_arguments(wanted, made, compared=with_args)
        reason = f"{matched} of {len(wanted)} expected calls matched. {_names(wanted, made)}"
        return Remarks(reason, tuple(cautions))


class ToolNames(WholeCase):
    """``tool_name_match``: the share of expected tool names that were called, in any order."""

    kind = "tenxgraph.tool_name_match"
    label = "Tool names"
    help = "Were the expected tools called, whatever the order and arguments?"
    needs = frozenset({Need.TOOL_CALLS})

    def measure(self, sample: Sample) -> Score:
        """Compare names as often as they occur; further calls are free."""
        wanted = [c.name for c in expected_calls(sample)]
        made = [c.name for c in actual_calls(sample)]
        matched = taken_in_any_order(wanted, made, eq)
        remarks = partial(_name_remarks, wanted, made, matched)
        if not wanted:
            return self.measured(0.5 if made else 1.0, remarks, given=0.5)
        return self.measured(matched / len(wanted), remarks)


class NodeOrder(WholeCase):
    """``node_order``: the share of expected nodes that were visited."""

    kind = "tenxgraph.node_order"
    label = "Node order"
    help = "Were the expected nodes of the graph visited?"
    needs = frozenset({Need.NODE_VISITS})
    params_type: ClassVar[type[Params]] = OrderedCriterion
    params: OrderedCriterion

    def measure(self, sample: Sample) -> Score:
        """Compare the nodes of all turns together."""
        wanted, visited = expected_nodes(sample), visited_nodes(sample)
        if not wanted:
            reason = f"No nodes are expected. Expected {wanted}, visited {visited}."
            return self.measured(1.0, lambda: Remarks(reason), given=1.0)
        matched = matches(self.params.match_type, wanted, visited, eq)
        return self.measured(matched / len(wanted), lambda: self._remarks(wanted, visited, matched))

    def _remarks(self, wanted: Sequence[str], visited: Sequence[str], matched: int) -> Remarks:
        cautions = traps.of_nodes(wanted, visited)
        order = self.params.match_type
        cautions += traps.of_alignment(order, wanted, visited, eq, matched, "nodes")
        counts = f"{matched} of {len(wanted)} expected nodes matched."
        return Remarks(f"{counts} Expected {wanted}, visited {visited}.", tuple(cautions))


class RougeMatch(WholeCase):
    """``rouge_match``: F1 of the two replies' sets of words."""

    kind = "tenxgraph.rouge_match"
    label = "Word overlap"
    help = "How many different words do the reply and the expected reply share?"
    needs = frozenset({Need.OUTPUT})

    def measure(self, sample: Sample) -> Score:
        """Compare sets of words; without an expected reply the score says nothing."""
        reply, actual = expected_reply(sample), final_reply(sample)
        expected = reply.text
        if not expected:
            free = partial(Remarks, NO_REPLY, tuple(traps.of_reply(sample, reply)))
            return self.measured(0.5 if actual else 1.0, free, given=0.5)
        left, right = tenxgraph_words(expected), tenxgraph_words(actual)
        f1 = overlap(len(left & right), len(left), len(right)).f1 if left or right else 1.0

        def remarks() -> Remarks:
            both = len(left & right)
            reason = (
                f"{both} of the reply's {len(right)} different words are expected, and {both} of "
                f"the {len(left)} expected ones are there: F1 {f1:.3f}."
            )
            hidden = traps.of_words(left, right, expected, actual)
            return Remarks(reason, (*traps.of_reply(sample, reply), *hidden))

        return self.measured(f1, remarks)


class ExactMatch(WholeCase):
    """``exact_match``: 1 if both replies are the same text, else 0."""

    kind = "tenxgraph.exact_match"
    label = "Exact match"
    help = "Is the reply the expected one, letter by letter?"
    needs = frozenset({Need.OUTPUT})

    def measure(self, sample: Sample) -> Score:
        """Compare texts without the white space around them."""
        reply = expected_reply(sample)
        left, right = reply.text.strip(), final_reply(sample).strip()

        def remarks() -> Remarks:
            cautions = traps.of_reply(sample, reply)
            if not left:
                cautions.append(f"{NO_REPLY} Only an empty reply passes.")
            else:
                cautions += traps.of_equality(left, right)
            reason = "The texts are the same." if left == right else "The texts differ."
            return Remarks(reason, tuple(cautions))

        return self.measured(float(left == right), remarks)


class ContainsKeywords(WholeCase):
    """``contains_keywords``: the share of the configured words that the reply contains."""

    kind = "tenxgraph.contains_keywords"
    label = "Keywords"
    help = "Does the reply contain these words?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = KeywordsCriterion
    params: KeywordsCriterion

    def measure(self, sample: Sample) -> Score:
        """Look for each word anywhere in the reply, inside other words too."""
        words, reply = self.params.keywords, final_reply(sample).lower()
        if not words:
            return self.measured(1.0, lambda: Remarks("No words are configured."), given=1.0)
        missing = [word for word in words if word.lower() not in reply]
        found = len(words) - len(missing)

        def remarks() -> Remarks:
            told = f" Missing: {missing}." if missing else ""
            reason = f"{found} of {len(words)} words are there.{told}"
            return Remarks(reason, tuple(traps.of_keywords(words, reply)))

        return self.measured(found / len(words), remarks)


def _names(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> str:
    return f"Expected {[c.name for c in wanted]}, got {[c.name for c in made]}."


def _name_remarks(wanted: Sequence[str], made: Sequence[str], matched: int) -> Remarks:
    names = f"Expected {wanted}, got {made}."
    if not wanted:
        free = ("No tool is expected: any call at all scores 0.5.",) if made else ()
        return Remarks(names, free)
    extra = len(made) - matched
    cautions = (further_calls(extra),) if extra else ()
    return Remarks(f"{matched} of {len(wanted)} expected names were called. {names}", cautions)


def matches(
    match_type: MatchType, wanted: Sequence[T], made: Sequence[T], match: Callable[[T, T], bool]
) -> int:
    """Return how many of ``wanted`` 10xGraph finds in ``made`` by a match type."""
    if match_type == "EXACT":
        return matches_by_place(wanted, made, match)
    if match_type == "IN_ORDER":
        return prefix_in_order(wanted, made, match)
    return taken_in_any_order(wanted, made, match)


def matched_calls(
    match_type: MatchType, wanted: Sequence[ToolCall], made: Sequence[ToolCall], *, with_args: bool
) -> int:
    """Return how many expected calls 10xGraph finds in those made by a match type."""
    if with_args:
        return _WITH_ARGS[match_type](wanted, made)
    left, right = ([call.name for call in calls] for calls in (wanted, made))
    return matches(match_type, left, right, eq)


# The same rules for calls with arguments, in loops of their own: a function called for each pair
# would cost as much as all the rest of an evaluation.


def _by_place(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> int:
    found = 0
    for expected, actual in zip(wanted, made, strict=False):
        if expected.name == actual.name:
            args = expected.args
            if not args or args == actual.args:
                found += 1
    return found


def _prefix(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> int:
    found, count = 0, len(wanted)
    name, args = wanted[0].name, wanted[0].args
    for actual in made:
        if actual.name == name and (not args or args == actual.args):
            found += 1
            if found == count:
                break
            name, args = wanted[found].name, wanted[found].args
    return found


def _taken(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> int:
    """Return how many expected calls find an unused one, each taking the first that matches."""
    unused: dict[str, list[object]] = {}
    for call in made:
        name, args = call.name, call.args
        if name in unused:
            unused[name].append(args)
        else:
            unused[name] = [args]
    taken = 0
    for call in wanted:
        rest = unused.get(call.name)
        if not rest:
            continue
        args = call.args
        if not args:
            del rest[0]
        elif args in rest:
            rest.remove(args)
        else:
            continue
        taken += 1
    return taken


_WITH_ARGS: dict[MatchType, Callable[[Sequence[ToolCall], Sequence[ToolCall]], int]] = {
    "EXACT": _by_place,
    "IN_ORDER": _prefix,
    "ANY_ORDER": _taken,
}


def _same_name(expected: ToolCall, actual: ToolCall) -> bool:
    return expected.name == actual.name


def _same_call(expected: ToolCall, actual: ToolCall) -> bool:
    if expected.name != actual.name:
        return False
    args = expected.args
    return args is MISSING or not args or args == args_of(actual)
