"""A draft: the edits made to one opened file and not saved yet, with undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import RLock
from time import monotonic, time
from typing import TYPE_CHECKING, TypeVar, cast

from evalcore.drafts.changes import CaseChange, case_changes, pair, without_cases
from evalcore.drafts.delta import delta
from evalcore.drafts.merge import three_way
from evalcore.drafts.steps import Record, Steps
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.jsontree import JsonValue, get, put, same

if TYPE_CHECKING:
    from evalcore.drafts.journal import Ending
    from evalcore.drafts.record import DraftRecord
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsondoc import JsonDocument
    from evalcore.workspace import OpenFile

T = TypeVar("T")
PAUSE_SECONDS = 5.0
"""How long typing may pause in one field before what is typed next is a step of its own."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One step of a draft's history; ``at`` is when it was begun, in seconds since 1970."""

    label: str
    at: float
    is_done: bool


class Draft:
    """The only truth about a file that is being edited; what is on screen are views of it.

    Trees are immutable, so the history shares all that did not change. All methods may be called
    from several threads. ``revision`` grows with every change of the tree, undo included.

    With a ``record`` every edit is also written down on disk, and what other servers wrote there is
    done here before anything else is.
    """

    def __init__(
        self, base: OpenFile, record: DraftRecord | None = None, steps: Steps | None = None
    ) -> None:
        self._lock = RLock()
        self._base = base
        self._steps = steps or Steps(base.document.value)
        self._record = record
        self._open_key: str | None = None
        self._typed_at = 0.0
        self._revision = 0
        self._cache: dict[str, tuple[int, object]] = {}

    @property
    def base(self) -> OpenFile:
        """Return the file as it was opened or last saved."""
        return self._base

    @property
    def path(self) -> str:
        """Return the file's path in the workspace."""
        return self._base.path

    @property
    def tree(self) -> JsonValue:
        """Return the current tree."""
        return self._steps.tree

    @property
    def revision(self) -> int:
        """Return a number that changes whenever the tree does."""
        return self._revision

    @property
    def lens(self) -> EvalSetLens | None:
        """Return the lenses of the file's shape, None for a file that is no eval set."""
        detection = self._base.detection
        if detection is None or self._base.format is None or detection.kind is not Kind.EVAL_SET:
            return None
        return self._base.format.lens_for(detection)

    @property
    def id_keys(self) -> tuple[str, ...]:
        """Return the keys by which items of lists are recognised when the file is written."""
        from evalcore.jsondoc import DEFAULT_ID_KEYS

        lens = self.lens
        own = lens.id_keys if lens is not None else ()
        return tuple(dict.fromkeys((*own, *DEFAULT_ID_KEYS)))

    def apply(self, tree: JsonValue, label: str, merge_key: str | None = None) -> bool:
        """Make ``tree`` the current one; returns False, and does nothing, if it is no different.

        Edits that follow each other within ``PAUSE_SECONDS`` and with the same ``merge_key``
        (typing in one field) become one step of the history. Where other threads may edit too, use
        ``edit``.
        """
        return self.edit(lambda _current: tree, label, merge_key)

    def edit(
        self,
        change: Callable[[JsonValue], JsonValue],
        label: str,
        merge_key: str | None = None,
    ) -> bool:
        """Apply what ``change`` makes of the current tree, as one undoable step.

        No edit of another thread can come in between. What ``change`` raises leaves all as it was.
        """
        with self._turn():
            steps = self._steps
            tree = change(steps.tree)
            found = delta(steps.tree, tree)
            if found is None:
                return False
            goes_on = merge_key is not None and self._is_typing(merge_key) and steps.takes(tree)
            record: Record = {"on": 1, "d": found}
            if not goes_on:
                record = {"do": label, "d": found, "at": round(time(), 1)}
                steps.do(label, tree, found, record["at"])
            is_left = steps.go_on(tree) if goes_on else True
            self._open_key = merge_key if is_left else None
            self._typed_at = monotonic()
            self._revision += 1
            self._wrote(record)
            return True

    def _is_typing(self, merge_key: str) -> bool:
        is_same = merge_key == self._open_key
        return is_same and monotonic() - self._typed_at <= PAUSE_SECONDS

    def undo(self) -> str | None:
        """Take the last step back; returns its label, None if there is none."""
        return next(iter(self._travel(-1)), None)

    def redo(self) -> str | None:
        """Do the last undone step again; returns its label, None if there is none."""
        return next(iter(self._travel(1)), None)

    def go_to(self, done: int) -> int:
        """Undo or redo until ``done`` steps of the history are done; returns how many steps went.

        Ends early where the history has fewer.
        """
        with self._turn():
            return len(self._travel(max(0, done) - len(self._steps.past)))

    @property
    def undo_label(self) -> str | None:
        """Return what ``undo`` would take back, None if nothing."""
        past = self._steps.past
        return past[-1].label if past else None

    @property
    def redo_label(self) -> str | None:
        """Return what ``redo`` would do again, None if nothing."""
        future = self._steps.future
        return future[-1].label if future else None

    @property
    def history(self) -> tuple[HistoryStep, ...]:
        """Return all steps, the oldest first; those that were undone are behind the others."""
        with self._lock:
            past = [HistoryStep(s.label, s.at, True) for s in self._steps.past]
            future = [HistoryStep(s.label, s.at, False) for s in reversed(self._steps.future)]
        return (*past, *future)

    def follow(self) -> bool:
        """Do what other servers wrote down; returns False if the draft was ended there.

        Edits of a draft that was ended would be of no use: open another one.
        """
        with self._lock:
            if self._record is None:
                return True
            if self._record.has_news():
                with suppress(FormatError), self._turn():
                    pass
            return not self._record.is_ended

    def end(self, how: Ending) -> None:
        """Take the draft off the disk; the object stays as it is."""
        with self._lock:
            if self._record is not None:
                self._record.end(how)

    def let_go(self) -> None:
        """Free what keeping the draft on disk takes; it stays there."""
        with self._lock:
            if self._record is not None:
                self._record.close()

    @property
    def trouble(self) -> str:
        """Return why edits are not kept on disk at present, "" if they are, or need not be."""
        return self._record.trouble if self._record is not None else ""

    @property
    def is_dirty(self) -> bool:
        """Return whether saving would change the file."""
        return self._cached("dirty", lambda: not same(self._base.document.value, self.tree))

    @property
    def changed_cases(self) -> tuple[CaseChange, ...]:
        """Return every case that differs from the opened file; () for files without cases."""
        return self._cached("cases", self._case_changes)

    @property
    def changed_around(self) -> bool:
        """Return whether anything outside the cases differs (all of it, where there are none)."""
        return self._cached("around", self._around_differs)

    def revert_case(self, change: CaseChange) -> bool:
        """Drop the edits of one case, as a step that can be undone.

        Raises FormatError if the draft has moved on and ``change`` is none of its changes.
        """
        with self._lock:
            if change not in self.changed_cases:
                raise FormatError("These edits are gone already", hint="Look at the list again.")
            label = f"Drop the edits of {change.id or 'a case'}"
            return self.edit(lambda tree: self._reverted(tree, change), label)

    def revert_around(self) -> bool:
        """Drop the edits outside the cases, as a step that can be undone."""
        with self._lock:
            lens, base = self.lens, self._base.document.value
            if lens is None:
                return self.edit(lambda _tree: base, "Drop all edits")
            return self.edit(
                lambda tree: _with_cases(base, lens, lens.raw_cases(tree)),
                "Drop the edits of the set's details",
            )

    def revert_all(self) -> bool:
        """Drop all edits, as one step that can be undone."""
        return self.edit(lambda _tree: self._base.document.value, "Drop all edits")

    def rebase(self, opened: OpenFile, saved: JsonValue, *, keep_history: bool = True) -> None:
        """Take ``opened`` as the new base, after ``saved`` was written to it or merged with it.

        Edits made since ``saved`` was taken from this draft stay, on top of the new base. Where
        ``opened`` holds edits of others, ask not to keep the history: undoing would drop theirs.
        """
        with self._turn():
            new, tree = opened.document.value, self.tree
            if same(saved, new):
                # What did not change is found by identity as before.
                opened.document.share(saved)
                new = saved
            if same(tree, saved):
                tree = new
            elif new is not saved:
                merged = three_way(saved, tree, new, self.lens)
                tree = merged.tree if merged.is_clean else tree
            self._base, self._open_key = opened, None
            if not keep_history:
                self._steps.past.clear()
                self._steps.future.clear()
            if same(tree, new):
                tree = new
            if tree is not self.tree:
                self._steps.land(tree)
            self._revision += 1
            if self._record is not None:
                self._record.rebased(opened, self._steps, is_dirty=self.is_dirty)

    def rendered(self) -> bytes:
        """Return the bytes that saving would write."""
        return self._cached("bytes", self._render)

    def snapshot(self) -> tuple[JsonValue, bytes]:
        """Return the current tree and the bytes that saving it would write."""
        with self._lock:
            return self.tree, self.rendered()

    def document(self) -> JsonDocument:
        """Return the draft as it would be written, for its problems and positions."""
        return self._cached("document", self._parse)

    def _travel(self, steps: int) -> list[str]:
        with self._turn():
            labels = self._steps.travel(steps)
            if labels:
                self._open_key = None
                self._revision += 1
                self._wrote({"go": len(labels) if steps > 0 else -len(labels)})
            return labels

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Keep other threads and servers from editing meanwhile, and do first what they did.

        Raises FormatError if another server ended the draft.
        """
        with self._lock:
            if self._record is None or self._record.is_held:
                yield
                return
            with self._record.turn(self._steps) as has_changed:
                if has_changed:
                    self._open_key = None
                    self._revision += 1
                yield

    def _wrote(self, record: Record) -> None:
        if self._record is not None:
            self._record.add(record, self._steps, is_dirty=self.is_dirty)

    def _cached(self, name: str, compute: Callable[[], T]) -> T:
        with self._lock:
            known = self._cache.get(name)
            if known is not None and known[0] == self._revision:
                return cast(T, known[1])
            value = compute()
            self._cache[name] = (self._revision, value)
            return value

    def _case_changes(self) -> tuple[CaseChange, ...]:
        lens = self.lens
        if lens is None or not self.is_dirty:
            return ()
        old, new = lens.raw_cases(self._base.document.value), lens.raw_cases(self.tree)
        return case_changes(old, new, lens.case_id)

    def _around_differs(self) -> bool:
        lens, base = self.lens, self._base.document.value
        if lens is None or not self.is_dirty:
            return self.is_dirty
        if not lens.raw_cases(base) or not lens.raw_cases(self.tree):
            return not same(_with_cases(base, lens, []), _with_cases(self.tree, lens, []))
        return not same(without_cases(base, lens), without_cases(self.tree, lens))

    def _render(self) -> bytes:
        return self._base.document.render(self.tree, id_keys=self.id_keys)

    def _parse(self) -> JsonDocument:
        from evalcore.jsondoc import JsonDocument

        if not self.is_dirty:
            return self._base.document
        document = JsonDocument.parse(self.rendered())
        # The same values, but the cases that no edit touched are still the same objects.
        document.value = self.tree
        return document

    def _reverted(self, tree: JsonValue, change: CaseChange) -> JsonValue:
        lens = self.lens
        if lens is None:
            return tree
        old, new = lens.raw_cases(self._base.document.value), list(lens.raw_cases(tree))
        pairs = pair(old, new, lens.case_id)
        if change.before is None:
            new.pop(change.after or 0)
            return _with_cases(tree, lens, new)
        if change.after is not None and not change.moved:
            new[change.after] = old[change.before]
            return _with_cases(tree, lens, new)
        if change.after is not None:
            new.pop(change.after)
        new.insert(_old_place(change, pairs.new_of), old[change.before])
        return _with_cases(tree, lens, new)


def _old_place(change: CaseChange, new_of: dict[int, int]) -> int:
    """Return where a case belongs again: right behind its nearest old predecessor still there."""
    for before in range((change.before or 0) - 1, -1, -1):
        after = new_of.get(before)
        if after is not None:
            gone = change.after is not None and change.after < after
            return after if gone else after + 1
    return 0


def _with_cases(tree: JsonValue, lens: EvalSetLens, cases: list[JsonValue]) -> JsonValue:
    where = lens.cases_pointer(tree)
    if not cases and not isinstance(get(tree, where), list):
        return tree
    return put(tree, where, cases)
