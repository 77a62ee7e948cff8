"""From cases between two formats to the values of a target's fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evalcore.convert import uipath_criteria, uipath_mocks, uipath_talk
from evalcore.convert.naming import Naming, moment, set_names
from evalcore.convert.portable import (
    IN_PLACE,
    Case,
    Item,
    Move,
    Out,
    OutCase,
    Parts,
    Turn,
    as_named,
    as_text,
    listed,
)
from evalcore.formats.lenses import Editor
from evalcore.jsontree import JsonValue, join
from evalcore.model import ToolCall

if TYPE_CHECKING:
    from evalcore.convert.model import Options
    from evalcore.formats.evalset import EvalSetLens, Level
    from evalcore.model import Evaluator

TIMES = ("created_at", "updated_at")
OWN = frozenset({"id", "name", "criteria", "eval_set_id", "source", *TIMES})
"""Case fields that are written in ways of their own, or only by the format's own system."""
SET_OWN = frozenset({"id", "name", "evaluator_refs", "file_name", "version", *TIMES})
TURN_OWN = frozenset({"input", "expected_output", "tool_results", "input_role"}) | {
    "expected_output_role",
    uipath_talk.INPUT,
    uipath_talk.OUTPUT,
}
AGENT_ROLES = ("model", "assistant", "agent")
OWN_WORD = "Each system has a word of its own for who speaks."
ALONE = "It stands alone now: in its case other turns came before it."


