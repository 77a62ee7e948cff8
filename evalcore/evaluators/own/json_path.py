"""``evaldesk.json_path``: what stands at a place of the output."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from evalcore.evaluators.base import Need, Params, Turn
from evalcore.evaluators.own.base import TurnEvaluator, TurnParams
from evalcore.evaluators.own.values import Found, as_query, contains, equal, find, shown
from evalcore.jsontree import MISSING, JsonValue
from evalcore.results import Score

Query = Annotated[str, AfterValidator(as_query)]
Expectation = Literal["exists", "absent", "equals", "contains", "one_of", "as_expected"]


class JsonPathParams(TurnParams):
    """Parameters of the check of a place in the output."""

    path: Query = Field(
        title="Place", description="A JSON path such as $.items[*].price; $ is the whole output."
    )
    expect: Expectation = Field(
        "as_expected",
        title="What should be there",
        description="as_expected: what the expected output has there. contains: of an object, at "
        "least these members. one_of: one of the listed values.",
    )
    value: Any = Field(None, title="Value", description="For equals, contains and one_of.")

    @model_validator(mode="after")
    def _one_of_needs_a_list(self) -> JsonPathParams:
        if self.expect == "one_of" and not isinstance(self.value, list):
            raise ValueError("one_of needs a list of values")
        return self


class JsonPath(TurnEvaluator):
    """1 if every place that the path leads to holds what it should, else 0.

    A path that leads nowhere is right only where nothing should be there. 1 and 1.0 are equal;
    texts, numbers and truth values never are.
    """

    kind = "evaldesk.json_path"
    label = "Value at a place"
    help = "Does a place in the output hold the right value?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = JsonPathParams
    params: JsonPathParams

    def turn(self, turn: Turn) -> Score:
        """Compare what stands there. Raises EvaldeskError for an output that has no places."""
        found = find(turn.actual.actual_output, self.params.path)
        if self.params.expect == "as_expected":
            return self._as_expected(turn, found)
        if self.params.expect in ("exists", "absent"):
            there = "is something" if found else "is nothing"
            reason = f"There {there} at {self.params.path}."
            return self.passing(float(bool(found) == (self.params.expect == "exists")), reason)
        return self._every(found)

    def _as_expected(self, turn: Turn, found: list[Found]) -> Score:
        if turn.expected is None or turn.expected.expected_output is MISSING:
            return self.score(None, "No output is expected of this turn.")
        wanted = find(turn.expected.expected_output, self.params.path)
        same = len(wanted) == len(found) and all(
            w.path == f.path and equal(w.value, f.value) for w, f in zip(wanted, found, strict=True)
        )
        cautions = [] if wanted else ["The path leads nowhere in the expected output."]
        left, right = ([item.value for item in side] for side in (wanted, found))
        reason = f"At {self.params.path} expected {_listed(left)}, got {_listed(right)}."
        return self.passing(float(same), reason, cautions)

    def _every(self, found: list[Found]) -> Score:
        wrong = next((place for place in found if not self._fits(place.value)), None)
        wanted = f"{self.params.expect.replace('_', ' ')} {shown(self.params.value)}"
        if not found:
            return self.passing(0.0, f"There is nothing at {self.params.path}; wanted: {wanted}.")
        if wrong is not None:
            return self.passing(0.0, f"{wrong.path} is {shown(wrong.value)}; wanted: {wanted}.")
        return self.passing(1.0, f"{len(found)} of {len(found)} places: {wanted}.")

    def _fits(self, value: JsonValue) -> bool:
        wanted: JsonValue = self.params.value
        if self.params.expect == "one_of" and isinstance(wanted, list):
            return any(equal(value, item) for item in wanted)
        return (contains if self.params.expect == "contains" else equal)(value, wanted)


def _listed(values: list[JsonValue]) -> str:
    return shown(values[0]) if len(values) == 1 else shown(values) if values else "nothing"
