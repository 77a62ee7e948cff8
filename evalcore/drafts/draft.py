"""A draft: the edits made to one opened file and not saved yet, with undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, TypeVar, cast

from evalcore.drafts.changes import CaseChange, case_changes, pair, without_cases
from evalcore.drafts.merge import three_way
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.jsontree import JsonValue, get, put, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsondoc import JsonDocument
    from evalcore.workspace import OpenFile

MAX_STEPS = 500
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Step:
    """One edit in the past (``tree`` is what was before it) or undone (what came after it)."""

    label: str
    tree: JsonValue


class Draft:
    """The only truth about a file that is being edited; what is on screen are views of it.

    Trees are immutable, so the history shares all that did not change. All methods may be called
    from several threads. ``revision`` grows with every change of the tree, undo included.
    """

    def __init__(self, base: OpenFile) -> None:
        self._lock = RLock()
        self._base = base
        self._tree: JsonValue = base.document.value
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self._open_key: str | None = None
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
        return self._tree

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

        Edits that follow each other with the same ``merge_key`` (typing in one field) become one
        step of the history. Where other threads may edit too, use ``edit``.
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
        with self._lock:
            tree = change(self._tree)
            if same(tree, self._tree):
                return False
            goes_on = merge_key is not None and merge_key == self._open_key and bool(self._past)
            if not goes_on:
                self._past.append(_Step(label, self._tree))
                del self._past[:-MAX_STEPS]
            self._future.clear()
            self._set(tree)
            self._open_key = merge_key
            if goes_on and same(self._past[-1].tree, tree):
                self._past.pop()
                self._open_key = None
            return True

    def undo(self) -> str | None:
        """Take the last step back; returns its label, None if there is none."""
        return self._travel(self._past, self._future)

    def redo(self) -> str | None:
        """Do the last undone step again; returns its label, None if there is none."""
        return self._travel(self._future, self._past)

    @property
    def undo_label(self) -> str | None:
        """Return what ``undo`` would take back, None if nothing."""
        past = self._past
        return past[-1].label if past else None

    @property
    def redo_label(self) -> str | None:
        """Return what ``redo`` would do again, None if nothing."""
        future = self._future
        return future[-1].label if future else None

    @property
    def is_dirty(self) -> bool:
        """Return whether saving would change the file."""
        return self._cached("dirty", lambda: not same(self._base.document.value, self._tree))

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

    def rebase(self, opened: OpenFile, saved: JsonValue, *, keep_history: bool = True) -> None:
        """Take ``opened`` as the new base, after ``saved`` was written to it or merged with it.

        Edits made since ``saved`` was taken from this draft stay, on top of the new base. Where
        ``opened`` holds edits of others, ask not to keep the history: undoing would drop theirs.
        """
        with self._lock:
            new = opened.document.value
            tree = self._tree
            if same(tree, saved):
                tree = new
            elif not same(saved, new):
                merged = three_way(saved, tree, new, self.lens)
                tree = merged.tree if merged.is_clean else tree
            self._base, self._open_key = opened, None
            if not keep_history:
                self._past.clear()
                self._future.clear()
            if same(tree, new):
                tree = new
            self._set(tree)

    def rendered(self) -> bytes:
        """Return the bytes that saving would write."""
        return self._cached("bytes", self._render)

    def snapshot(self) -> tuple[JsonValue, bytes]:
        """Return the current tree and the bytes that saving it would write."""
        with self._lock:
            return self._tree, self.rendered()

    def document(self) -> JsonDocument:
        """Return the draft as it would be written, for its problems and positions."""
        return self._cached("document", self._parse)

    def _set(self, tree: JsonValue) -> None:
        self._tree = tree
        self._revision += 1

    def _travel(self, source: list[_Step], target: list[_Step]) -> str | None:
        with self._lock:
            if not source:
                return None
            step = source.pop()
            target.append(_Step(step.label, self._tree))
            self._set(step.tree)
            self._open_key = None
            return step.label

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
        old, new = lens.raw_cases(self._base.document.value), lens.raw_cases(self._tree)
        return case_changes(old, new, lens.case_id)

    def _around_differs(self) -> bool:
        lens, base = self.lens, self._base.document.value
        if lens is None or not self.is_dirty:
            return self.is_dirty
        if not lens.raw_cases(base) or not lens.raw_cases(self._tree):
            return not same(_with_cases(base, lens, []), _with_cases(self._tree, lens, []))
        return not same(without_cases(base, lens), without_cases(self._tree, lens))

    def _render(self) -> bytes:
        return self._base.document.render(self._tree, id_keys=self.id_keys)

    def _parse(self) -> JsonDocument:
        from evalcore.jsondoc import JsonDocument

        return JsonDocument.parse(self.rendered()) if self.is_dirty else self._base.document

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
