"""Ways to change a check, or what it looks at, that may turn a failure into a pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evalcore.evaluators.base import Evaluator, Need, Sample, Turn
from evalcore.evaluators.measures.similarity import likeness_by_leaf
from evalcore.jsontree import MISSING, JsonValue, get, put
from evalcore.model import Json, MaybeJson, ToolCall

MOST_NAMES = 12
"""How many arguments or fields are tried one by one."""
EXPECTED_KEYS = ("expectedOutput", "expected_output", "searchText", "search_text")
CALLS_KEYS = ("toolCalls", "tool_calls")


@dataclass(frozen=True, slots=True)
class Variant:
    """One change: ``settings`` of the check, and what becomes of a case.

    ``parts`` are what it consists of: a change with fewer parts is the smaller one.
    """

    words: str
    parts: frozenset[str]
    settings: dict[str, Any] = field(default_factory=dict)
    change: Callable[[Sample], Sample] | None = None

    def __and__(self, other: Variant) -> Variant:
        """Return both changes at once."""
        return Variant(
            _joined(self.words, other.words),
            self.parts | other.parts,
            {**self.settings, **other.settings},
            _both(self.change, other.change),
        )


def _joined(first: str, second: str) -> str:
    """Return two phrases as one: ``with `a` and order ignored``."""
    start, end = "with ", " ignored"
    if all(words.startswith(start) and words.endswith(end) for words in (first, second)):
        return f"{first.removesuffix(end)} and {second.removeprefix(start)}"
    return f"{first} and {second}"


def variants(evaluator: Evaluator, sample: Sample) -> Iterator[Variant]:
    """Yield the changes that can be tried for a check and a case, single ones only."""
    names = argument_names(sample) if Need.TOOL_CALLS in evaluator.needs else ()
    for name in names:
        yield Variant(
            f"with `{name}` ignored", frozenset({f"argument {name}"}), change=_without(name)
        )
    yield from _settings(evaluator, sample, names)
    if Need.OUTPUT in evaluator.needs:
        yield from _fields(evaluator, sample)
        if not {"case_sensitive", "ignore_case"} & set(type(evaluator.params).model_fields):
            yield Variant("if case did not matter", frozenset({"case"}), change=_lowered)


def _settings(evaluator: Evaluator, sample: Sample, names: tuple[str, ...]) -> Iterator[Variant]:
    params = evaluator.params
    match = getattr(params, "match_type", None)
    if match == "EXACT":
        yield Variant(
            "with further calls allowed", frozenset({"extra"}), {"match_type": "IN_ORDER"}
        )
    if match in ("EXACT", "IN_ORDER"):
        extra = match == "EXACT" and _has_surplus(sample)
        words = "with order ignored" + (" and further calls allowed" if extra else "")
        parts = {"order", "extra"} if extra else {"order"}
        yield Variant(words, frozenset(parts), {"match_type": "ANY_ORDER"})
    if getattr(params, "order", None) == "in_order":
        yield Variant("with order ignored", frozenset({"order"}), {"order": "any"})
    if getattr(params, "allow_extra", None) is False:
        yield Variant("with further calls allowed", frozenset({"extra"}), {"allow_extra": True})
    every = frozenset({"arguments", *(f"argument {name}" for name in names)})
    for name, on, off in (("ignore_args", False, True), ("check_args", True, False)):
        if getattr(params, name, None) is on:
            yield Variant("with arguments ignored", every, {name: off})
    for name, on, off, words in (
        ("case_sensitive", True, False, "if case did not matter"),
        ("ignore_case", False, True, "if case did not matter"),
        ("strict", True, False, "without “all or nothing”"),
        ("whole", True, False, "if further text were allowed"),
    ):
        if getattr(params, name, None) is on:
            yield Variant(words, frozenset({name}), {name: off})


def _fields(evaluator: Evaluator, sample: Sample) -> Iterator[Variant]:
    """Yield what happens if single fields of the output do not count."""
    keys = getattr(evaluator.params, "target_output_key", None)
    if isinstance(keys, list):
        for key in keys[:MOST_NAMES] if len(keys) > 1 else ():
            rest = [other for other in keys if other != key]
            yield Variant(
                f"with `{key}` ignored", frozenset({f"field {key}"}), {"target_output_key": rest}
            )
        return
    for pointer in _differing(sample):
        name = pointer[1:].replace("/", ".")
        yield Variant(
            f"with `{name}` ignored", frozenset({f"field {name}"}), change=_without_field(pointer)
        )


def argument_names(sample: Sample) -> tuple[str, ...]:
    """Return the names of arguments on either side, those expected first."""
    names: dict[str, None] = {}
    for args in (*_expected_args(sample), *_actual_args(sample)):
        names.update(dict.fromkeys(args))
    return tuple(names)[:MOST_NAMES]


def _expected_args(sample: Sample) -> Iterator[dict[str, Json]]:
    for turn in sample.turns:
        yield from (c.args for c in _calls(turn) if isinstance(c.args, dict))
    for call in _criterion_calls(sample.criterion):
        args = get(call, "/args")
        if isinstance(args, dict):
            yield args


def _actual_args(sample: Sample) -> Iterator[dict[str, Json]]:
    for turn in sample.turns:
        made = turn.actual.actual_tool_calls or ()
        yield from (call.args for call in made if isinstance(call.args, dict))


def _calls(turn: Turn) -> tuple[ToolCall, ...]:
    return turn.expected.tool_calls if turn.expected else ()


def _criterion_calls(criterion: MaybeJson) -> list[Json]:
    if not isinstance(criterion, dict):
        return []
    found = next((criterion[key] for key in CALLS_KEYS if key in criterion), [])
    return found if isinstance(found, list) else []


def _has_surplus(sample: Sample) -> bool:
    wanted = sum(len(_calls(turn)) for turn in sample.turns)
    return sum(len(turn.actual.actual_tool_calls or ()) for turn in sample.turns) > wanted


def _without(name: str) -> Callable[[Sample], Sample]:
    def less(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
        return tuple(
            call.model_copy(update={"args": {k: v for k, v in call.args.items() if k != name}})
            if isinstance(call.args, dict)
            else call
            for call in calls
        )

    def change(sample: Sample) -> Sample:
        turns = tuple(_with_calls(turn, less) for turn in sample.turns)
        criterion = sample.criterion
        for key in CALLS_KEYS:
            found = criterion.get(key) if isinstance(criterion, dict) else None
            for index, call in enumerate(found if isinstance(found, list) else ()):
                pointer = f"/{key}/{index}/args"
                args = get(call, "/args")
                if isinstance(args, dict) and isinstance(criterion, dict):
                    rest: JsonValue = {k: v for k, v in args.items() if k != name}
                    criterion = put(criterion, pointer, rest)
        return sample.model_copy(update={"turns": turns, "criterion": criterion})

    return change


def _with_calls(turn: Turn, change: Callable[[tuple[ToolCall, ...]], tuple[ToolCall, ...]]) -> Turn:
    expected, made = turn.expected, turn.actual.actual_tool_calls
    if expected is not None:
        expected = expected.model_copy(update={"tool_calls": change(expected.tool_calls)})
    actual = turn.actual
    if made is not None:
        actual = actual.model_copy(update={"actual_tool_calls": change(made)})
    return turn.model_copy(update={"expected": expected, "actual": actual})


def _differing(sample: Sample) -> list[str]:
    """Return the pointers of expected leaves that the output has not, where both are objects."""
    if not sample.turns:
        return []
    expected, actual = _stated(sample), sample.turns[-1].actual.actual_output
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return []
    leaves = likeness_by_leaf(expected, actual)
    return [leaf.pointer for leaf in leaves if leaf.likeness < 1.0 and leaf.pointer][:MOST_NAMES]


def _stated(sample: Sample) -> MaybeJson:
    if isinstance(sample.criterion, dict):
        for key in EXPECTED_KEYS[:2]:
            if key in sample.criterion:
                return sample.criterion[key]
    expected = sample.turns[-1].expected
    return expected.expected_output if expected else MISSING


def _without_field(pointer: str) -> Callable[[Sample], Sample]:
    def less(value: MaybeJson) -> MaybeJson:
        if not isinstance(value, dict) or get(value, pointer) is MISSING:
            return value
        return put(value, pointer, MISSING)

    return lambda sample: _with_outputs(sample, less)


def _lowered(sample: Sample) -> Sample:
    return _with_outputs(sample, _lower)


def _lower(value: MaybeJson) -> MaybeJson:
    return value if value is MISSING else _lower_json(value)


def _lower_json(value: Json) -> Json:
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, dict):
        return {key: _lower_json(item) for key, item in value.items()}
    return [_lower_json(item) for item in value] if isinstance(value, list) else value


def _with_outputs(sample: Sample, change: Callable[[MaybeJson], MaybeJson]) -> Sample:
    criterion = sample.criterion
    if isinstance(criterion, dict):
        stated = {k: change(v) if k in EXPECTED_KEYS else v for k, v in criterion.items()}
        criterion = {k: v for k, v in stated.items() if v is not MISSING}
    turns = []
    for turn in sample.turns:
        expected, actual = turn.expected, turn.actual
        if expected is not None:
            update = {"expected_output": change(expected.expected_output)}
            expected = expected.model_copy(update=update)
        actual = actual.model_copy(update={"actual_output": change(actual.actual_output)})
        turns.append(turn.model_copy(update={"expected": expected, "actual": actual}))
    return sample.model_copy(update={"turns": tuple(turns), "criterion": criterion})


def _both(
    first: Callable[[Sample], Sample] | None, second: Callable[[Sample], Sample] | None
) -> Callable[[Sample], Sample] | None:
    if first is None or second is None:
        return first or second
    return lambda sample: second(first(sample))
