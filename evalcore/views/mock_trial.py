"""Trying mocks out: a call that is typed, what it gets, and why, without running anything."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evalcore.errors import FormatError
from evalcore.formats.mocks import StrategyForm
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.mocking import Answer, Call, Effect, Heard, Standing, Trial, is_any, try_out
from evalcore.views.mocks import ANYTHING, functions
from evalcore.views.values import as_text
from evalcore.views.words import plural

Tone = Literal["ok", "error", "warning", "info"]
MOST_CALLS = 200
"""Calls that are remembered one after the other."""
LONGEST = 20_000
"""Characters of a call that is typed."""
_NAMES = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call gets, in words; ``value`` is JSON text, "" where nothing is returned."""

    tone: Tone
    headline: str
    value: str = ""
    more: str = ""


def call_text(call: Call) -> str:
    """Return a call as Python would have it; ``read_call`` gives the same call back."""
    named = [f"{name}={_literal(value)}" for name, value in call.named.items()]
    return f"{call.function}({', '.join([*map(_literal, call.args), *named])})"


def read_call(text: str) -> Call:
    """Return the call that was typed, such as ``find("12", full=True)``.

    Raises FormatError for anything but a name with plain values; nothing is run.
    """
    try:
        if len(text) > LONGEST:
            raise ValueError
        found = ast.parse(text.strip(), mode="eval").body
        if isinstance(found, ast.Name):
            return Call(function=found.id)
        if not isinstance(found, ast.Call) or not isinstance(found.func, ast.Name):
            raise ValueError
        args = tuple(_value(node) for node in found.args)
        named = {word.arg: _value(word.value) for word in found.keywords if word.arg is not None}
        if len(named) != len(found.keywords):
            raise ValueError
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        raise FormatError(
            "This is no call that can be tried",
            hint='Write a name and plain values, such as find("12", full=True).',
        ) from None
    return Call(function=found.func.id, args=args, named=named)


def _value(node: ast.expr) -> JsonValue:
    """Return a literal as JSON; JSON's own true, false and null are taken too."""

    class Json(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return ast.Constant(_NAMES[name.id]) if name.id in _NAMES else name

    return _json(ast.literal_eval(Json().visit(node)))


def _json(value: object) -> JsonValue:
    if isinstance(value, (list, tuple)):
        return [_json(item) for item in value]
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {name: _json(item) for name, item in value.items()}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise ValueError("no JSON value")


def _literal(value: JsonValue) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(n)}: {_literal(v)}" for n, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return as_text(value) if isinstance(value, str) else repr(value)


def call_of(tree: JsonValue) -> Call:
    """Return the call in a tree of ``function``, ``args`` and ``named``, as the box holds it."""
    held = tree if isinstance(tree, dict) else {}
    function, args, named = held.get("function"), held.get("args"), held.get("named")
    return Call(
        function=function if isinstance(function, str) else "",
        args=tuple(args) if isinstance(args, list) else (),
        named=named if isinstance(named, dict) else {},
    )


def tree_of(call: Call) -> JsonObject:
    """Return a call as the box holds it."""
    return {"function": call.function, "args": list(call.args), "named": dict(call.named)}


def call_for(form: StrategyForm, rule: JsonValue) -> Call:
    """Return a call that a rule is for; what it takes anything for is the text “anything”."""
    function, args = form.rule["function"].get(rule), form.rule["args"].get(rule)
    named = form.rule["named"].get(rule)

    def example(value: JsonValue) -> JsonValue:
        return ANYTHING if is_any(value) else value

    return Call(
        function=function if isinstance(function, str) else "",
        args=tuple(map(example, args)) if isinstance(args, list) else (),
        named={n: example(v) for n, v in named.items()} if isinstance(named, dict) else {},
    )


def first_call(form: StrategyForm | None, strategy: JsonValue) -> Call:
    """Return the call to begin with: one that the first rule is for, else of the first tool."""
    if form is None:
        return Call(function="")
    rules = form.strategy["rules"].get(strategy)
    for rule in rules if isinstance(rules, list) else ():
        call = call_for(form, rule)
        if call.function:
            return call
    return Call(function=next(iter(functions(form, strategy)), ""))


def tried(strategy: JsonValue | Missing, before: Sequence[Call], call: Call) -> list[Trial]:
    """Return what calls made before get, and last what the call gets now.

    Raises EvaldeskError for a strategy that the system refuses to load.
    """
    return try_out(None if strategy is MISSING else strategy, [*before, call])


def outcome(answer: Answer, steps: int = 0, *, is_used: bool = True) -> Outcome:
    """Return what a call gets, in words.

    ``steps`` is how many answers its rule has, ``is_used`` whether the mocks have any effect.
    """
    if not is_used:
        more = "A mistake in these mocks switches all of them off."
        return Outcome("warning", "The real function runs", "", more)
    rule = f"Rule {answer.rule + 1}" if answer.rule is not None else ""
    turn = ""
    if answer.step is not None and steps > 1:
        last = ", which it repeats from now on" if answer.step == steps - 1 else ""
        turn = f"Answer {answer.step + 1} of {steps}{last}."
    match answer.effect:
        case Effect.RETURNS:
            return Outcome("ok", f"{rule} answers and returns", as_text(answer.value), turn)
        case Effect.RAISES if answer.rule is not None:
            return Outcome("warning", f"{rule} answers and raises", "", _raised(answer, turn))
        case Effect.RAISES:
            more = f"The agent sees {answer.error}. The real function does not run."
            return Outcome("error", "No rule is for this call, so it fails", "", more)
        case Effect.SIMULATED:
            more = "What it answers cannot be known here."
            return Outcome("info", "A model makes the answer up", "", more)
        case Effect.UNKNOWN:
            return Outcome("warning", f"{rule} may answer", "", answer.reason)
    return Outcome("warning", "The real function runs", "", answer.reason)


def _raised(answer: Answer, turn: str) -> str:
    if not answer.cause:
        return f"The agent sees {answer.error} as it is. {turn}".strip()
    catch = f"“except {answer.cause}” in the agent does not catch it."
    return f"The agent sees {answer.error} around {answer.cause}: {catch} {turn}".strip()


def reasons(heard: Sequence[Heard], most: int) -> tuple[list[Heard], str]:
    """Return what rules of the called function say, in the order in which they are asked.

    Those that fit come before those that do not where there are more than ``most``. The text says
    how many others there are.
    """
    own = [one for one in reversed(heard) if one.standing is not Standing.OTHER]
    others = len(heard) - len(own)
    chosen = sorted(own, key=lambda one: one.standing is Standing.MISFIT)[:most]
    left = len(own) - len(chosen)
    said = [f"{left:,} more are marked in the list of rules."] if left else []
    if others:
        said.append(
            f"{plural(others, 'rule')} {'is' if others == 1 else 'are'} for other functions."
        )
    return sorted(chosen, key=lambda one: -one.rule), " ".join(said)
