"""What the authoring stories build: thirty rows, one more case, checks and mocks, for each system.

Said as data, without Evaldesk's own code. The story in the browser must save exactly ``text``; the
system's own package must read ``meaning`` from it.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Json = Any
Stamp = Callable[[str], Json]
"""Gives what no story can foretell: the id or time that stands at a pointer of the file."""

ROWS = range(1, 31)
NAME, ID, CASE = "Late parcels", "late_parcels", "parcel_is_late"


@dataclass(frozen=True)
class Turn:
    """One turn: what is said, the tools that must be called, what must be answered."""

    says: str
    reply: str
    calls: tuple[tuple[str, Mapping[str, Json]], ...] = ()


@dataclass(frozen=True)
class Criterion:
    """A check that is added to a system's config: its name in the menu and in the file."""

    label: str
    name: str
    mark: float
    path: str


@dataclass(frozen=True)
class Authored:
    """One system's story: where it plays, what is imported, and what comes of it."""

    label: str
    project: str
    path: str
    rows: Sequence[Sequence[Json]]
    value: Callable[[Stamp], Json]
    meaning: Json
    package: str
    criterion: Criterion | None = None
    evaluators: tuple[str, ...] = ()
    stamps: tuple[str, ...] = field(default=())

    def text(self, stamp: Stamp) -> bytes:
        """Return the file, byte by byte."""
        return (json.dumps(self.value(stamp), indent=2, ensure_ascii=False) + "\n").encode()

    def config(self, before: Json) -> Json:
        """Return the criteria file after the story."""
        assert self.criterion is not None
        added = {self.criterion.name: {"threshold": self.criterion.mark}}
        return {**before, "criteria": {**before["criteria"], **added}}


def invented(pointer: str) -> Json:
    """Return an id or a time as the system writes them, where nobody asks for a real one."""
    if pointer == "/creation_timestamp":
        return 1796078467.877572
    if pointer.endswith("/id"):
        return str(uuid.uuid5(uuid.NAMESPACE_URL, pointer))
    return "2026-11-30T12:00:00.000Z"


TALK = (
    Turn("Where is my parcel?", "It is in Porto.", (("locate_parcel", {"order": "A-17"}),)),
    Turn("When does it come?", "On Friday.", (("find_day", {"days": 2}),)),
    Turn("Many thanks!", "You are welcome."),
)
FIRST_TALK = (*TALK[:2], replace(TALK[2], says="Thank you!"))
"""The turns as they are typed at first; what is said last is edited afterwards."""


def told_turns() -> list[tuple[str, tuple[Turn, ...], list[str]]]:
    """Return id, turns and tags of every case, in order."""
    cases = []
    for n in ROWS:
        call = ("locate_parcel", {"order": f"P-{n:03d}", "depot": n})
        turn = Turn(f"Where is parcel P-{n:03d}?", f"It is in depot {n}.", (call,))
        cases.append((f"parcel_{n:02d}", (turn,), ["parcels", "spring"][: 1 + n % 2]))
    return [cases[0], (CASE, TALK, []), *cases[1:]]


TURN_ROWS = [
    ("Case", "Question", "Expected answer", "Tools", "Tags"),
    *(
        (
            f"parcel_{n:02d}",
            f"Where is parcel P-{n:03d}?",
            f"It is in depot {n}.",
            f'locate_parcel(order="P-{n:03d}", depot={n})',
            "parcels, spring" if n % 2 else "parcels",
        )
        for n in ROWS
    ),
]


def meaning_of_turns() -> Json:
    cases = [
        {
            "id": case_id,
            "turns": [
                {"says": t.says, "reply": t.reply, "calls": [[n, dict(a)] for n, a in t.calls]}
                for t in turns
            ],
            "tags": tags,
        }
        for case_id, turns, tags in told_turns()
    ]
    return {"id": ID, "name": NAME, "cases": cases}


def adk(stamp: Stamp) -> Json:
    return {
        "eval_set_id": ID,
        "name": NAME,
        "eval_cases": [
            {
                "eval_id": case_id,
                "conversation": [_adk_turn(turn, typed=case_id == CASE) for turn in turns],
                **({"tags": tags} if tags else {}),
            }
            for case_id, turns, tags in told_turns()
        ],
        "creation_timestamp": stamp("/creation_timestamp"),
    }