@dataclass(slots=True)
class Packer:
    """Writes cases for one target.

    ``names`` are what a lone text is called where the target takes named values, by field.
    ``keeps_checks``: evaluators and criteria of the source are the target's as well.
    ``used`` collects the evaluators for which criteria were written.
    """

    lens: EvalSetLens
    options: Options
    names: Mapping[str, str]
    naming: Naming
    evaluators: Sequence[Evaluator] = ()
    keeps_checks: bool = False
    used: dict[str, None] = field(default_factory=dict)

    def has(self, level: Level, name: str) -> bool:
        """Return whether the target has a field."""
        return any(f.name == name for f in self.lens.fields(level))

    def packed(self, case: Case) -> list[OutCase]:
        """Return the cases of the target that a case becomes: one, or one for each turn."""
        if self.lens.has_turns:
            made = self._case(case)
            made.turns = [self._into(turn, Out()) for turn in case.turns]
            return [made]
        if self.options.split_turns and len(case.turns) > 1:
            return [self._of_turn(case, index, index + 1) for index in range(len(case.turns))]
        talks = self.has("invocation", uipath_talk.INPUT)
        return [self._of_turn(case, len(case.turns) - 1 if talks else case.tested)]

    def _of_turn(self, case: Case, index: int, number: int = 1) -> OutCase:
        made, only = self._case(case, number), Out()
        made.turns = [only]
        turn = case.turns[index] if case.turns else Turn()
        is_talk = len(case.turns) > 1 or case.is_conversation
        if is_talk and self.has("invocation", uipath_talk.INPUT):
            uipath_talk.pack(case, index, only)
            self._same_named(turn, only)
        else:
            self._into(turn, only, ALONE if index else "")
        if self.has("case", uipath_criteria.FIELD):
            refs = uipath_criteria.pack(turn, self.evaluators, made.own)
            self.used.update(dict.fromkeys(refs))
        return made

    def _case(self, case: Case, number: int = 1) -> OutCase:
        label, names = self.naming.names(case, number)
        made = OutCase(case.number, label)
        for name, item in names.items():
            made.own.give(name, item)
        for name, item in case.items.items():
            is_ours = name not in OWN or (name == uipath_criteria.FIELD and self.keeps_checks)
            if is_ours and self.has("case", name):
                made.own.give(name, item)
        self._times(case.items, made.own, "case")
        if self.has("case", uipath_mocks.ON):
            uipath_mocks.to_switches(case, made.own)
        elif self.has("case", uipath_mocks.STRATEGY):
            uipath_mocks.to_strategies(case, made.own)
        self._whole_session(made.own)
        return made

    def _whole_session(self, out: Out) -> None:
        """Name the app and the user of a session, where one without them is refused."""
        if self.has("case", "session.session_id") and any(
            name.startswith("session.") for name in out.values
        ):
            for name in ("session.app_name", "session.user_id"):
                out.give(name, Item("", ()))

    def _times(self, items: Mapping[str, Item], out: Out, level: Level) -> None:
        for name in TIMES:
            if name in items and self.has(level, name):
                as_number = self.lens.field(level, name).editor is Editor.NUMBER
                found = moment(items[name], as_number=as_number)
                if found is not None:
                    out.give(name, found)

    def of_set(self, items: Mapping[str, Item]) -> Out:
        """Return the set's own values; call it after the cases, as they use evaluators."""
        out = Out()
        for name, item in set_names(self.lens, items):
            out.give(name, item)
        for name, item in items.items():
            if name not in SET_OWN and self.has("set", name):
                out.give(name, item)
        self._times(items, out, "set")
        if self.has("set", "evaluator_refs"):
            self._refs(items.get("evaluator_refs"), out)
        return out

    def _refs(self, item: Item | None, out: Out) -> None:
        """Name the evaluators that are there already, and those that got criteria."""
        known = {evaluator.ref for evaluator in self.evaluators}
        listed_before = item.value if item is not None and isinstance(item.value, list) else []
        refs: list[JsonValue] = []
        moves: list[Move] = []
        for index, ref in enumerate(listed_before):
            is_there = isinstance(ref, str) and (self.keeps_checks or ref in known)
            if is_there and item is not None:
                moves += item.member(index).within(None, join("", len(refs))).moves
                refs.append(ref)
        refs += [ref for ref in self.used if ref not in refs]
        if refs:
            out.give("evaluator_refs", Item(refs, tuple(moves)))

    def _into(self, turn: Turn, out: Out, explained: str = "") -> Out:
        for name in ("input", "expected_output"):
            item = turn.items.get(name)
            if item is not None:
                self._message(turn, name, item.explained(explained) if explained else item, out)
        self._same_named(turn, out)
        if turn.calls is not None and self.has("invocation", "tool_calls"):
            self._calls(turn.calls, out)
        if turn.said is not None and self.has("invocation", "intermediate_responses"):
            out.give("intermediate_responses", self._said(turn.said))
        return out

    def _same_named(self, turn: Turn, out: Out) -> None:
        for name, item in turn.items.items():
            if name not in TURN_OWN and self.has("invocation", name):
                out.give(name, item)

    def _message(self, turn: Turn, name: str, item: Item, out: Out) -> None:
        """Give a message in the target's form, and who says it."""
        editor = self.lens.field("invocation", name).editor
        if editor is Editor.TEXT:
            out.give(name, as_text(item))
        elif item.value is None and editor is Editor.OBJECT:
            return
        elif editor is Editor.OBJECT or not isinstance(item.value, (str, type(None))):
            out.give(name, as_named(item, self.names.get(name, name)))
        else:
            out.give(name, item)
        role = turn.items.get(f"{name}_role")
        if role is not None:
            self._role(name, role, out)

    def _role(self, name: str, role: Item, out: Out) -> None:
        where = f"{name}_role"
        usual = ("user",) if name == "input" else AGENT_ROLES
        if not self.has("invocation", where):
            if role.value in usual:
                out.moves += [(m._replace(how=IN_PLACE), name) for m in role.moves]
        elif role.value in usual:
            # The format writes its own word; it is the same one for the user.
            how = "" if role.value == "user" else OWN_WORD
            out.moves += [(m._replace(how=how), where) for m in role.moves]
        else:
            out.give(where, role)

    def _calls(self, calls: Sequence[Parts], out: Out) -> None:
        known = self.lens.field("invocation", "tool_calls").extra.get("parts", "").split()
        names = ("name", "args", *known)
        values, moves = listed([{n: p for n, p in call.items() if n in names} for call in calls])
        made = tuple(ToolCall(**{"name": "", **_texts(value)}) for value in values)
        out.give("tool_calls", Item(made, moves))
        answers = [_answer(call) for call in calls if "result" in call and "result" not in names]
        if answers and self.has("invocation", "tool_results"):
            shown, led = listed(answers)
            out.give("tool_results", Item(shown, led))

    def _said(self, said: Sequence[Parts]) -> Item:
        if self.lens.field("invocation", "intermediate_responses").editor is Editor.FORM:
            values, moves = listed([{"author": Item("agent", ()), **parts} for parts in said])
            return Item(values, moves)
        texts = [parts["text"] for parts in said if "text" in parts]
        placed = [text.within(None, join("", index)) for index, text in enumerate(texts)]
        return Item([text.value for text in texts], tuple(m for p in placed for m in p.moves))


def _answer(call: Parts) -> Parts:
    result = call["result"]
    if not isinstance(result.value, dict):
        how = "The tool's answer became the value “result”."
        result = result.within({"result": result.value}, "/result", how)
    named: Parts = {n: Item(call[n].value, ()) for n in ("id", "name") if n in call}
    return {**named, "response": result}


def _texts(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a call with its name and id as texts, which every call's are."""
    return {n: str(v) if n in ("name", "id") else v for n, v in value.items()}
