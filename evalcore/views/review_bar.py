"""What somebody says of one result, and the edit of its case that a wrong expectation leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from evalcore import verdicts
from evalcore.changes import case_diff
from evalcore.counting import CaseRow
from evalcore.drafts.changes import CaseChange
from evalcore.errors import EvaldeskError, FormatError
from evalcore.jsontree import MISSING, JsonValue, same
from evalcore.results import CaseResult, InvocationResult, Score, Verdict
from evalcore.review import Entry, Finding, likely, parts_of, staged
from evalcore.store import CaseLine
from evalcore.store.rows import case_key
from evalcore.verdicts import PassMark
from evalcore.views.changes import FieldView, field_view

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.views.sheet import Sheet

HELP = {
    Finding.AGENT_WRONG: "The result is bad, and it was right to fail it. Nothing is changed.",
    Finding.EXPECTATION_WRONG: "What the agent did is fine: the case should expect it. The edit is "
    "shown first, and goes into the draft of the case file.",
    Finding.JUDGE_WRONG: "The check misjudged what the agent did. You can count the result "
    "otherwise; its scores stay.",
    Finding.AMBIGUOUS: "The case can be read in several ways: it says nothing of the agent until "
    "somebody makes it clear.",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a reviewer is about to say. ``turn`` counts from 0, None for the whole result.

    ``verdict`` is the one that the whole result counts as instead, None to leave it. ``parts`` are
    those of the expectation that are to be replaced, None for those that are likely to be meant.
    """

    finding: Finding | None = None
    note: str = ""
    turn: int | None = None
    verdict: Verdict | None = None
    parts: tuple[str, ...] | None = None
    settles: bool = False

    @property
    def is_empty(self) -> bool:
        """Return whether nothing was said."""
        return self.finding is None and self.verdict is None


@dataclass(frozen=True, slots=True)
class Subject:
    """A result under review. ``mark`` judges where its system has no rule."""

    run: str
    line: CaseLine
    row: CaseRow
    mark: PassMark

    @property
    def case(self) -> CaseResult:
        """Return the result in full."""
        return self.row.case

    def verdict_of(self, turn: int | None) -> Verdict:
        """Return the scored verdict of the result or one of its turns."""
        if turn is None or turn >= len(self.row.turns):
            return self.line.verdict
        return self.row.turns[turn].verdict or self.line.verdict

    def turns_round(self, turn: int | None) -> bool:
        """Return whether a wrong verdict on a turn turns that of the whole result round."""
        bad = (Verdict.FAILED, Verdict.ERROR)
        failed = [t.number - 1 for t in self.row.turns if t.verdict in bad]
        return turn is None or failed in ([], [turn])

    def turns(self, turn: int | None) -> list[tuple[int, InvocationResult]]:
        """Return the turns that a finding is about: of a whole result those that did not pass."""
        numbered = [(t.number - 1, t.turn) for t in self.row.turns]
        if turn is not None:
            return [pair for pair in numbered if pair[0] == turn]
        bad = (Verdict.FAILED, Verdict.ERROR)
        failed = [p for p, t in zip(numbered, self.row.turns, strict=True) if t.verdict in bad]
        return failed or numbered

    def failed_scores(self, turn: InvocationResult) -> list[Score]:
        """Return the scores that let a turn fail, those of the whole case among them."""
        bad = (Verdict.FAILED, Verdict.ERROR)
        scores = (*turn.scores, *self.case.scores)
        return [score for score in scores if verdicts.of_score(score, self.mark) in bad]


def entries_of(subject: Subject, said: Said, reviewer: str, case_hash: str) -> list[Entry]:
    """Return what is to be written down: a finding, another verdict, or both.

    Raises FormatError where nobody says who says it, or nothing is said.
    """
    if said.is_empty:
        raise FormatError(
            "Nothing is chosen yet", hint="Say who was wrong: press 1, 2, 3 or 4, then save."
        )
    if not reviewer.strip():
        raise FormatError("A review needs your name", hint="Write it beside the button.")
    common = Entry(
        case_id=subject.line.case_key,
        case_hash=case_hash,
        run=subject.run,
        repeat=subject.line.repeat,
        invocation=said.turn,
        original=subject.verdict_of(said.turn),
        note=said.note.strip(),
        reviewer=reviewer,
        settles=said.settles,
    )
    found = [] if said.finding is None else [replace_of(common, finding=said.finding)]
    if said.verdict is not None and said.verdict is not subject.line.verdict:
        whole = {"invocation": None, "original": subject.line.verdict, "settles": False}
        found.append(replace_of(common, kind="override", verdict=said.verdict, **whole))
    return found


def replace_of(entry: Entry, **update: object) -> Entry:
    """Return another entry that says the same but for some parts; it has an id of its own."""
    held = entry.model_dump(exclude={"id"})
    return Entry.model_validate({**held, **update})


def undo_of(entry: Entry, reviewer: str) -> Entry:
    """Return what takes an entry back. Raises FormatError where nobody says who does."""
    if not reviewer.strip():
        raise FormatError("Taking a review back needs your name", hint="Write it first.")
    about = {"case_id": entry.case_id, "run": entry.run, "repeat": entry.repeat}
    return Entry(
        kind="undo", undoes=entry.id, invocation=entry.invocation, reviewer=reviewer, **about
    )


