"""Conversions between the files of workspaces: what is around them, and writing the new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore import saving
from evalcore.convert.converting import convert
from evalcore.convert.model import Conversion, Options, Source, Target
from evalcore.drafts import Draft
from evalcore.errors import EvaldeskError, FormatError
from evalcore.formats import by_id
from evalcore.formats.base import Detection, Kind
from evalcore.formats.evalset import stem_of
from evalcore.jsondoc import JsonDocument

if TYPE_CHECKING:
    from datetime import datetime

    from evalcore.jsontree import JsonValue
    from evalcore.model import Evaluator
    from evalcore.workspace import OpenFile, Workspace


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A converted set and the file that it is to be written to."""

    workspace: Workspace
    path: str
    format_id: str
    conversion: Conversion

    def data(self) -> bytes:
        """Return the bytes of the file."""
        return JsonDocument.parse(b"{}\n").render(self.conversion.value)

    def write(self) -> OpenFile:
        """Write the file; raises WorkspaceError if there is one, or it cannot be written."""
        name = stem_of(self.path.rsplit("/", 1)[-1])
        opened = saving.planned(
            self.workspace, self.path, format_id=self.format_id, set_id=name, name=name
        )
        draft = Draft(opened)
        draft.apply(self.conversion.value, "Converted")
        return saving.save(self.workspace, draft)


def planned_file(
    workspace: Workspace,
    opened: OpenFile,
    destination: Workspace,
    path: str,
    format_id: str,
    *,
    tree: JsonValue = None,
    options: Options | None = None,
    now: datetime | None = None,
) -> PlannedFile:
    """Convert an opened set for a file of a workspace; nothing is written.

    ``tree`` is the set as it is edited, where that differs from the file. Raises FormatError as
    ``convert`` does.
    """
    if opened.format is None or opened.detection is None:
        raise FormatError(f"{opened.path} is no eval set of a known format")
    if opened.detection.kind is not Kind.EVAL_SET:
        raise FormatError(f"{opened.path} is no eval set", hint="Name an eval set.")
    value = opened.document.value if tree is None else tree
    source = Source(opened.format, opened.detection, value, _applied(workspace, opened.path))
    of = by_id(format_id)
    near = destination.near(path)
    offered = _offered(destination, path, format_id)
    target = Target(of, destination.seen_as(path), near, offered)
    return PlannedFile(destination, path, format_id, convert(source, target, options, now))


def _applied(workspace: Workspace, path: str) -> tuple[Evaluator, ...]:
    """Return the evaluators of a set, those of files that cannot be read left out."""
    try:
        return workspace.evaluators_of(path)
    except EvaldeskError:
        return ()


def _offered(workspace: Workspace, path: str, format_id: str) -> tuple[Evaluator, ...]:
    """Return the evaluators that lie where a set of this format and path looks for its own."""
    of, near = by_id(format_id), workspace.near(path)
    found: list[Evaluator] = []
    for name in of.evaluator_files(workspace.seen_as(path), near):
        value = near.value(name)
        detection = None
        if isinstance(value, dict):
            detection = of.detect(value, workspace.seen_as(path).parent / name)
        if isinstance(value, dict) and _is_evaluator(detection):
            assert detection is not None
            found += of.read_evaluators(value, detection)
    return tuple(found)


def _is_evaluator(detection: Detection | None) -> bool:
    return detection is not None and detection.kind is Kind.EVALUATOR
