"""What a 10xGraph eval set hides: it loads, and a run does something other than it seems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from evalcore.errors import Problem
from evalcore.formats.memo import remembered
from evalcore.formats.tenxgraph.messages import blocks_of, is_text_block, other_blocks, text_of
from evalcore.formats.tenxgraph.schema import REPORT
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join

TOOL_NODES: Final = frozenset({"TOOL", "TOOLS", "TOOL_NODE", "TOOLNODE"})
_PLACEHOLDER: Final = "Result from "
WRONG_KEY: Final = "tenxgraph.cases_under_another_key"
"""The problem that says more about an unknown key than that it is dropped."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that is an object: where it is and what it holds."""

    pointer: str
    raw: JsonObject

    @property
    def reply(self) -> JsonObject | None:
        """The expected reply, None where the turn has none (or none that is a message)."""
        found = self.raw.get("expected_final_response")
        return found if isinstance(found, dict) else None

    def items(self, name: str) -> list[JsonValue]:
        """Return the list under ``name``, [] where there is none."""
        found = self.raw.get(name)
        return found if isinstance(found, list) else []


@dataclass(frozen=True, slots=True)
class Case:
    """One case that is an object: where it is, what people call it, and its turns."""

    pointer: str
    raw: JsonObject
    label: str
    turns: tuple[Turn, ...]


def hidden_traps(value: JsonValue) -> Iterator[Problem]:
    """Yield every problem of a set that 10xGraph loads without a word."""
    if not isinstance(value, dict):
        return
    cases = list(cases_of(value))
    yield from _set_id(value)
    yield from _emptiness(value)
    yield from _repeated_ids(cases)
    for case in cases:
        yield from remembered(case.raw, ("traps", case.pointer), partial(_of_case, case))


def _of_case(case: Case) -> Iterator[Problem]:
    yield from _case_id(case)
    yield from _no_turns(case)
    yield from _session(case)
    yield from _replies(case)
    yield from _nothing_expected(case)
    for turn in case.turns:
        yield from _messages(case, turn)
        yield from _placeholder(case, turn)
        yield from _reply_words(case, turn)
        yield from _node_order(case, turn)
        yield from _intermediate(case, turn)


def cases_of(value: JsonObject) -> Iterator[Case]:
    """Yield the cases that are objects."""
    found = value.get("eval_cases")
    for index, raw in enumerate(found if isinstance(found, list) else ()):
        if isinstance(raw, dict):
            pointer = join("/eval_cases", index)
            name = raw.get("eval_id") or raw.get("name")
            label = f"Case “{name}”" if isinstance(name, str) else f"Case {index + 1}"
            yield Case(pointer, raw, label, tuple(_turns(raw, pointer)))


def _turns(case: JsonObject, pointer: str) -> Iterator[Turn]:
    found = case.get("conversation")
    for index, raw in enumerate(found if isinstance(found, list) else ()):
        if isinstance(raw, dict):
            yield Turn(join(pointer, "conversation", index), raw)


def _set_id(value: JsonObject) -> Iterator[Problem]:
    if "eval_set_id" not in value:
        yield REPORT.problem(
            "warning",
            "set_without_id",
            "",
            "The eval set has no id: 10xGraph makes a new one each time it loads the file, "
            "so its runs are never seen as runs of the same set.",
            "Give the set an id.",
        )


def _emptiness(value: JsonObject) -> Iterator[Problem]:
    cases = value.get("eval_cases", MISSING)
    if cases is not MISSING and cases != []:
        return
    name = _other_list(value)
    if name is None:
        yield REPORT.problem(
            "info",
            "no_cases",
            "/eval_cases" if cases == [] else "",
            "The eval set has no cases: a run of it counts as not passed.",
            "Add a case.",
        )
    else:
        yield REPORT.problem(
            "warning",
            "cases_under_another_key",
            join("", name),
            f"10xGraph loads this as an empty set: it looks for “eval_cases”, not “{name}”.",
            f"Move what is in “{name}” to “eval_cases”.",
        )


def _other_list(value: JsonObject) -> str | None:
    """Return the key of a list of objects that may well be the cases."""
    for name, found in value.items():
        if isinstance(found, list) and found and isinstance(found[0], dict):
            return name
    return None


