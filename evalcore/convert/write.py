"""Writes a set in its format, and takes out again whatever its own system would refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from evalcore.convert.atlas import SET, Place
from evalcore.convert.naming import made_guid
from evalcore.convert.portable import Out, OutCase
from evalcore.errors import FormatError, Problem
from evalcore.formats import check_document, detect
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, Missing, get, is_within, join, put, split

if TYPE_CHECKING:
    from evalcore.convert.model import Target
    from evalcore.formats.evalset import EvalSetLens, Level
    from evalcore.formats.lenses import Spelling

ROUNDS = 40
"""How often a set is checked again; each round mends everything that the check before found."""


class Refused(FormatError):
    """A set that its system refuses as a whole, whatever is taken out of it."""


class Removed(NamedTuple):
    """Something taken out: the number of its case as handed in, its path there, and why."""

    number: int
    path: str
    why: str


@dataclass(slots=True)
class Written:
    """A new set. ``order`` has, for each of its cases, the number under which it was handed in.

    ``refused`` says why a field could not be written at all.
    """

    value: JsonValue
    order: list[int] = field(default_factory=list)
    refused: dict[Place, str] = field(default_factory=dict)
    removed: list[Removed] = field(default_factory=list)


def written(
    lens: EvalSetLens, out: Out, cases: Sequence[OutCase], stem: str, now: datetime
) -> Written:
    """Return a new set of a format with all cases, whether or not its system would load it."""
    name = out.values.get("name")
    blank = lens.blank_set(stem, name if isinstance(name, str) else stem, now)
    made = Written(blank)
    style = lens.style(blank)
    set_id = out.values.get("id")
    if any(f.name == "id" and f.read_only for f in lens.set_fields) and set_id is None:
        made.value = _put(made, lens, blank, "set", Place(SET, SET, "id"), made_guid(stem), style)
    for named, value in out.values.items():
        place = Place(SET, SET, named)
        made.value = _put(made, lens, made.value, "set", place, value, style)
    raws: list[JsonValue] = [
        _case(made, lens, case, number, stem, now) for number, case in enumerate(cases)
    ]
    made.value = put(made.value, lens.cases_pointer(made.value), raws)
    made.order = list(range(len(raws)))
    return made


def _case(
    made: Written, lens: EvalSetLens, case: OutCase, number: int, stem: str, now: datetime
) -> JsonValue:
    raw = lens.blank_case(made.value, case.label, now)
    style = lens.style_at(raw, made.value)
    if any(f.name == "id" and f.read_only for f in lens.case_fields):
        place = Place(number, SET, "id")
        raw = _put(made, lens, raw, "case", place, made_guid(stem, case.label), style)
    for name, value in case.own.values.items():
        raw = _put(made, lens, raw, "case", Place(number, SET, name), value, style)
    if not lens.has_turns:
        for name, value in case.turns[0].values.items() if case.turns else ():
            raw = _put(made, lens, raw, "invocation", Place(number, 0, name), value, style)
        return raw
    turns: list[JsonValue] = []
    for index, turn in enumerate(case.turns):
        written_turn = lens.blank_invocation(raw)
        for name, value in turn.values.items():
            place = Place(number, index, name)
            written_turn = _put(made, lens, written_turn, "invocation", place, value, style)
        turns.append(written_turn)
    return put(raw, lens.invocations_pointer(raw), turns)


def _put(
    made: Written,
    lens: EvalSetLens,
    raw: JsonValue,
    level: Level,
    place: Place,
    value: object,
    style: Spelling,
) -> JsonValue:
    try:
        return lens.field(level, place.field).lens.put(raw, value, style)
    except FormatError as error:
        made.refused[place] = error.message
        return raw


def loadable(made: Written, lens: EvalSetLens, target: Target, now: datetime) -> Written:
    """Take out of a set what its system refuses, until it loads it.

    What every case must have goes back to what a new case has there; a case that is refused for
    something that it lacks is left out. Raises Refused where the set as a whole is refused.
    """
    tried: set[tuple[int, str]] = set()
    for _round in range(ROUNDS):
        errors = errors_of(made.value, target)
        if not errors:
            return made
        gone: set[int] = set()
        # From the end: what is taken out of a list then moves nothing that is still to be mended.
        for problem in reversed(errors):
            _mend(made, lens, problem, tried, gone, now)
        if gone:
            _leave_out(made, lens, gone)
    raise Refused(
        f"The converted set would not be loaded by {target.format.system}",
        hint="Mend the problems of the original first: `evaldesk check` lists them.",
    )


def errors_of(value: JsonValue, target: Target) -> list[Problem]:
    """Return the errors of a set, whatever lies around it."""
    document = JsonDocument.parse(JsonDocument.parse(b"{}\n").render(value))
    detection = detect(document.value, target.path)
    wanted = target.format
    if detection is None or detection.format_id != wanted.id or detection.kind is not Kind.EVAL_SET:
        where = "; ".join(f.where for f in wanted.known_files if f.kind is Kind.EVAL_SET)
        raise FormatError(
            f"{wanted.system} would not take {str(target.path)!r} for one of its eval sets",
            hint=f"Choose a name and folder as it expects them: {where}." if where else "",
        )
    found = check_document(document, detection, target.path)
    return [problem for problem in found if problem.severity == "error"]


def _mend(
    made: Written,
    lens: EvalSetLens,
    problem: Problem,
    tried: set[tuple[int, str]],
    gone: set[int],
    now: datetime,
) -> None:
    pointers = lens.case_pointers(made.value)
    index = next((i for i, p in enumerate(pointers) if is_within(problem.pointer, p)), None)
    base = "" if index is None else pointers[index]
    number = SET if index is None else made.order[index]
    path = problem.pointer[len(base) :]
    while path and (get(made.value, base + path) is MISSING or (number, path) in tried):
        path = join("", *split(path)[:-1])
    if not path:
        if index is None:
            raise Refused(problem.message, hint=problem.hint)
        gone.add(index)
        made.removed.append(Removed(number, "", problem.message))
        return
    tried.add((number, path))
    made.removed.append(Removed(number, path, problem.message))
    new = _usual(lens, made.value, path, index is not None, now)
    made.value = put(made.value, base + path, new)


def _usual(
    lens: EvalSetLens, value: JsonValue, path: str, in_case: bool, now: datetime
) -> JsonValue | Missing:
    """Return what a new case, or a new set, has at a place."""
    blank: Callable[[], JsonValue] = (
        (lambda: lens.blank_case(value, "case", now))
        if in_case
        else (lambda: lens.blank_set("set", "set", now))
    )
    return get(blank(), path)


def _leave_out(made: Written, lens: EvalSetLens, gone: set[int]) -> None:
    made.value = lens.delete_cases(made.value, sorted(gone))
    made.order = [number for index, number in enumerate(made.order) if index not in gone]
