"""What stands in for the tools and inputs of each case, in words and as slots that forms edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalcore.errors import EvaldeskError, Problem
from evalcore.formats.evalset import EvalSetLens
from evalcore.formats.lenses import Lens, Spelling
from evalcore.formats.mocks import StrategyForm
from evalcore.jsontree import MISSING, JsonValue, Missing, get, is_within
from evalcore.mocking import Mocks, exception_name, is_any, is_built, shown
from evalcore.views.editing import as_step
from evalcore.views.sheet import Sheet
from evalcore.views.slots import Slot
from evalcore.views.values import plain
from evalcore.views.words import plural

ANYTHING = "anything"
REAL = "real tools"


@dataclass(frozen=True, slots=True)
class CaseMocks:
    """One case in a list: what answers for its tools, and where its inputs come from.

    ``tools`` and ``inputs`` are "" where nothing is replaced. ``is_broken`` says that there are
    mocks and none of them is used.
    """

    tools: str = ""
    inputs: str = ""
    is_broken: bool = False

    @property
    def is_any(self) -> bool:
        """Return whether the case replaces anything, or means to."""
        return bool(self.tools or self.inputs)


def case_mocks(lens: EvalSetLens, raw: JsonValue) -> CaseMocks:
    """Return what of a case is replaced, in a few words."""
    words, is_broken = _tools(lens, raw)
    parts = lens.simulated_parts(_field(lens, raw, lens.mocks.components))
    if parts:
        simulated = plural(len(parts), "component")
        words = f"{words}, {simulated}" if words else simulated
    return CaseMocks(words, "made up" if makes_inputs(lens, raw) else "", is_broken)


def _tools(lens: EvalSetLens, raw: JsonValue) -> tuple[str, bool]:
    strategy = lens.strategy_of(raw)
    if strategy is MISSING or strategy is None:
        return "", False
    try:
        mocks = Mocks(strategy)
    except EvaldeskError:
        return "mocks refused", True
    if not mocks.is_used:
        return "mocks not used", True
    if mocks.kind == "llm":
        return f"{plural(len(mocks.tools), 'tool')} simulated", not mocks.tools
    return plural(mocks.count, "rule") if mocks.count else "", False


def makes_inputs(lens: EvalSetLens, raw: JsonValue) -> bool:
    """Return whether a case's inputs are made up by a model: every switch and text for it is on."""
    found = [_field(lens, raw, name) for name in lens.mocks.inputs]
    return bool(found) and all(value not in (MISSING, None, False, "", {}) for value in found)


def _field(lens: EvalSetLens, raw: JsonValue, name: str) -> Any:
    return lens.field("case", name).lens.get(raw) if name else MISSING


class MockIndex:
    """What the cases of a set replace, remembered for as long as a case stays the same object."""

    def __init__(self, lens: EvalSetLens) -> None:
        self._lens = lens
        self._known: dict[int, tuple[JsonValue, CaseMocks]] = {}

    def of(self, cases: Sequence[JsonValue]) -> list[CaseMocks]:
        """Return what each case replaces; what is no longer among them is forgotten."""
        known, self._known = self._known, {}
        found: list[CaseMocks] = []
        for raw in cases:
            held = known.get(id(raw))
            is_same = held is not None and held[0] is raw
            entry = held if held and is_same else (raw, case_mocks(self._lens, raw))
            self._known[id(raw)] = entry
            found.append(entry[1])
        return found


def counted(found: Sequence[CaseMocks]) -> str:
    """Return in words how many of a set's cases replace something."""
    tools, inputs = sum(bool(m.tools) for m in found), sum(bool(m.inputs) for m in found)
    if not tools and not inputs:
        return "No case replaces anything yet."
    words = [f"{plural(tools, 'case')} with mocks"] if tools else []
    words += [f"{plural(inputs, 'case')} with made-up inputs"] if inputs else []
    return f"{' and '.join(words)}, of {len(found):,}."


def mock_problems(sheet: Sheet, case: str) -> tuple[Problem, ...]:
    """Return the problems of a case that are about what it replaces."""
    support, raw = sheet.lens.mocks, sheet.raw((case,))
    names = (support.strategy, *support.tools, *support.inputs, support.components)
    fields = [sheet.lens.field("case", name) for name in names if name]
    at = [sheet.pointer((case,)) + found.lens.where(raw) for found in fields]
    about = sheet.problems().of_case(sheet.index_of(case))
    return tuple(p for p in about if any(is_within(p.pointer, place) for place in at))


