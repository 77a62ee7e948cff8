"""Files are written whole or not at all, and only over the revision that was opened."""

import errno
import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from evalcore import files
from evalcore.errors import ConflictError, WorkspaceError
from evalcore.files import (
    atomic_write,
    current_revision,
    file_lock,
    read_bytes,
    revision_of,
    write_if_unchanged,
)

is_root = pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
is_not_root = pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "set.json"
    path.write_bytes(b"old")
    return path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def deny(monkeypatch, name: str, code: int = errno.EACCES) -> None:
    """Let a function of ``os`` fail as if the system refused it."""

    def refuse(*_args, **_options):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, name, refuse)


def test_a_revision_is_the_sha256_of_the_bytes(file):
    expected = hashlib.sha256(b"old").hexdigest()
    assert revision_of(b"old") == current_revision(file) == expected
    assert revision_of(b"old ") != expected


def test_no_file_has_no_revision(tmp_path):
    assert current_revision(tmp_path / "none.json") is None


def test_bytes_are_read_as_they_are(file):
    file.write_bytes(b"\xef\xbb\xbf\r\n\x00")
    assert read_bytes(file) == b"\xef\xbb\xbf\r\n\x00"


def test_what_is_no_file_is_explained(tmp_path):
    with pytest.raises(WorkspaceError, match=r"Cannot read .*none.*: it does not exist"):
        read_bytes(tmp_path / "none")
    for read in (read_bytes, current_revision):
        with pytest.raises(WorkspaceError, match="it is a folder"):
            read(tmp_path)
        with pytest.raises(WorkspaceError, match="a part of its path is a file"):
            (tmp_path / "file").touch()
            read(tmp_path / "file" / "x")


def test_a_pipe_is_refused_rather_than_waited_for(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for attempt in (read_bytes, current_revision, lambda path: atomic_write(path, b"")):
        with pytest.raises(WorkspaceError, match="not an ordinary file") as caught:
            attempt(pipe)
        assert "a pipe" in caught.value.hint


def test_an_unknown_error_is_passed_on_in_its_own_words(file, monkeypatch):
    deny(monkeypatch, "fsync", errno.ECHILD)
    with pytest.raises(WorkspaceError, match=os.strerror(errno.ECHILD)) as caught:
        atomic_write(file, b"new")
    assert isinstance(caught.value.__cause__, OSError)
    assert "try again" in caught.value.hint


@pytest.mark.parametrize(
    ("code", "reason", "hint"),
    [
        (errno.EMFILE, "too many files are open", "ulimit -n"),
        (errno.ENFILE, "too many files are open on this computer", "Close some programs"),
        (errno.EIO, "the disk reported an error", "Check the disk"),
        (errno.EBUSY, "another program is using it", "Close it there"),
        (errno.ELOOP, "its links lead in a circle", "Delete the link"),
        (errno.ETIMEDOUT, "the disk does not answer", "network"),
    ],
)
def test_what_the_system_refuses_is_said_plainly_with_what_to_do(
    file, monkeypatch, code, reason, hint
):
    deny(monkeypatch, "fsync", code)
    with pytest.raises(WorkspaceError, match=f": {reason}\\.$") as caught:
        atomic_write(file, b"new")
    assert hint in caught.value.hint
    assert file.read_bytes() == b"old"


def test_writing_replaces_the_content_and_leaves_nothing_else(file):
    atomic_write(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(file.parent.iterdir()) == [file]


def test_writing_makes_a_new_file_with_the_usual_mode(tmp_path):
    path = tmp_path / "new.json"
    before = os.umask(0o027)
    try:
        atomic_write(path, b"new")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"new"
    assert mode_of(path) == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755, 0o2640])
def test_writing_keeps_the_mode(file, mode):
    file.chmod(mode)
    atomic_write(file, b"new")
    assert mode_of(file) == mode


@is_root
def test_writing_keeps_the_owner(file):
    os.chown(file, 1234, 2345)
    file.chmod(0o640)
    atomic_write(file, b"new")
    status = file.stat()
    assert (status.st_uid, status.st_gid, mode_of(file)) == (1234, 2345, 0o640)


