"""Errors that a user can act on, and problems found in files."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class EvaldeskError(Exception):
    """Base of every error raised on purpose: what went wrong, and what to do about it.

    ``str(error)`` is the message alone; ``hint`` is the next step in one sentence, or "".
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class DocumentError(EvaldeskError):
    """The bytes cannot be read as a JSON document.

    ``line`` and ``column`` count from 1 (columns in characters); ``excerpt`` is the offending
    text, at most 80 characters.
    """

    def __init__(
        self, message: str, *, line: int, column: int, excerpt: str = "", hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.line = line
        self.column = column
        self.excerpt = excerpt


class FormatError(EvaldeskError):
    """The file is JSON, but not what was asked for: an unknown format, a field it does not have."""


class WorkspaceError(EvaldeskError):
    """A path that is missing, unreadable, not writable, or outside the workspace folder."""


class ConflictError(EvaldeskError):
    """The file on disk is no longer the revision that was opened; nothing was written."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a file, in words its reader can act on.

    ``severity`` is what the file's own system does: *error* when it refuses the file or crashes
    on it, *warning* when it loads and does something other than it seems, *info* otherwise.
    ``code`` is stable and dotted (``adk.rubric_without_type``). ``pointer`` is a JSON pointer, ""
    for the whole document. ``line`` and ``column`` count from 1; None where there is no place.
    ``path`` is filled in by whoever knows the file's name. ``wanted`` is the one text that would
    mend it, "" if there is none: the right name or value in place of the one at ``pointer``, or the
    name of the member that is missing there.
    """

    severity: Severity
    code: str
    message: str
    hint: str = ""
    pointer: str = ""
    line: int | None = None
    column: int | None = None
    path: str = ""
    wanted: str = ""

    def at(
        self, *, path: str | None = None, line: int | None = None, column: int | None = None
    ) -> "Problem":
        """Return the same problem with its place filled in; None keeps what is known."""
        # Not by dataclasses.replace, which takes several times as long for each of many problems.
        return Problem(
            self.severity,
            self.code,
            self.message,
            self.hint,
            self.pointer,
            self.line if line is None else line,
            self.column if column is None else column,
            self.path if path is None else path,
            self.wanted,
        )
