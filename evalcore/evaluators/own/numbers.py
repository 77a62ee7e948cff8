"""``evaldesk.number``: a number that may differ a little."""

from __future__ import annotations

import math
import re
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Need, Params, Turn
from evalcore.evaluators.own.base import TurnEvaluator, TurnParams
from evalcore.evaluators.own.values import as_query, find
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.results import Score

_NUMBERS = {
    ".": re.compile(r"(?<![\w.])[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"),
    ",": re.compile(r"(?<![\w,])[-+−]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?"),
}
_OTHER = {".": ",", ",": "."}


class NumberParams(TurnParams):
    """Parameters of the comparison of numbers."""

    path: Annotated[str, AfterValidator(as_query)] = Field(
        "$", title="Place", description="A JSON path to the number; $ is the whole output."
    )
    value: float | None = Field(
        None,
        allow_inf_nan=False,
        title="Expected number",
        description="Empty: the number at the same place of the expected output.",
    )
    absolute: float = Field(
        0.0, ge=0, allow_inf_nan=False, title="May differ by", description="In the number's unit."
    )
    relative: float = Field(
        0.0,
        ge=0,
        allow_inf_nan=False,
        title="May differ by a share",
        description="0.05 allows 5 % of the expected number; the larger allowance counts.",
    )
    decimal: Literal[".", ","] = Field(
        ".", title="Decimal sign in texts", description="The other one may separate thousands."
    )


class NumericTolerance(TurnEvaluator):
    """1 if the number is near enough, else 0; of a text with several numbers, if any one is.

    Near enough is a distance of at most the larger allowance, both ends included.
    """

    kind = "evaldesk.number"
    label = "Number within a tolerance"
    help = "Is the number near enough to the expected one?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = NumberParams
    params: NumberParams

    def turn(self, turn: Turn) -> Score:
        """Compare the numbers. Raises EvaldeskError where the expected place has not one number."""
        wanted = self.params.value
        if wanted is None:
            if turn.expected is None or turn.expected.expected_output is MISSING:
                return self.score(None, "No output is expected of this turn.")
            wanted = self._one(turn.expected.expected_output)
        found = self._numbers(turn.actual.actual_output)
        if not found:
            return self.passing(0.0, f"There is no number at {self.params.path}.")
        nearest = min(found, key=lambda number: abs(number - wanted))
        allowed = max(self.params.absolute, self.params.relative * abs(wanted))
        # Both ends count: the distance may exceed the allowance by float rounding alone.
        near = abs(nearest - wanted) <= allowed or math.isclose(
            abs(nearest - wanted), allowed, rel_tol=1e-12
        )
        several = f"The nearest of {len(found)} numbers in the text counts."
        return self.passing(
            float(near),
            f"Expected {wanted:.12g} ± {allowed:.12g}, got {nearest:.12g}.",
            [several] if len(found) > 1 else [],
        )

    def _one(self, value: JsonValue) -> float:
        numbers = self._numbers(value)
        if len(numbers) != 1:
            raise EvaldeskError(
                f"The expected output has {len(numbers)} numbers at {self.params.path}, not one",
                hint="Give the check the expected number, or a path to it.",
            )
        return numbers[0]

    def _numbers(self, value: JsonValue | Missing) -> list[float]:
        return [n for place in find(value, self.params.path) for n in self._in(place.value)]

    def _in(self, value: JsonValue) -> list[float]:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return [float(value)] if math.isfinite(value) else []
        if not isinstance(value, str):
            return []
        texts = _NUMBERS[self.params.decimal].findall(value)
        return [n for text in texts if math.isfinite(n := self._read(text))]

    def _read(self, text: str) -> float:
        plain = text.replace("−", "-").replace(_OTHER[self.params.decimal], "")
        return float(plain.replace(self.params.decimal, "."))