def _adk_turn(turn: Turn, *, typed: bool) -> Json:
    """Return a turn; its keys stand in the order in which a person, or a row, fills them."""
    uses = [{"name": name, "args": dict(args)} for name, args in turn.calls]
    says = {"user_content": {"parts": [{"text": turn.says}], "role": "user"}}
    reply = {"final_response": {"parts": [{"text": turn.reply}], "role": "model"}}
    calls = {"intermediate_data": {"tool_uses": uses}} if uses else {}
    return says | calls | reply if typed else says | reply | calls


def tenxgraph(_stamp: Stamp) -> Json:
    return {
        "eval_set_id": ID,
        "name": NAME,
        "description": "",
        "eval_cases": [
            {
                "eval_id": case_id,
                "name": "",
                "description": "",
                "conversation": [_tenxgraph_turn(turn) for turn in turns],
                "session_input": {
                    "app_name": "",
                    "user_id": "test_user",
                    "state": {},
                    "config": {},
                },
                "tags": tags,
                "metadata": {},
            }
            for case_id, turns, tags in told_turns()
        ],
        "metadata": {},
    }


def _tenxgraph_turn(turn: Turn) -> Json:
    return {
        "user_content": {"role": "user", "content": turn.says, "metadata": {}},
        "expected_tool_trajectory": [{"name": n, "args": dict(a)} for n, a in turn.calls],
        "expected_node_order": [],
        "expected_intermediate_responses": [],
        "expected_final_response": {"role": "assistant", "content": turn.reply, "metadata": {}},
    }


CLAIM_ROWS = [
    ("Id", "Name", "policy", "text", "amount"),
    *(
        (f"claim-{n:02d}", f"Claim {n}", f"HH-{n:04d}", f"Window {n} broke.", 10 * n + 0.5)
        for n in ROWS
    ),
]
CLAIM = {"policy": "HH-9001", "text": "My window came late.", "amount": 120.5}
FIRST_TEXT, CLAIM_NAME = "My new window came late.", "The parcel is late"
TOOL_CALLS = (("lookup_policy", "policy", "HH-9001"), ("estimate_damage", "amount", 120.5))
DECIDE, ORDER, ARGS = "DecisionEvaluator", "ToolOrderEvaluator", "ToolArgsEvaluator"
CRITERIA = {
    DECIDE: {"expectedOutput": {"decision": "approve"}},
    ORDER: {"toolCallsOrder": [tool for tool, _name, _value in TOOL_CALLS]},
    ARGS: {"toolCalls": [{"name": tool, "args": {n: v}} for tool, n, v in TOOL_CALLS]},
}
MOCKED, MOCK_ANSWER = "lookup_policy", "active"


def coded(_stamp: Stamp) -> Json:
    rule = {
        "function": MOCKED,
        "then": [{"type": "return", "value": MOCK_ANSWER}],
        "arguments": {"args": [], "kwargs": {"policy": {"_target_": "mockito.any"}}},
    }
    claims = [
        {
            "id": row[0],
            "name": row[1],
            "inputs": dict(zip(CLAIM_ROWS[0][2:], row[2:], strict=True)),
            "evaluationCriterias": {},
        }
        for row in CLAIM_ROWS[1:]
    ]
    own = {
        "id": CASE,
        "name": CLAIM_NAME,
        "inputs": CLAIM,
        "evaluationCriterias": CRITERIA,
        "mockingStrategy": {"type": "mockito", "config": [rule]},
    }
    return {
        "version": "1.0",
        "id": ID,
        "name": NAME,
        "evaluatorRefs": list(CRITERIA),
        "evaluations": [claims[0], own, *claims[1:]],
    }


def meaning_of_claims() -> Json:
    head = CLAIM_ROWS[0][2:]
    cases = [
        {
            "name": row[1],
            "inputs": dict(zip(head, row[2:], strict=True)),
            "behavior": "",
            "criteria": {},
        }
        for row in CLAIM_ROWS[1:]
    ]
    own = {"name": CLAIM_NAME, "inputs": CLAIM, "behavior": "", "criteria": CRITERIA}
    return {
        "name": NAME,
        "evaluators": sorted(CRITERIA),
        "cases": [cases[0], own, *cases[1:]],
        "mocked": {
            "answered": {"returns": MOCK_ANSWER},
            "other arguments": {"raises": "UiPathMockResponseGenerationError"},
            "other function": {"returns": "the real one"},
        },
    }


