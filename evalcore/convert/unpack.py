"""From what the fields of a source say to cases that any format can be written from."""

from __future__ import annotations

from typing import Any

from evalcore.convert import uipath_criteria, uipath_talk
from evalcore.convert.atlas import Address, Atlas, Place
from evalcore.convert.portable import Case, Item, Move, Parts, Turn, items_of
from evalcore.jsontree import join

CALL_PARTS = ("name", "args", "id", "result")
BELONGS = "The tool's answer is written at its call."


def unpacked(atlas: Atlas, number: int) -> Case:
    """Return one case of the source."""
    case = Case(number, atlas.labels[number], items_of(atlas, number))
    for turn in range(atlas.turns[number]):
        case.turns.append(_turn(atlas, Place(number, turn, "")))
    if "scenario.starting_prompt" in case.items and not case.turns:
        start = case.items["scenario.starting_prompt"]
        how = "What the simulated user says first became the case's only turn."
        case.turns.append(Turn({"input": start.explained(how)}))
    if not case.turns:
        return case
    uipath_talk.unpack(case)
    uipath_criteria.unpack(case)
    return case


def _turn(atlas: Atlas, at: Place) -> Turn:
    turn = Turn(items_of(atlas, at.case, at.turn))
    calls, said = turn.items.pop("tool_calls", None), turn.items.pop("intermediate_responses", None)
    if calls is not None:
        turn.calls = _calls(calls, at._replace(field="tool_calls"))
        if turn.calls is None:
            turn.items["tool_calls"] = calls
    if said is not None:
        turn.said = _said(said, at._replace(field="intermediate_responses"))
        if turn.said is None:
            turn.items["intermediate_responses"] = said
    answers = turn.items.get("tool_results")
    if answers is not None and turn.calls:
        _answered(turn.calls, answers.value, at._replace(field="tool_results"))
    return turn


def _calls(item: Item, place: Place) -> list[Parts] | None:
    if not isinstance(item.value, tuple):
        return None
    found: list[Parts] = []
    for index, call in enumerate(item.value):
        shown = {n: v for n, v in dict(call).items() if n in CALL_PARTS}
        found.append(
            {
                name: Item(value, (Move(Address(place, join("", index, name))),))
                for name, value in shown.items()
                if call.__class__.model_fields[name].default != value
            }
        )
    return found


def _said(item: Item, place: Place) -> list[Parts] | None:
    if not isinstance(item.value, list):
        return None
    found: list[Parts] = []
    for index, message in enumerate(item.value):
        if isinstance(message, str):
            found.append({"text": Item(message, (Move(Address(place, join("", index))),))})
        elif isinstance(message, dict) and all(isinstance(v, str) for v in message.values()):
            found.append(
                {
                    name: Item(text, (Move(Address(place, join("", index, name))),))
                    for name, text in message.items()
                }
            )
        else:
            return None
    return found


def _answered(calls: list[Parts], answers: Any, place: Place) -> None:
    """Give each call its answer: the one with its id, else the next one of its name."""
    left = list(enumerate(answers)) if isinstance(answers, list) else []
    left = [(index, a) for index, a in left if isinstance(a, dict) and "response" in a]
    for by in ("id", "name"):
        for call in calls:
            wanted = call[by].value if by in call else None
            match = next((pair for pair in left if pair[1].get(by) == wanted), None)
            if wanted is None or "result" in call or match is None:
                continue
            left.remove(match)
            index, answer = match
            found = Item(answer["response"], (Move(Address(place, join("", index, "response"))),))
            rest = [Address(place, join("", index, n)) for n in ("id", "name") if n in answer]
            same = [a for a in rest if _says_the_same(call, answer, a)]
            call["result"] = found.told_by(*same, how=BELONGS)


def _says_the_same(call: Parts, answer: dict[str, Any], address: Address) -> bool:
    name = address.path.rpartition("/")[2]
    return name in call and call[name].value == answer[name]