def _case_id(case: Case) -> Iterator[Problem]:
    if "eval_id" not in case.raw:
        yield REPORT.problem(
            "warning",
            "case_without_id",
            case.pointer,
            f"{case.label} has no id: 10xGraph makes a new one each time it loads the file, "
            "so its results cannot be followed from run to run.",
            "Give the case an id.",
        )


def _repeated_ids(cases: list[Case]) -> Iterator[Problem]:
    ids = [case.raw.get("eval_id") for case in cases]
    counts = Counter(i for i in ids if isinstance(i, str))
    for case, case_id in zip(cases, ids, strict=True):
        if isinstance(case_id, str) and counts[case_id] > 1:
            yield REPORT.problem(
                "warning",
                "duplicate_case_id",
                join(case.pointer, "eval_id"),
                f"{counts[case_id]} cases are called “{case_id}”: they share one conversation "
                "thread in a run, and results by id find only the first.",
                "Give each case an id of its own.",
            )


def _no_turns(case: Case) -> Iterator[Problem]:
    conversation = case.raw.get("conversation", MISSING)
    if conversation is MISSING or conversation == []:
        yield REPORT.problem(
            "warning",
            "case_without_turns",
            case.pointer,
            f"{case.label} has no turns: the agent is never asked anything, and checks pass it "
            "because nothing was expected and nothing was done.",
            "Add a turn.",
        )


def _session(case: Case) -> Iterator[Problem]:
    base = join(case.pointer, "session_input")
    if get(case.raw, "/session_input/state") not in (MISSING, {}):
        yield REPORT.problem(
            "warning",
            "state_not_applied",
            join(base, "state"),
            f"{case.label} sets a state, which 10xGraph never gives to the agent.",
            "Put what the agent needs into “config”, or into what the user says.",
        )
    config = get(case.raw, "/session_input/config")
    if not isinstance(config, dict):
        return
    if "thread_id" in config:
        yield REPORT.problem(
            "warning",
            "fixed_thread",
            join(base, "config", "thread_id"),
            f"{case.label} fixes its thread: with a checkpointer it goes on where the last run, "
            "or another case with this thread, stopped.",
            "Leave “thread_id” out, unless that is wanted.",
        )
    if "user_id" in config and get(case.raw, "/session_input/user_id") != "":
        yield REPORT.problem(
            "warning",
            "config_user_id_ignored",
            join(base, "config", "user_id"),
            f"{case.label} has a “user_id” in its config, but the session's own user id wins.",
            "Set the session's user id instead.",
        )


def _messages(case: Case, turn: Turn) -> Iterator[Problem]:
    user = turn.raw.get("user_content")
    for name, message in (("user_content", user), ("expected_final_response", turn.reply)):
        for index, block in enumerate(blocks_of(message)):
            text = block.get("text", "") if isinstance(block, dict) else ""
            if is_text_block(block) and not isinstance(text, str):
                yield REPORT.problem(
                    "error",
                    "block_without_text",
                    join(turn.pointer, name, "content", index, "text"),
                    f"{case.label} has a block whose text is no text: the case crashes when "
                    "it is run.",
                    "Write a text, or remove the block.",
                )
    kinds = other_blocks(user)
    if kinds:
        yield REPORT.problem(
            "warning",
            "block_not_sent",
            join(turn.pointer, "user_content", "content"),
            f"{case.label} has blocks of other kinds ({', '.join(sorted(set(kinds)))}): "
            "10xGraph sends the agent only the text.",
            "Say in the text what the agent needs to know.",
        )


def _replies(case: Case) -> Iterator[Problem]:
    expecting = [i for i, turn in enumerate(case.turns) if turn.reply is not None]
    for index in expecting:
        yield from _empty_reply(case, index, expecting)
    if not expecting:
        return
    last = expecting[-1]
    if len(case.turns) > 1:
        yield REPORT.problem(
            "info",
            "first_question_is_judged",
            join(case.pointer, "conversation"),
            "In a case of several turns a judge is shown the first message of the user, whichever "
            "reply it grades.",
        )
    if last < len(case.turns) - 1:
        yield REPORT.problem(
            "warning",
            "earlier_reply_graded",
            join(case.turns[last].pointer, "expected_final_response"),
            f"{case.label} expects this reply in turn {last + 1}, but 10xGraph compares it with "
            f"the agent's reply in turn {len(case.turns)}, the last one.",
            "Expect a reply in the last turn.",
        )
    elif len(expecting) > 1:
        yield REPORT.problem(
            "info",
            "only_last_reply_graded",
            join(case.pointer, "conversation"),
            f"{case.label} expects {len(expecting)} replies; 10xGraph compares only the last one.",
            "Make a case of its own for each reply that must be checked.",
        )


