"""Mending files in place: safe fixes only, each one printed, the file replaced as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evalcore.cli._output import visible
from evalcore.jsondoc import JsonDocument
from evalcore.lint.linter import Linter, Mended
from evalcore.workspace import OpenFile, Workspace


@dataclass(frozen=True, slots=True)
class MendedFile:
    """A file with its safe fixes made: what was done, and its bytes before and after."""

    path: str
    done: tuple[Mended, ...]
    before: bytes
    after: bytes

    def lines(self) -> list[str]:
        """Return one line for each fix."""
        return [
            f"{visible(self.path)} fixed {mended.code} {visible(mended.label)}"
            + (f" ({visible(mended.pointer)})" if mended.pointer else "")
            for mended in self.done
        ]

    def diff(self) -> str:
        """Return what changes, as a unified diff."""
        from evalcore.saving.diff import diff_lines

        signs = {"same": " ", "removed": "-", "added": "+"}
        lines = [f"--- {visible(self.path)}", f"+++ {visible(self.path)}"]
        for hunk in diff_lines(self.before, self.after).hunks:
            lines.append(hunk.header)
            lines += [f"{signs[line.kind]}{visible(line.text)}" for line in hunk.lines]
        return "\n".join(lines)


def mended(workspace: Workspace, path: str, shown: str, *, write: bool) -> MendedFile | None:
    """Make the safe fixes of a file; None where there are none.

    Written atomically, and only over the file that was read. Raises what reading and writing do.
    """
    opened = workspace.open(path)
    if opened.detection is None:
        return None
    linter = Linter(opened.detection, workspace.seen_as(path), lambda: workspace.near(path))
    fixed = linter.fix_all(
        opened.document.value, _renderer(opened), lambda problem: True, safe_only=True
    )
    if not fixed.done:
        return None
    before, after = opened.document.data, opened.document.render(fixed.tree)
    if write:
        from evalcore.files import write_if_unchanged

        write_if_unchanged(workspace.root / path, after, opened.revision)
    return MendedFile(shown, fixed.done, before, after)


def _renderer(opened: OpenFile) -> Callable[..., JsonDocument]:
    return lambda tree: JsonDocument.parse(opened.document.render(tree))
