"""The runs of a result file, a part of the results at a time where the file is large."""

from __future__ import annotations

import hashlib
import posixpath
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError, FormatError
from evalcore.formats import built_in, by_id, plugged_in
from evalcore.formats.base import Detection, Format, Kind
from evalcore.formats.parts import Lists
from evalcore.jsontree import JsonObject, JsonValue, join
from evalcore.model import Evaluator, ToolCall
from evalcore.results import CaseResult, InvocationResult, Run, Score
from evalcore.store.cutting import Cutter, Path, Piece, Uncuttable
from evalcore.workspace.discovery import inside
from evalcore.workspace.entries import recognised

if TYPE_CHECKING:
    from evalcore.workspace import Workspace

WHOLE_UP_TO = 16_000_000
"""Bytes of a file that is read as a whole."""
SHOWN = 3
"""How many results of each list are looked at to recognise a file."""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A result file that was recognised.

    ``heads`` are its runs without any case. ``batches`` yields, in the order of the file, the
    number of a run, from 0, and some of its case results; a run that has none may be left out.
    """

    path: str
    sha256: str
    format: Format
    heads: tuple[Run, ...]
    batches: Callable[[], Iterator[tuple[int, Sequence[CaseResult]]]]


def read_results(workspace: Workspace, path: str, whole_up_to: int | None = None) -> ResultFile:
    """Recognise a result file; its results are read when they are asked for.

    ``whole_up_to`` is ``WHOLE_UP_TO`` unless it is given. Raises WorkspaceError, DocumentError or
    OSError for a file that cannot be read, FormatError for one that holds no results.
    """
    _normal, place = inside(workspace.root, path)
    size = place.stat().st_size
    limit = WHOLE_UP_TO if whole_up_to is None else whole_up_to
    if size > limit:
        with suppress(Uncuttable):
            return _Large(workspace, path).file()
    return _whole(workspace, path)


def _whole(workspace: Workspace, path: str) -> ResultFile:
    opened = workspace.open(path)
    detection, known = opened.detection, opened.format
    if known is None or detection is None or detection.kind is not Kind.RESULT:
        raise _no_results(path)
    evaluators = evaluators_around(workspace, path, known)
    value = opened.document.value
    runs = [known.with_evaluators(r, evaluators) for r in known.read_runs(value, detection)]

    def batches() -> Iterator[tuple[int, Sequence[CaseResult]]]:
        for number, run in enumerate(runs):
            yield number, run.cases

    digest = hashlib.sha256(opened.document.data).hexdigest()
    heads = tuple(run.model_copy(update={"cases": ()}) for run in runs)
    return ResultFile(path, digest, known, heads, batches)


def evaluators_around(workspace: Workspace, path: str, known: Format) -> tuple[Evaluator, ...]:
    """Return the evaluators that the system of a result file keeps around it.

    Files that cannot be read are left out: the Library tells what is wrong with them.
    """
    found: list[Evaluator] = []
    folder = posixpath.dirname(path)
    for name in known.evaluator_files(workspace.seen_as(path), workspace.near(path)):
        with suppress(EvaldeskError):
            opened = workspace.open(posixpath.normpath(posixpath.join(folder, name)))
            kind = opened.detection.kind if opened.detection else None
            if opened.format and opened.detection and kind in (Kind.EVALUATOR, Kind.CRITERIA):
                found += opened.format.read_evaluators(opened.document.value, opened.detection)
    return tuple(found)


class _Large:
    """A file that is gone through more than once, and never held as a whole."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path
        _normal, self._place = inside(workspace.root, path)

    def file(self) -> ResultFile:
        """Recognise the file; raises Uncuttable where it has to be read as a whole."""
        digest = hashlib.sha256()
        shown: dict[Path, list[JsonValue]] = {}

        def show(piece: Piece) -> None:
            shown.setdefault(piece.path, piece.items[:SHOWN])

        rest = self._through(_all_lists(), show, digest)
        value = rest
        for path, items in shown.items():
            value = _with_items(value, path, items)
        detection = recognised(value, self._workspace.seen_as(self._path))
        if detection is None or detection.kind is not Kind.RESULT:
            raise _no_results(self._path)
        known = by_id(detection.format_id)
        parts = known.parts(detection)
        if parts is None:
            raise Uncuttable("The format reads files as a whole")
        if parts.looks_first or not all(_is_cut_by(parts.lists, path) for path in shown):
            rest = self._through(parts.lists, lambda piece: parts.look(_in_its_place(rest, piece)))
        evaluators = evaluators_around(self._workspace, self._path, known)
        heads = tuple(known.with_evaluators(run, evaluators) for run in parts.read(rest))

        def batches() -> Iterator[tuple[int, Sequence[CaseResult]]]:
            repeats: Counter[tuple[int, str | None]] = Counter()
            for piece in self._pieces(parts.lists):
                number = _run_of(piece.path, rest)
                run = known.with_evaluators(parts.read(_in_its_place(rest, piece))[0], evaluators)
                cases = _moved(run.cases, piece)
                yield number, _numbered(cases, number, repeats) if parts.counts_repeats else cases

        return ResultFile(self._path, digest.hexdigest(), known, heads, batches)

    def _through(
        self, lists: Lists, look: Callable[[Piece], None], digest: Any = None
    ) -> JsonObject:
        """Go through the file once; returns it without the items of its lists."""
        with self._place.open("rb") as stream:
            cutter = Cutter(stream if digest is None else _Hashed(stream, digest), lists)
            for piece in cutter.pieces():
                look(piece)
            return cutter.rest

    def _pieces(self, lists: Lists) -> Iterator[Piece]:
        with self._place.open("rb") as stream:
            yield from Cutter(stream, lists).pieces()