@dataclass(frozen=True, slots=True)
class MendPart:
    """A part of the expectation that can be replaced. ``key`` has the turn and the part."""

    key: str
    label: str
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Mending:
    """What a wrong expectation would change in the case file.

    ``why`` says why nothing can be changed, "" where it can. ``likely`` are the keys of the parts
    that the failed checks look at; ``index`` is the case's place in the draft.
    """

    why: str = ""
    index: int = -1
    parts: tuple[MendPart, ...] = ()
    likely: tuple[str, ...] = ()
    turns: tuple[tuple[int, InvocationResult], ...] = field(default=(), repr=False)

    def chosen(self, asked: tuple[str, ...] | None) -> tuple[MendPart, ...]:
        """Return the parts to be replaced: those asked for, else the likely ones."""
        wanted = self.likely if asked is None else asked
        return tuple(part for part in self.parts if part.key in wanted)

    def apply(self, lens: EvalSetLens, tree: JsonValue, parts: Sequence[MendPart]) -> JsonValue:
        """Return the set with the parts replaced. Raises FormatError where one cannot be."""
        for number, turn in self.turns:
            names = [part.name for part in parts if part.number == number]
            if names:
                tree = staged(lens, tree, self.index, number, turn, names)
        return tree


def mending(sheet: Sheet, subject: Subject, turn: int | None) -> Mending:
    """Return what can be changed so that a case expects what happened."""
    lens, tree = sheet.lens, sheet.tree
    if lens.read_only:
        return Mending("This set is in an old shape that can be read but not edited.")
    index = place_in(lens, tree, subject.line.case_key)
    if index is None:
        return Mending("The case is not in the set any more.")
    turns = tuple(t for t in subject.turns(turn) if not _crashed(subject, t[1]))
    parts: list[MendPart] = []
    meant: list[str] = []
    is_alone = len(subject.row.turns) < 2
    for number, done in turns:
        found = parts_of(lens, tree, index, number, done)
        wanted = likely(found, subject.failed_scores(done))
        meant += (f"{number} {name}" for name in wanted)
        before = "" if is_alone else f"Turn {number + 1}: "
        parts += (MendPart(f"{number} {p.name}", before + p.label, number, p.name) for p in found)
    if not parts:
        return Mending(_nothing(turns), index)
    return Mending("", index, tuple(parts), tuple(meant), turns)


def mended_fields(
    lens: EvalSetLens, tree: JsonValue, found: Mending, parts: Sequence[MendPart]
) -> tuple[FieldView, ...]:
    """Return the edit in words, before and after."""
    new = found.apply(lens, tree, parts)
    if same(new, tree):
        return ()
    before, after = lens.raw_cases(tree), lens.raw_cases(new)
    name = lens.case_id(after[found.index])
    change = CaseChange("changed", name, found.index, found.index)
    return tuple(map(field_view, case_diff(lens, change, before, after).fields))


def stage(sheet: Sheet, found: Mending, parts: Sequence[MendPart], who: str) -> bool:
    """Put the edit into the set's draft, as one step that can be undone; False where it is there.

    Raises FormatError where the draft has moved on.
    """
    title = sheet.title(sheet.name_at(found.index)) if found.index < len(sheet.cases) else ""
    label = f"Expect what the agent did in {title}" + (f" (review by {who})" if who else "")
    return sheet.edit(lambda tree: found.apply(sheet.lens, tree, parts), label)


def place_in(lens: EvalSetLens, tree: JsonValue, key: str) -> int | None:
    """Return where the case of a result stands in a set, None where it is not there."""
    for place, raw in enumerate(lens.raw_cases(tree)):
        if case_key(CaseResult(origin="", case_id=lens.case_id(raw)), place) == key:
            return place
    return None


def with_finding(subject: Subject, said: Said, finding: Finding) -> Said:
    """Return what is said once a finding is chosen; choosing it again takes it back.

    That the judge was wrong turns the verdict round, unless other turns failed too, or another
    verdict was chosen before.
    """
    if said.finding is finding:
        return replace(said, finding=None, verdict=None)
    if finding is Finding.JUDGE_WRONG:
        is_passed = subject.line.verdict is Verdict.PASSED
        turned = Verdict.FAILED if is_passed else Verdict.PASSED
        meant = turned if subject.turns_round(said.turn) else None
        return replace(said, finding=finding, verdict=said.verdict or meant)
    keeps = said.finding is not Finding.JUDGE_WRONG
    return replace(said, finding=finding, verdict=said.verdict if keeps else None)


def sheet_or_why(open_sheet: object) -> tuple[Sheet | None, str]:
    """Return an opened set, or why it cannot be opened, for ``open_sheet()``."""
    try:
        return open_sheet(), ""  # type: ignore[operator]
    except EvaldeskError as error:
        return None, error.message


def _crashed(subject: Subject, turn: InvocationResult) -> bool:
    """Return whether the agent got nowhere: what is left of that is nothing to expect."""
    is_silent = turn.actual_output in (MISSING, None, "")
    return bool(turn.error) or (bool(subject.case.error) and is_silent)


def _nothing(turns: Sequence[tuple[int, InvocationResult]]) -> str:
    if not turns:
        return (
            "The agent did nothing here that a case could expect: it ended in an error, or what "
            "it did is not recorded."
        )
    return (
        "Nothing to change: the case expects what happened already, or the result does not "
        "say what its format could expect. Edit the case by hand."
    )
