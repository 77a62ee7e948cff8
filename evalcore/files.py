"""Reading and writing files so that a crash or a second writer never costs anyone's work."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NewType

from evalcore.errors import ConflictError, WorkspaceError

Revision = NewType("Revision", str)
"""What a file holds, as the hexadecimal SHA-256 of its bytes; None stands for no file."""

LOCK_TIMEOUT_S: Final = 10.0

_O_BINARY: Final[int] = getattr(os, "O_BINARY", 0)
_REASONS: Final = {
    errno.ENOENT: ("it does not exist", "Check the path; it may have been moved or renamed."),
    errno.ENOTDIR: ("a part of its path is a file", "Check the path."),
    errno.EISDIR: ("it is a folder", "Choose a file."),
    errno.EACCES: ("permission is denied", "Ask the owner of the file or folder for access."),
    errno.EPERM: ("permission is denied", "Ask the owner of the file or folder for access."),
    errno.EROFS: ("the disk is read-only", "Copy the files to a disk that can be written."),
    errno.ENOSPC: ("the disk is full", "Free some space and try again."),
    errno.EDQUOT: ("your disk quota is used up", "Free some space and try again."),
    errno.ENAMETOOLONG: ("its name is too long", "Choose a shorter name."),
    errno.ELOOP: ("its links lead in a circle", "Delete the link and name the file itself."),
    errno.EMFILE: (
        "too many files are open",
        "Close other programs, or raise the limit with “ulimit -n”, and try again.",
    ),
    errno.ENFILE: (
        "too many files are open on this computer",
        "Close some programs and try again.",
    ),
    errno.EIO: (
        "the disk reported an error",
        "Check the disk or the network connection to it, and try again.",
    ),
    errno.EBUSY: ("another program is using it", "Close it there and try again."),
    errno.ETIMEDOUT: ("the disk does not answer", "Check the network connection and try again."),
}
_NOT_REGULAR: Final = "it is not an ordinary file"
_OTHER_HINT: Final = "Check the file and the disk that it is on, and try again."
_NOT_REGULAR_HINT: Final = "It is a pipe, a socket or a device: choose a file that holds JSON."


def reason_of(error: OSError) -> tuple[str, str]:
    """Return why the system refused something, as the end of a sentence, and what to do."""
    told = str(error.strerror or error)
    other = _NOT_REGULAR_HINT if told == _NOT_REGULAR else _OTHER_HINT
    return _REASONS.get(error.errno or 0, (told, other))


def revision_of(data: bytes) -> Revision:
    """Return the revision of a file that holds ``data``."""
    return Revision(hashlib.sha256(data).hexdigest())


def read_bytes(path: Path) -> bytes:
    """Return what a file holds. Raises WorkspaceError if it is no regular file or not readable."""
    with _explained("read", path):
        _require_regular(path.stat())
        return path.read_bytes()


def current_revision(path: Path) -> Revision | None:
    """Return the revision of the file on disk, None if there is no file.

    Raises WorkspaceError if there is something that cannot be read.
    """
    with _explained("read", path):
        try:
            _require_regular(path.stat())
            with path.open("rb") as file:
                return Revision(hashlib.file_digest(file, "sha256").hexdigest())
        except FileNotFoundError:
            return None


def atomic_write(path: Path, data: bytes) -> None:
    """Put ``data`` in place of a file, so that at any moment either the old or the new is there.

    A symbolic link stays one and its target is written. Mode, owner and extended attributes are
    kept as far as the system allows; a new file gets the user's usual mode. Other hard links to
    the file keep the old content. The data is on disk when this returns. Raises WorkspaceError,
    with the old file untouched, if that fails.
    """
    target = Path(os.path.realpath(path))
    with _explained("write", path):
        status = _status(target)
        if status and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only")
        temporary = target.with_name(f".evaldesk-{os.urandom(8).hex()}.tmp")
        try:
            _write_new(temporary, data, target, status)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


def write_if_unchanged(path: Path, data: bytes, expected: Revision | None) -> Revision:
    """Write a file that still is the revision that was opened, and return its new revision.

    ``expected`` is None if there must be no file yet. Raises ConflictError, with nothing written,
    if the file was changed, deleted or created meanwhile; WorkspaceError as `atomic_write` does.
    """
    with file_lock(path):
        found = current_revision(path)
        if found != expected:
            raise ConflictError(
                f"{path.name} was {_happening(found, expected)} meanwhile.",
                hint="Open it again and compare before you save; nothing was written.",
            )
        atomic_write(path, data)
    return revision_of(data)


def remove_if_unchanged(path: Path, expected: Revision) -> None:
    """Delete a file that still is the revision that was opened; of a link, the link alone.

    Raises ConflictError, with nothing deleted, if it was changed or deleted meanwhile;
    WorkspaceError where it may not be deleted.
    """
    with file_lock(path):
        found = current_revision(path)
        if found != expected:
            raise ConflictError(
                f"{path.name} was {_happening(found, expected)} meanwhile.",
                hint="Open it again and look before you delete it; nothing was deleted.",
            )
        with _explained("delete", path):
            path.unlink()
            _sync_folder(path.parent)


@contextmanager
def file_lock(path: Path, timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[None]:
    """Keep other Evaldesk processes and threads of this user from writing a file meanwhile.

    Does not nest. The lock lives in the user's cache folder, so none appears beside the file;
    programs that do not ask for it are not held back. Raises WorkspaceError after ``timeout_s``.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(_lock_path(path), timeout=timeout_s)
    try:
        lock.acquire()
    except Timeout as error:
        raise WorkspaceError(
            f"{path.name} is being written by another program for more than {timeout_s:g} seconds.",
            hint="Wait for it to finish and save again.",
        ) from error
    try:
        yield
    finally:
        lock.release()