@dataclass(slots=True)
class _Hashed:
    """A stream that is hashed while it is read."""

    stream: IO[bytes]
    digest: Any

    def read(self, size: int) -> bytes:
        """Read on."""
        data = self.stream.read(size)
        self.digest.update(data)
        return data


def _all_lists() -> Lists:
    """Return where the results of any format lie."""
    kinds = [
        parts.lists
        for known in (*built_in(), *plugged_in())
        if (parts := known.parts(Detection(known.id, Kind.RESULT, "sure", ""))) is not None
    ]
    return {name: inner for lists in kinds for name, inner in lists.items()}


def _is_cut_by(lists: Lists, path: Path) -> bool:
    names = [name for name in path if isinstance(name, str)]
    inner: Lists | None = lists
    for name in names:
        if inner is None or name not in inner:
            return False
        inner = inner[name]
    return inner is None


def _in_its_place(rest: JsonObject, piece: Piece) -> JsonObject:
    """Return the file with the items of a piece, and with no other results or lists of them."""
    if len(piece.path) == 1:
        return _with_items(rest, piece.path, piece.items)
    outer, number, _ = piece.path
    listed = rest.get(str(outer))
    alone = listed[int(number)] if isinstance(listed, list) else {}
    return _with_items({**rest, str(outer): [alone]}, _alone(piece.path), piece.items)


def _alone(path: Path) -> Path:
    """Return where a list lies in ``_in_its_place``."""
    return path if len(path) == 1 else (path[0], 0, path[2])


def _with_items(value: JsonObject, path: Path, items: list[JsonValue]) -> JsonObject:
    name = str(path[0])
    if len(path) == 1:
        return {**value, name: items}
    listed = value.get(name)
    held = list(listed) if isinstance(listed, list) else []
    inner = held[int(path[1])]
    held[int(path[1])] = _with_items(inner if isinstance(inner, dict) else {}, path[2:], items)
    return {**value, name: held}


def _run_of(path: Path, rest: JsonObject) -> int:
    """Return the number of the run of a list: objects of the outer list have a run each."""
    if len(path) == 1:
        return 0
    listed = rest.get(str(path[0]))
    before = listed[: int(path[1])] if isinstance(listed, list) else []
    return sum(isinstance(item, dict) for item in before)


def _moved(cases: Sequence[CaseResult], piece: Piece) -> Sequence[CaseResult]:
    """Return case results with the origins that they have in the file."""
    old, new = join("", *_alone(piece.path)) + "/", join("", *piece.path) + "/"
    if old == new and piece.first == 0:
        return cases

    def moved(origin: str) -> str:
        if not origin.startswith(old):
            return origin
        number, slash, rest = origin.removeprefix(old).partition("/")
        return f"{new}{int(number) + piece.first}{slash}{rest}"

    def scores(held: Sequence[Score]) -> tuple[Score, ...]:
        return tuple(s.model_copy(update={"origin": moved(s.origin)}) for s in held)

    def calls(held: Sequence[ToolCall] | None) -> tuple[ToolCall, ...] | None:
        if held is None:
            return None
        return tuple(c.model_copy(update={"origin": moved(c.origin)}) for c in held)

    def turn(held: InvocationResult) -> InvocationResult:
        update = {
            "origin": moved(held.origin),
            "scores": scores(held.scores),
            "expected_tool_calls": calls(held.expected_tool_calls),
            "actual_tool_calls": calls(held.actual_tool_calls),
        }
        return held.model_copy(update=update)

    return [
        case.model_copy(
            update={
                "origin": moved(case.origin),
                "scores": scores(case.scores),
                "invocations": tuple(map(turn, case.invocations)),
            }
        )
        for case in cases
    ]


def _numbered(
    cases: Sequence[CaseResult], number: int, seen: Counter[tuple[int, str | None]]
) -> list[CaseResult]:
    """Return case results with repeats counted over the whole file."""
    found = []
    for case in cases:
        key = number, case.case_id
        repeat = seen[key]
        seen[key] += 1
        same = case.repeat == repeat
        found.append(case if same else case.model_copy(update={"repeat": repeat}))
    return found


def _no_results(path: str) -> FormatError:
    return FormatError(
        f"{path} is not a result file of any known system",
        hint="Name a result file, or outputs as JSONL (a file that ends in .jsonl).",
    )