def _nothing_expected(case: Case) -> Iterator[Problem]:
    kept = ("expected_tool_trajectory", "expected_node_order")
    if any(turn.reply is not None or any(map(turn.items, kept)) for turn in case.turns):
        return
    if case.turns:
        yield REPORT.problem(
            "warning",
            "nothing_expected",
            case.pointer,
            f"{case.label} expects no reply, no tool call and no node: depending on the check an "
            "agent gets 0, 0.5 or 1 for it, whatever it answers.",
            "Write what you expect.",
        )


def _reply_words(case: Case, turn: Turn) -> Iterator[Problem]:
    text = text_of(turn.reply)
    if text.strip() and not any(c.isalnum() or c == "_" for c in text):
        yield REPORT.problem(
            "warning",
            "reply_without_words",
            join(turn.pointer, "expected_final_response"),
            f"{case.label} expects a reply without letters or digits: “rouge_match” gives 1.0 to "
            "any other reply without them.",
            "Expect some words, or check this reply in another way.",
        )


def _empty_reply(case: Case, index: int, expecting: list[int]) -> Iterator[Problem]:
    turn = case.turns[index]
    content = (turn.reply or {}).get("content")
    if isinstance(content, (str, list)) and text_of(turn.reply) == "":
        earlier = any(text_of(case.turns[i].reply) for i in expecting if i < index)
        effect = " and cancels the reply expected in an earlier turn" if earlier else ""
        yield REPORT.problem(
            "warning",
            "empty_reply_expects_nothing",
            join(turn.pointer, "expected_final_response"),
            f"{case.label} expects an empty reply, which 10xGraph takes as no expectation{effect}.",
            "Write the reply, or remove the expectation.",
        )


def _placeholder(case: Case, turn: Turn) -> Iterator[Problem]:
    text = text_of(turn.reply)
    names = [c.get("name") for c in turn.items("expected_tool_trajectory") if isinstance(c, dict)]
    if text.startswith(_PLACEHOLDER) and text[len(_PLACEHOLDER) :] in names:
        yield REPORT.problem(
            "warning",
            "placeholder_reply",
            join(turn.pointer, "expected_final_response"),
            f"{case.label} expects the reply “{text}”, which the builder of tool tests wrote as "
            "a placeholder; checks of the reply compare with it.",
            "Write the reply that you expect, or remove the expectation.",
        )


def _node_order(case: Case, turn: Turn) -> Iterator[Problem]:
    order = [n for n in turn.items("expected_node_order") if isinstance(n, str)]
    calls = turn.items("expected_tool_trajectory")
    tools = [c.get("name") for c in calls if isinstance(c, dict)]
    never = [n for n in order if n.upper() in TOOL_NODES or n in tools]
    pointer = join(turn.pointer, "expected_node_order")
    hint = (
        "Real visits start with “__start__” in each turn and never hold a tool node, such as "
        "“__start__, MAIN, MAIN”."
    )
    if never:
        yield REPORT.problem(
            "warning",
            "node_order_never_matches",
            pointer,
            f"{case.label} expects a visit to “{never[0]}”: 10xGraph does not record visits to "
            "tool nodes, so this order never matches in full.",
            hint,
        )
    elif order and "__start__" not in order:
        yield REPORT.problem(
            "warning",
            "node_order_without_start",
            pointer,
            f"{case.label} expects nodes without “__start__”: in exact order, which is the "
            "default, that never matches.",
            hint,
        )


def _intermediate(case: Case, turn: Turn) -> Iterator[Problem]:
    if turn.items("expected_intermediate_responses"):
        yield REPORT.problem(
            "info",
            "intermediate_not_read",
            join(turn.pointer, "expected_intermediate_responses"),
            f"{case.label} expects messages on the way; no check of 10xGraph reads them.",
        )