def copy_mocks(sheet: Sheet, case: str, others: Sequence[str]) -> bool:
    """Give other cases what a case replaces, in place of what they do; one step of the history.

    What the case lacks is taken away from them. Returns whether anything changed.
    """
    support, lens = sheet.lens.mocks, sheet.lens
    fields = [name for name in (support.strategy, *support.tools, *support.inputs) if name]

    def change(tree: JsonValue) -> JsonValue:
        source = get(tree, sheet.pointer((case,), tree))
        for name in fields:
            value = MISSING if source is MISSING else _field(lens, source, name)
            for other in others:
                pointer = sheet.pointer((other,), tree)
                tree = lens.put_field(tree, pointer, "case", name, value)
        return tree

    return sheet.edit(change, f"Copy mocks to {plural(len(others), 'case')}")


def part(slot: Slot, name: str, lens: Lens, style: Spelling = "camel") -> Slot:
    """Return the slot of a part of a value, which lies where a lens says."""
    key = slot.inner(f".{name}")

    def read() -> Any:
        whole = slot.read()
        return MISSING if whole is MISSING else lens.get(whole)

    def write(new: Any) -> None:
        with as_step(key):
            slot.update(lambda whole: lens.put({} if whole is MISSING else whole, new, style))

    return Slot(slot.sheet, key, read, write)


def parts_of(slot: Slot, lenses: Mapping[str, Lens]) -> dict[str, Slot]:
    """Return the slots of all parts of a value."""
    return {name: part(slot, name, lens) for name, lens in lenses.items()}


def is_used(strategy: JsonValue | Missing) -> bool:
    """Return whether a strategy has any effect, as far as that can be told."""
    try:
        return Mocks(None if strategy is MISSING else strategy).is_used
    except EvaldeskError:
        return False


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule in one line: the calls it is for, and what they get."""

    function: str
    call: str
    answers: str


def rule_line(form: StrategyForm, raw: JsonValue) -> RuleLine:
    """Return a rule in one line; one of an unknown shape as the text that it is."""
    function = form.rule["function"].get(raw)
    if not isinstance(function, str):
        return RuleLine("", plain(shown(raw)), "")
    answers = form.rule["answers"].get(raw)
    said = [_answer(form, answer) for answer in (answers if isinstance(answers, list) else ())]
    return RuleLine(function, f"{function}({_wanted(form, raw)})", ", then ".join(said))


def _wanted(form: StrategyForm, raw: JsonValue) -> str:
    if form.rule["arguments"].get(raw) in (MISSING, None):
        return "…"
    args, named = form.rule["args"].get(raw), form.rule["named"].get(raw)
    given = [value_words(value) for value in (args if isinstance(args, list) else ())]
    members = named.items() if isinstance(named, dict) and not is_built(named) else ()
    return ", ".join([*given, *(f"{name}={value_words(value)}" for name, value in members)])


def _answer(form: StrategyForm, raw: JsonValue) -> str:
    value = form.answer["value"].get(raw)
    if form.answer["effect"].get(raw) == form.effects["raise"]:
        return f"raises {exception_name(value) or value_words(value)}"
    return "nothing" if value is MISSING else value_words(value)


def value_words(value: Any) -> str:
    """Return a value as a call would have it: “anything”, an object as the call that builds it."""
    if value is MISSING:
        return ""
    if is_any(value):
        return ANYTHING
    if is_built(value):
        return str(shown(value))
    return f'"{value}"' if isinstance(value, str) else plain(shown(value))


def functions(form: StrategyForm | None, strategy: JsonValue) -> list[str]:
    """Return the names that a strategy has answers for, each once, in their order."""
    if form is None:
        return []
    rules, tools = form.strategy["rules"].get(strategy), form.strategy["tools"].get(strategy)
    named = [form.rule["function"].get(rule) for rule in (rules if isinstance(rules, list) else ())]
    named += tools if isinstance(tools, list) else ()
    return list(dict.fromkeys(name for name in named if isinstance(name, str) and name))


def left_over(form: StrategyForm, rules: JsonValue) -> list[str]:
    """Return, for each mocked function, what happens at a call that no rule is for, in words."""
    listed = rules if isinstance(rules, list) else []
    by_function: dict[str, bool] = {}
    for rule in listed:
        name = form.rule["function"].get(rule)
        if isinstance(name, str) and name:
            takes_all = form.rule["arguments"].get(rule) in (MISSING, None)
            by_function[name] = by_function.get(name, False) or takes_all
    return [name for name, takes_all in by_function.items() if not takes_all]