def test_an_owner_that_cannot_be_kept_is_no_reason_to_fail(file, monkeypatch):
    real = os.fstat

    def strange(descriptor):
        fields = list(real(descriptor))
        fields[4:6] = [4242, 4242]
        return os.stat_result(fields)

    monkeypatch.setattr(os, "fstat", strange)
    deny(monkeypatch, "fchown", errno.EPERM)
    atomic_write(file, b"new")
    assert file.read_bytes() == b"new"


def test_writing_keeps_extended_attributes(file):
    try:
        os.setxattr(file, "user.origin", b"desk")
    except OSError:
        pytest.skip("this file system has no user attributes")
    atomic_write(file, b"new")
    assert os.getxattr(file, "user.origin") == b"desk"


@pytest.mark.parametrize("name", ["listxattr", "setxattr"])
def test_attributes_that_cannot_be_kept_are_no_reason_to_fail(file, monkeypatch, name):
    monkeypatch.setattr(os, "listxattr", lambda _path: ["user.origin"])
    monkeypatch.setattr(os, "getxattr", lambda _path, _name: b"desk")
    deny(monkeypatch, name, errno.ENOTSUP)
    atomic_write(file, b"new")
    assert file.read_bytes() == b"new"


def test_writing_through_a_link_keeps_the_link(file, tmp_path):
    folder = tmp_path / "links"
    folder.mkdir()
    link, second = folder / "link.json", folder / "second.json"
    link.symlink_to(Path("..") / file.name)
    second.symlink_to(link)
    atomic_write(second, b"new")
    assert (link.is_symlink(), second.is_symlink()) == (True, True)
    assert file.read_bytes() == b"new"


def test_writing_through_a_dangling_link_makes_its_target(tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to("target.json")
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "target.json").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["replace", "fsync", "fchmod"])
@pytest.mark.parametrize("kind", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_a_crash_leaves_the_old_file_and_nothing_else(file, monkeypatch, name, kind):
    def crash(*_args, **_options):
        raise kind

    monkeypatch.setattr(os, name, crash)
    expected = WorkspaceError if isinstance(kind, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        atomic_write(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(file.parent.iterdir()) == [file]


def test_the_data_is_on_disk_before_the_name_and_the_name_before_the_return(file, monkeypatch):
    events = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        events.append("sync folder" if is_folder else "sync file")
        real_sync(descriptor)

    def replace(source, target):
        assert Path(source).read_bytes() == b"new"
        events.append("replace")
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    atomic_write(file, b"new")
    assert events == ["sync file", "replace", "sync folder"]


def test_a_folder_that_cannot_be_synced_is_no_reason_to_fail(file, monkeypatch):
    real = os.fsync

    def sync(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    atomic_write(file, b"new")
    assert file.read_bytes() == b"new"


def test_a_missing_folder_is_explained(tmp_path):
    with pytest.raises(WorkspaceError, match="its folder does not exist"):
        atomic_write(tmp_path / "none" / "set.json", b"")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_written_over(tmp_path):
    with pytest.raises(WorkspaceError, match="it is a folder"):
        atomic_write(tmp_path, b"")


def test_a_read_only_folder_is_explained(file, monkeypatch):
    deny(monkeypatch, "open")
    with pytest.raises(WorkspaceError, match="permission is denied"):
        atomic_write(file, b"new")


@is_not_root
def test_a_really_read_only_folder_is_explained(file):
    file.parent.chmod(0o500)
    try:
        with pytest.raises(WorkspaceError, match="permission is denied"):
            atomic_write(file, b"new")
    finally:
        file.parent.chmod(0o700)


def test_a_read_only_file_is_not_written_over(file, monkeypatch):
    # Replacing a file only takes rights on its folder, so the file's own have to be asked for.
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != file and real(path, mode))
    with pytest.raises(WorkspaceError, match="permission is denied"):
        atomic_write(file, b"new")
    assert file.read_bytes() == b"old"


def test_an_unchanged_file_is_written_and_gives_the_new_revision(file, tmp_path):
    revision = write_if_unchanged(file, b"new", revision_of(b"old"))
    assert revision == revision_of(b"new") == current_revision(file)
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_is_written_where_none_was(tmp_path):
    path = tmp_path / "new.json"
    assert write_if_unchanged(path, b"new", None) == revision_of(b"new")


# what is on disk, what was opened, part of the message
CONFLICTS = [
    (b"theirs", b"old", "changed by another program"),
    (None, b"old", "deleted"),
    (b"theirs", None, "created"),
]


@pytest.mark.parametrize(("on_disk", "opened", "message"), CONFLICTS)
def test_another_revision_is_never_written_over(file, on_disk, opened, message):
    file.unlink()
    if on_disk is not None:
        file.write_bytes(on_disk)
    expected = None if opened is None else revision_of(opened)
    with pytest.raises(ConflictError, match=rf"set\.json was {message} meanwhile") as caught:
        write_if_unchanged(file, b"mine", expected)
    assert caught.value.hint
    assert (file.read_bytes() if file.exists() else None) == on_disk


WRITER = """
import sys
from pathlib import Path
from evalcore.errors import ConflictError
from evalcore.files import read_bytes, revision_of, write_if_unchanged

path, rounds = Path(sys.argv[1]), int(sys.argv[2])
while rounds:
    data = read_bytes(path)
    try:
        write_if_unchanged(path, str(int(data) + 1).encode(), revision_of(data))
    except ConflictError:
        continue
    rounds -= 1
"""


def test_concurrent_writers_never_lose_an_update(tmp_path):
    counter = tmp_path / "counter"
    counter.write_bytes(b"0")
    link = tmp_path / "link"
    link.symlink_to(counter)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), "25"], cwd=Path(__file__).parents[1]
        )
        for path in (counter, link, counter)
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    assert counter.read_bytes() == b"75"