def _lock_path(path: Path) -> Path:
    real = os.path.normcase(os.path.realpath(path))
    return _lock_folder() / f"{hashlib.sha256(os.fsencode(real)).hexdigest()[:32]}.lock"


def _lock_folder() -> Path:
    """Return a folder of this user's that can be written: the cache, or else a temporary one."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
        folder = (Path(cache) if cache else Path.home() / ".cache") / "evaldesk" / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        # No home, or one that cannot be written, as in some containers.
        pass
    import tempfile

    # Windows has no user numbers; its temporary folder is the user's own.
    user: int | None = os.getuid() if hasattr(os, "getuid") else None
    name = "evaldesk" if user is None else f"evaldesk-{user}"
    folder = Path(tempfile.gettempdir()) / name
    with _explained("write", folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        if user is not None and folder.lstat().st_uid != user:
            # Someone else made it, and could redirect what is written there.
            raise PermissionError(errno.EACCES, "not owned by this user")
    return folder


def _status(target: Path) -> os.stat_result | None:
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    _require_regular(status)
    return status


def _require_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder")
    require_ordinary(status)


def require_ordinary(status: os.stat_result) -> None:
    """Raise OSError for all but files: reading a pipe or a device may never end."""
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, _NOT_REGULAR)


def _write_new(path: Path, data: bytes, model: Path, status: os.stat_result | None) -> None:
    """Write a new file to disk, with the mode, owner and attributes of ``model`` if it exists."""
    # The umask applies to 0o666; an existing file's mode is never widened, not even for a moment.
    mode = stat.S_IMODE(status.st_mode) if status else 0o666
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _O_BINARY, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        if status:
            _keep_metadata(descriptor, model, status)
        os.fsync(descriptor)


def _keep_metadata(descriptor: int, model: Path, status: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        created = os.fstat(descriptor)
        if (created.st_uid, created.st_gid) != (status.st_uid, status.st_gid):
            # Only root may give a file away; the group alone is often allowed.
            with suppress(PermissionError):
                os.fchown(descriptor, -1, status.st_gid)
                os.fchown(descriptor, status.st_uid, -1)
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    if hasattr(os, "listxattr"):
        # Not every file system has attributes, and some of them only the system may set.
        with suppress(OSError):
            for name in os.listxattr(model):
                with suppress(OSError):
                    os.setxattr(descriptor, name, os.getxattr(model, name))


def _sync_folder(folder: Path) -> None:
    """Make a rename last; the file itself is complete already, so a refusal costs nothing now."""
    with suppress(OSError):
        # Windows cannot open folders, some network disks cannot sync them.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _happening(found: Revision | None, expected: Revision | None) -> str:
    if found is None:
        return "deleted"
    return "created" if expected is None else "changed by another program"


@contextmanager
def _explained(action: str, path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason, hint = reason_of(error)
        if error.errno == errno.ENOENT and action == "write":
            reason, hint = "its folder does not exist", "Create the folder first."
        raise WorkspaceError(f"Cannot {action} {str(path)!r}: {reason}.", hint=hint) from error
