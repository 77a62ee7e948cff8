"""What is built by hand in the authoring stories: thirty rows, one more case, and the whole file.

Said here as data, without Evaldesk's own code: a story in the browser must save exactly these
bytes, and the system's own package must read from them what the story means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Json = Any
ROWS = range(1, 31)
NAME, ID = "Late parcels", "late_parcels"
CASE = "parcel_is_late"


@dataclass(frozen=True)
class Turn:
    """One turn that is typed: what is said, the tool that must be called, what is answered."""

    says: str
    reply: str
    tool: str = ""
    argument: str = ""
    value: str | int = ""


TALK = (
    Turn("Where is my parcel?", "It is in Porto.", "locate_parcel", "order", "A-17"),
    Turn("When does it come?", "On Friday.", "find_day", "days", 2),
    Turn("Many thanks!", "You are welcome."),
)
FIRST_TALK = (*TALK[:2], replace(TALK[2], says="Thank you!"))
"""The turns as they are typed at first; what is said last is edited afterwards."""


def rows(head: Sequence[str], row: Callable[[int], Sequence[Json]]) -> list[Sequence[Json]]:
    return [head, *(row(n) for n in ROWS)]


TURN_ROWS = rows(
    ("Case", "Question", "Expected answer", "Tools", "Tags"),
    lambda n: (
        f"parcel_{n:02d}",
        f"Where is parcel P-{n:03d}?",
        f"It is in depot {n}.",
        f'locate_parcel(order="P-{n:03d}", depot={n})',
        "parcels, spring" if n % 2 else "parcels",
    ),
)


CLAIM_ROWS = rows(
    ("Id", "Name", "policy", "text", "amount"),
    lambda n: (f"claim-{n:02d}", f"Claim {n}", f"HH-{n:04d}", f"Window {n} broke.", n * 10.5),
)
TICKET_ROWS = rows(
    ("Name", "ticket", "category", "priority", "reply", "Expected behavior"),
    lambda n: (
        f"ticket {n:02d}",
        f"Invoice {n} is wrong.",
        "billing",
        "high" if n % 2 else "low",
        f"We will correct invoice {n}.",
        f"Looks up invoice {n}.",
    ),
)


@dataclass(frozen=True)
class Check:
    label: str
    mark: float


@dataclass(frozen=True)
class Authored:
    label: str
    short: str
    project: str
    path: str
    rows: list
    check: Check

    def text(self, saved: bytes) -> bytes:
        return saved


TOLD = {
    "adk": Authored(
        "Google ADK",
        "ADK",
        "adk/refund_desk",
        "late_parcels.evalset.json",
        TURN_ROWS,
        Check("Grounded in the context", 0.9),
    ),
    "harnest": Authored(
        "Harnest",
        "Harnest",
        "harnest/library_helper",
        "evals/late_parcels.evalset.json",
        TURN_ROWS,
        Check("Reply means the same", 0.75),
    ),
    "tenxgraph": Authored(
        "10xGraph",
        "10xGraph",
        "tenxgraph/trip_planner",
        "evals/late_parcels.evalset.json",
        TURN_ROWS,
        Check("Response match", 0.5),
    ),
    "uipath_coded": Authored(
        "UiPath coded agent",
        "UiPath",
        "uipath_coded/claims_intake",
        "evaluations/eval-sets/late_parcels.json",
        CLAIM_ROWS,
        Check("", 0),
    ),
    "uipath_lowcode": Authored(
        "UiPath low-code agent",
        "UiPath",
        "uipath_lowcode/SupportTriage",
        "evals/eval-sets/late_parcels.json",
        TICKET_ROWS,
        Check("", 0),
    ),
}
