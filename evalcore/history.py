"""Older versions of a file, from the git repository that it is in.

Git is asked as a program and only for what it has stored: no hook, filter, pager or external
program that a repository names is run, and nothing is fetched or written.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from evalcore.errors import WorkspaceError

SECONDS = 30.0
SHOWN = 20
_QUIET = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotePath=false",
    "-c",
    "log.showSignature=false",
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit that touched a file; ``path`` is what the file was called then, below the root."""

    id: str
    when: datetime
    subject: str
    path: str

    @property
    def short(self) -> str:
        """Return the id as people write it."""
        return self.id[:8]


@dataclass(frozen=True, slots=True)
class Version:
    """What a file held at a revision; ``path`` is its name then, relative to the repository."""

    revision: str
    path: str
    data: bytes


class Repository:
    """The git repository around a file. Raises WorkspaceError for a file that is in none."""

    def __init__(self, file: Path) -> None:
        # Of a link, git has only where it leads.
        real = file.resolve()
        folder = _existing_folder(real)
        self.root = Path(_git(folder, "rev-parse", "--show-toplevel")).resolve()
        self.path = real.relative_to(self.root).as_posix()

    def version(self, revision: str) -> Version:
        """Return the file as it was at a revision, under another name if it was renamed since.

        Raises WorkspaceError for an unknown revision, and where the file was not there.
        """
        commit = self._commit(revision)
        for path in (self.path, self._old_name(commit)):
            if path is not None and self._is_there(commit, path):
                data = _run(self.root, "cat-file", "blob", f"{commit}:{path}")
                return Version(commit, path, data)
        raise WorkspaceError(
            f"{self.path!r} was not in {revision!r}",
            hint="Choose a later revision; the file may not have been committed yet.",
        )

    def commits(self, limit: int = SHOWN) -> list[Commit]:
        """Return the last commits that touched the file, latest first; [] where there is none."""
        if not self._has_commits():
            return []
        text = _git(
            self.root,
            "log",
            "--follow",
            "--no-ext-diff",
            "--no-textconv",
            "--name-only",
            "-z",
            f"--max-count={limit}",
            "--format=%x01%H%x02%aI%x02%s%x02",
            "--",
            self.path,
        )
        return [found for part in text.split("\x01") if (found := _commit_of(part)) is not None]

    def _has_commits(self) -> bool:
        return _attempt(self.root, "rev-parse", "--verify", "--quiet", "HEAD").returncode == 0

    def _commit(self, revision: str) -> str:
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        done = _attempt(self.root, *asked)
        if done.returncode != 0:
            raise WorkspaceError(
                f"{self.root} has no revision {revision!r}",
                hint="Name a commit, a branch or a tag, such as HEAD, HEAD~3 or main.",
            )
        return done.stdout.decode("ascii").strip()

    def _is_there(self, commit: str, path: str) -> bool:
        return _attempt(self.root, "cat-file", "-e", f"{commit}:{path}").returncode == 0

    def _old_name(self, commit: str) -> str | None:
        """Return what the file was called at a commit, as far as git can tell by its content."""
        quiet = ("--no-ext-diff", "--no-textconv", "-M", "-z", "--name-status", "--diff-filter=R")
        done = _attempt(self.root, "diff", *quiet, commit, "--")
        fields = iter(done.stdout.decode("utf-8", "surrogateescape").split("\0"))
        for status in fields:
            if (
                status.startswith("R")
                and (old := next(fields, ""))
                and (next(fields, "") == self.path)
            ):
                return old
        return None


def _commit_of(text: str) -> Commit | None:
    parts = text.split("\x02")
    if len(parts) != 4:
        return None
    paths = [path for path in parts[3].strip("\n\0").split("\0") if path]
    path = paths[-1].lstrip("\n") if paths else ""
    return Commit(parts[0], datetime.fromisoformat(parts[1]), parts[2], path)


def _existing_folder(file: Path) -> Path:
    folder = file.parent
    if not folder.is_dir():
        raise WorkspaceError(f"There is no folder {str(folder)!r}", hint="Check the path.")
    return folder


def _git(folder: Path, *arguments: str) -> str:
    return _run(folder, *arguments).decode("utf-8", "surrogateescape").removesuffix("\n")


def _run(folder: Path, *arguments: str) -> bytes:
    done = _attempt(folder, *arguments)
    if done.returncode != 0:
        raise _refusal(folder, done.stderr.decode("utf-8", "replace"))
    return done.stdout


def _attempt(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command: Sequence[str] = ("git", "-C", str(folder), *_QUIET, *arguments)
    # What a hook sets for itself is about its own repository, not about the file's.
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        return subprocess.run(
            command,
            env={**inherited, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise WorkspaceError(
            "Older versions are read with git, which is not installed here",
            hint="Install git, or compare two files instead.",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise WorkspaceError(
            f"Git has not answered for {SECONDS:g} seconds",
            hint="Try again; if the repository lies on a network disk, check the connection.",
        ) from error


def _refusal(folder: Path, said: str) -> WorkspaceError:
    if "not a git repository" in said:
        return WorkspaceError(
            f"{str(folder)!r} is in no git repository, so there are no older versions of its files",
            hint="Compare two files instead, or put the folder under git.",
        )
    if "dubious ownership" in said:
        return WorkspaceError(
            f"Git does not read {str(folder)!r}, because the repository belongs to another user",
            hint="Allow it with: git config --global --add safe.directory FOLDER.",
        )
    first = next((line for line in said.splitlines() if line.strip()), "no reason given")
    return WorkspaceError(
        f"Git refuses: {first.removeprefix('fatal: ')}", hint="Try the same with git itself."
    )