TICKET_ROWS = [
    ("Name", "ticket", "category", "priority", "reply", "Expected behavior"),
    *(
        (
            f"ticket {n:02d}",
            f"Invoice {n} is wrong.",
            "billing",
            "high" if n % 2 else "low",
            f"We will correct invoice {n}.",
            f"Looks up invoice {n}.",
        )
        for n in ROWS
    ),
]
TICKET = (
    CASE,
    "Where is parcel A-17?",
    "other",
    "high",
    "It comes on Friday.",
    "Calls locate_parcel, then find_day.",
)
FIRST_TICKET = "Where is my parcel?"
SIMULATED, INSTRUCTIONS = "locate_parcel", "The parcel is in Porto."
BEHAVES, SORTS = (
    "79cb9e86-830c-41c2-8dcc-69292f45e678",
    "db5b5fab-8f4d-4e27-9da1-494c73cf256d",
)


def tickets() -> list[Sequence[str]]:
    return [TICKET_ROWS[1], TICKET, *TICKET_ROWS[2:]]


def lowcode(stamp: Stamp) -> Json:
    cases = []
    for index, (name, ticket, *outputs, behavior) in enumerate(tickets()):
        at = f"/evaluations/{index}"
        case = {
            "id": stamp(f"{at}/id"),
            "name": name,
            "inputs": {"ticket": ticket},
            "expectedOutput": dict(zip(TICKET_ROWS[0][2:5], outputs, strict=True)),
            "expectedAgentBehavior": behavior,
            "evalSetId": stamp("/id"),
            "createdAt": stamp(f"{at}/createdAt"),
            "updatedAt": stamp(f"{at}/updatedAt"),
        }
        if name == CASE:
            case["simulateTools"] = True
            case["toolsToSimulate"] = [{"name": SIMULATED}]
            case["simulationInstructions"] = INSTRUCTIONS
        cases.append(case)
    return {
        "fileName": "late_parcels.json",
        "id": stamp("/id"),
        "name": NAME,
        "batchSize": 10,
        "evaluatorRefs": [BEHAVES, SORTS],
        "evaluations": cases,
        "modelSettings": [],
        "agentMemoryEnabled": False,
        "agentMemorySettings": [],
        "createdAt": stamp("/createdAt"),
        "updatedAt": stamp("/updatedAt"),
    }


def meaning_of_tickets() -> Json:
    cases = []
    for name, ticket, *outputs, behavior in tickets():
        expected = dict(zip(TICKET_ROWS[0][2:5], outputs, strict=True))
        one = {"expectedOutput": expected, "expectedAgentBehavior": behavior}
        cases.append(
            {
                "name": name,
                "inputs": {"ticket": ticket},
                "behavior": behavior,
                "criteria": {BEHAVES: one, SORTS: one},
            }
        )
    return {
        "name": NAME,
        "evaluators": sorted([BEHAVES, SORTS]),
        "cases": cases,
        "mocked": {"kind": "llm", "prompt": INSTRUCTIONS, "tools": [SIMULATED]},
    }


AUTHORED = {
    "adk": Authored(
        "Google ADK",
        "adk/refund_desk",
        "late_parcels.evalset.json",
        TURN_ROWS,
        adk,
        meaning_of_turns(),
        "adk",
        Criterion("Grounded in the context", "hallucinations_v1", 0.9, "test_config.json"),
        stamps=("/creation_timestamp",),
    ),
    "harnest": Authored(
        "Harnest",
        "harnest/library_helper",
        "evals/late_parcels.evalset.json",
        TURN_ROWS,
        adk,
        meaning_of_turns(),
        "adk",
        Criterion(
            "Reply means the same", "final_response_match_v2", 0.75, "evals/test_config.json"
        ),
        stamps=("/creation_timestamp",),
    ),
    "tenxgraph": Authored(
        "10xGraph",
        "tenxgraph/trip_planner",
        "evals/late_parcels.evalset.json",
        TURN_ROWS,
        tenxgraph,
        meaning_of_turns(),
        "tenxgraph",
        Criterion("Response match", "response_match", 0.5, "eval_config.json"),
    ),
    "uipath_coded": Authored(
        "UiPath coded agent",
        "uipath_coded/claims_intake",
        "evaluations/eval-sets/late_parcels.json",
        CLAIM_ROWS,
        coded,
        meaning_of_claims(),
        "uipath",
        evaluators=(DECIDE, ORDER, ARGS),
    ),
    "uipath_lowcode": Authored(
        "UiPath low-code agent",
        "uipath_lowcode/SupportTriage",
        "evals/eval-sets/late_parcels.json",
        TICKET_ROWS,
        lowcode,
        meaning_of_tickets(),
        "uipath",
        evaluators=("Worked as told", "Right category"),
    ),
}