def test_a_lock_that_is_held_is_waited_for_and_then_explained(file):
    with (
        file_lock(file),
        pytest.raises(WorkspaceError, match=r"set\.json is being written by another program"),
        file_lock(file, timeout_s=0.01),
    ):
        pass
    with file_lock(file, timeout_s=0.01):
        pass


def test_a_lock_is_freed_by_an_error(file):
    with pytest.raises(ZeroDivisionError), file_lock(file):
        raise ZeroDivisionError
    with file_lock(file, timeout_s=0.01):
        pass


def test_a_lock_leaves_no_trace_beside_the_file(file, cache):
    with file_lock(file):
        assert list(file.parent.iterdir()) == [file]
        assert len(list((cache / "evaldesk" / "locks").iterdir())) == 1


def test_other_files_are_not_locked(file, tmp_path):
    with file_lock(file), file_lock(tmp_path / "other.json", timeout_s=0.01):
        pass


def test_the_cache_is_in_the_home_folder_by_default(file, tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with file_lock(file):
        assert list((tmp_path / "home" / ".cache" / "evaldesk" / "locks").iterdir())


@pytest.mark.parametrize("obstacle", ["no home", "a file in its place", "not writable"])
def test_without_a_cache_locks_are_in_the_temporary_folder(file, tmp_path, monkeypatch, obstacle):
    import tempfile

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    if obstacle == "no home":
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    elif obstacle == "not writable":
        monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    with file_lock(file):
        folder = temporary / f"evaldesk-{os.getuid()}"
        assert mode_of(folder) == 0o700
        assert list(folder.iterdir())


def test_without_user_numbers_the_temporary_folder_is_the_users_own(file, tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.delattr(os, "getuid")
    with file_lock(file):
        assert list((tmp_path / "evaldesk").iterdir())


@is_root
def test_a_temporary_folder_of_someone_else_is_not_trusted(file, tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    trap = tmp_path / f"evaldesk-{os.getuid()}"
    trap.mkdir()
    os.chown(trap, 1234, 1234)
    with pytest.raises(WorkspaceError, match="permission is denied"), file_lock(file):
        pass


def test_the_lock_is_only_loaded_when_it_is_needed():
    code = "import sys, evalcore.files; sys.exit('filelock' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(files.__file__).parents[1])
