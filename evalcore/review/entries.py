"""What reviewers said of results, one JSON object a line, only ever added to."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Literal
from uuid import uuid4

from pydantic import Field, ValidationError, field_validator

from evalcore.errors import Problem
from evalcore.model import Model
from evalcore.results import Verdict


class Finding(StrEnum):
    """What a reviewer found of a failed result."""

    AGENT_WRONG = "agent_wrong"
    EXPECTATION_WRONG = "expectation_wrong"
    JUDGE_WRONG = "judge_wrong"
    AMBIGUOUS = "ambiguous"


WORDS = {
    Finding.AGENT_WRONG: "agent was wrong",
    Finding.EXPECTATION_WRONG: "expectation was wrong",
    Finding.JUDGE_WRONG: "judge was wrong",
    Finding.AMBIGUOUS: "ambiguous",
}


class Entry(Model):
    """One thing said by one reviewer at one time.

    A ``finding`` is about a result of a run: ``case_id``, ``repeat`` and ``invocation`` (from 0,
    None for the whole case) say which. An ``override`` gives it another verdict, or one check's
    where ``evaluator`` names it; ``original`` is what stood there. An ``undo`` takes an earlier
    entry back by its ``id``. ``case_hash`` is that of the case as it was when this was said.
    ``original`` of a finding is the verdict that it is about. ``settles`` marks what reviewers who
    found different things agreed on. ``staged`` says what of the expectation went into a draft.
    """

    id: str = Field(default_factory=lambda: uuid4().hex)
    kind: Literal["finding", "override", "undo"] = "finding"
    case_id: str
    case_hash: str = ""
    run: str = ""
    repeat: int = 0
    invocation: int | None = None
    evaluator: str = ""
    finding: Finding | None = None
    verdict: Verdict | None = None
    original: Verdict | None = None
    undoes: str = ""
    settles: bool = False
    staged: tuple[str, ...] = ()
    note: str = ""
    reviewer: str
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))

    @field_validator("reviewer")
    @classmethod
    def _named(cls, reviewer: str) -> str:
        if not reviewer.strip():
            raise ValueError("a review has the name of its reviewer")
        return reviewer.strip()

    @property
    def about(self) -> tuple[str, str, int, int | None, str]:
        """Return which result of which run, and which of its checks, this is about."""
        return self.run, self.case_id, self.repeat, self.invocation, self.evaluator


def write_line(entry: Entry) -> str:
    """Return an entry as one line of a review file, without what is empty, in ASCII."""
    held = entry.model_dump(mode="json", exclude_defaults=True)
    held = {"id": entry.id, "at": held.pop("at", entry.at.isoformat()), **held}
    return json.dumps(held, separators=(", ", ": ")) + "\n"


def read_lines(data: bytes, path: str = "") -> tuple[list[Entry], list[Problem]]:
    """Return the entries of a review file in their order, and what is wrong with other lines.

    A line that is none of ours stays in the file; an entry that is there twice, as after a merge of
    two branches, counts once.
    """
    found: dict[str, Entry] = {}
    problems: list[Problem] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            entry = Entry.model_validate_json(line)
        except ValidationError as error:
            problems.append(_problem(error, number, path))
            continue
        found.setdefault(entry.id, entry)
    return sorted(found.values(), key=lambda entry: entry.at), problems


def standing(entries: list[Entry]) -> list[Entry]:
    """Return the findings and overrides that were not taken back, in their order."""
    gone = {entry.undoes for entry in entries if entry.kind == "undo"}
    return [entry for entry in entries if entry.kind != "undo" and entry.id not in gone]


def _problem(error: ValidationError, number: int, path: str) -> Problem:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    said = f"{place}: {first['msg']}" if place else str(first["msg"])
    return Problem(
        "warning",
        "evaldesk.review_line",
        f"Line {number} is no review that Evaldesk wrote, and is left out: {said}",
        hint="Correct the line, or delete it. Nothing else in the file is lost.",
        line=number,
        column=1,
        path=path,
    )
