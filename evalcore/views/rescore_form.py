"""A form for the parameters of any check, drawn from its model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build, kinds
from evalcore.evaluators.base import Evaluator, Params
from evalcore.jsontree import JsonObject, JsonValue
from evalcore.scoring import Check
from evalcore.scoring.sidecar import PREFIX
from evalcore.views.rescore import MARK, TRAJECTORY, Material, Plan

Kind = Literal["flag", "number", "whole", "choice", "text", "list", "json"]
HIDDEN: Final = frozenset({MARK, "default_evaluation_criteria", "literal_data", "aggregators"})
OF_POLICY: Final = frozenset({"match_type", "ignore_args"})
"""What Harnest's policy decides, whatever a file says."""
STARTS: Final[dict[str, JsonObject]] = {
    "evaldesk.json_path": {"path": "$", "expect": "exists"},
    "evaldesk.regex": {"pattern": "."},
    "evaldesk.limits": {"max_seconds": 60.0},
}
"""What a new check of ours begins with, where it cannot do without."""


@dataclass(frozen=True, slots=True)
class ParamField:
    """One parameter as a form shows it. ``filed`` is what the file has, ``value`` the plan's.

    ``optional`` ones may be left empty. ``options`` are those of a choice, ``long`` is a text of
    several lines.
    """

    name: str
    title: str
    help: str
    kind: Kind
    value: JsonValue
    filed: JsonValue
    options: tuple[str, ...] = ()
    optional: bool = False
    long: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the plan has another value than the file."""
        return self.value != self.filed


@dataclass(frozen=True, slots=True)
class Rail:
    """Where a check's pass mark lies. ``is_users`` marks one that no file holds."""

    low: float
    high: float
    step: float
    value: float
    filed: float
    is_users: bool


def fields_of(check: Check, plan: Plan, material: Material) -> tuple[ParamField, ...]:
    """Return the parameters of a check as its files have it, with the plan's values.

    The pass mark is not among them (``rail_of``), nor what no form can show.
    """
    if check.evaluator is None:
        return ()
    hidden = HIDDEN | (OF_POLICY if material.policy and check.ref == TRAJECTORY else set())
    return _fields(check.evaluator.params, plan.params.get(check.ref, {}), hidden)


def fields_for_case(check: Check, own: Mapping[str, JsonValue]) -> tuple[ParamField, ...]:
    """Return the parameters of a check of ours, its pass mark too, with what a case has of its own.

    ``filed`` is here what the check has for all other cases.
    """
    return _fields(check.evaluator.params, own, frozenset()) if check.evaluator else ()


def usable_for_case(check: Check, own: JsonObject) -> None:
    """Raise EvaldeskError where a check does not take parameters of a case."""
    if check.evaluator is not None:
        build(check.evaluator.kind, {**check.evaluator.params.model_dump(), **own}, check.label)


def rail_of(check: Check, plan: Plan, material: Material) -> Rail | None:
    """Return the pass mark of a check as its files have it; None where there is none to move."""
    if check.evaluator is None:
        return None
    if check.mark is None:
        if material.has_pass_rule:
            return None
        value = plan.marks.get(check.ref, material.mark)
        return Rail(0.0, 1.0, 0.01, value, material.mark, is_users=True)
    own = plan.params.get(check.ref, {}).get(MARK, check.mark)
    value = float(own) if isinstance(own, (int, float)) else check.mark
    scale = check.evaluator.scale
    low = min(scale.worst, check.mark, value)
    high = max(scale.best, check.mark, value)
    return Rail(low, high, 0.01 if high - low <= 10 else 1.0, value, check.mark, is_users=False)


def parse(field: ParamField, typed: object) -> JsonValue:
    """Return what was typed as the parameter's value; raises EvaldeskError where it is none."""
    if field.optional and typed in (None, ""):
        return None
    if field.kind in ("number", "whole"):
        return _number(field, str(typed))
    if field.kind == "json" and isinstance(typed, str):
        try:
            parsed: JsonValue = json.loads(typed)
        except ValueError:
            return typed
        return parsed
    return [str(item) for item in typed] if isinstance(typed, list) else typed  # type: ignore[return-value]


def own_kinds() -> dict[str, type[Evaluator]]:
    """Return the kinds of checks of ours, by id."""
    return {name: cls for name, cls in kinds().items() if name.startswith(PREFIX)}


def fresh_name(kind: str, taken: set[str]) -> str:
    """Return a name for a new check of a kind that no other one has, in any letter case."""
    base = own_kinds()[kind].label
    folded = {name.casefold() for name in taken}
    names = (base if n == 1 else f"{base} {n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name.casefold() not in folded)


def params_of(check: Check) -> JsonObject:
    """Return a check's parameters for a file: only what differs from the defaults."""
    if check.evaluator is None:
        return {}
    found: JsonObject = check.evaluator.params.model_dump(mode="json", exclude_defaults=True)
    return found


def _fields(
    params: Params, changed: Mapping[str, JsonValue], hidden: Set[str]
) -> tuple[ParamField, ...]:
    found = []
    for name, info in type(params).model_fields.items():
        shape = _shape(info.annotation)
        if name in hidden or shape is None:
            continue
        filed = _plain(getattr(params, name))
        if shape[0] == "text" and not isinstance(filed, str):
            continue
        found.append(_field(name, info, shape, changed.get(name, filed), filed))
    return tuple(found)


_Shape = tuple[Kind, tuple[str, ...], bool]


def _field(
    name: str, info: FieldInfo, shape: _Shape, value: JsonValue, filed: JsonValue
) -> ParamField:
    kind, options, optional = shape
    return ParamField(
        name=name,
        title=info.title or name.replace("_", " ").capitalize(),
        help=info.description or "",
        kind=kind,
        value=value,
        filed=filed,
        options=options,
        optional=optional,
        long=name == "prompt",
    )


def _shape(annotation: Any) -> _Shape | None:
    """Return how a type is edited, None for one that no form shows."""
    if annotation is Any:
        return "json", (), True
    optional = False
    if get_origin(annotation) in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        optional = len(parts) < len(get_args(annotation))
        if str not in parts and len(parts) > 1:
            return None
        annotation = str if str in parts else parts[0]
    if get_origin(annotation) is Literal:
        return "choice", tuple(map(str, get_args(annotation))), optional
    if annotation == list[str]:
        return "list", (), optional
    simple: dict[Any, Kind] = {bool: "flag", float: "number", int: "whole", str: "text"}
    kind = simple.get(annotation)
    return None if kind is None else (kind, (), optional)


def _plain(value: Any) -> JsonValue:
    if isinstance(value, tuple):
        return list(value)
    plain: JsonValue = value
    return plain if not isinstance(value, Params) else None


def _number(field: ParamField, typed: str) -> JsonValue:
    text = typed.strip().replace(",", ".") if typed.count(",") == 1 else typed.strip()
    try:
        return int(text) if field.kind == "whole" else float(text)
    except ValueError as error:
        kind = "a whole number" if field.kind == "whole" else "a number"
        raise EvaldeskError(
            f"{field.title}: {typed!r} is no number", hint=f"Type {kind}."
        ) from error
