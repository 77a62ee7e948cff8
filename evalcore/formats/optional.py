"""What the eval sets of only some formats have; here is what those without it answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.base import Surroundings
    from evalcore.formats.mocks import SimulatedPart
    from evalcore.results import InvocationResult


@dataclass(frozen=True, slots=True)
class Weight:
    """What an evaluator of a set counts, as it is written: MISSING counts as the system says."""

    ref: str
    value: JsonValue | Missing


class OptionalParts:
    """Mocks, simulated users, criteria, weights, schemas, recorded events and old shapes."""

    def strategy_of(self, raw: JsonValue) -> JsonValue | Missing:
        """Return how a case's tools are replaced, as ``evalcore.mocking`` reads it.

        MISSING where the case says nothing of it, or its system cannot replace any.
        """
        return MISSING

    def simulated_parts(self, value: JsonValue | Missing) -> tuple[SimulatedPart, ...]:
        """Return the components that a field or a file of the project simulates."""
        return ()

    def with_turns(self, raw: JsonValue) -> JsonValue:
        """Return a case whose user says what is written, instead of being simulated.

        Raises FormatError for formats without simulated users, as ``with_simulated_user`` does.
        """
        raise FormatError("This format has no simulated users")

    def with_simulated_user(self, raw: JsonValue) -> JsonValue:
        """Return a case with a simulated user instead of its turns."""
        raise FormatError("This format has no simulated users")

    def criteria_met(
        self, criteria: Mapping[str, JsonValue], turn: InvocationResult
    ) -> Mapping[str, JsonValue]:
        """Return what each check of a case would have to expect to be met by what happened.

        Checks that a result does not tell of are left out; {} for formats whose cases have no
        criteria.
        """
        return {}

    def run_schema(self, name: str, event: JsonValue) -> Mapping[str, Any]:
        """Return the schema of a part of an event that a run recorded."""
        return {}

    def weights(self, value: JsonValue, variant: str) -> tuple[Weight, ...]:
        """Return the set's evaluators with their weights; () where a set has no place for any.

        ``variant`` is the variant of the format as which the file was recognised.
        """
        return ()

    def put_weight(self, value: JsonValue, index: int, new: JsonValue | Missing) -> JsonValue:
        """Return the tree with the weight of one evaluator written; MISSING removes it."""
        raise FormatError("Evaluators have no weights in this format")

    def schemas(self, near: Surroundings) -> Mapping[str, JsonObject]:
        """Return the JSON schemas that the project gives for fields of cases, by field."""
        return {}

    def modernise(self, value: JsonValue, set_id: str, name: str) -> JsonValue:
        """Return a read-only set as a new-style one of the same format.

        Raises FormatError for formats whose sets are all editable.
        """
        raise FormatError("This set is already in its format's current shape")
