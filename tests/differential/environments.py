"""Python environments that hold one package to compare with, made on first use."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

FOLDER_VARIABLE = "EVALDESK_PEERS"
LEAST = (3, 11)


class Peer(NamedTuple):
    """A package to compare with: what to install, and the Python that it asks for."""

    system: str
    name: str
    requirement: str
    least: tuple[int, int] = LEAST

    @property
    def folder(self) -> Path:
        """Where its environment is: never inside a repository."""
        base = os.environ.get(FOLDER_VARIABLE) or Path.home() / ".cache" / "evaldesk-peers"
        return Path(base) / self.requirement.replace("==", "-").replace("[", "-").replace("]", "")

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.folder / "bin" / "python"


PEERS = {
    peer.system: peer
    for peer in (
        Peer("uipath", "uipath", "uipath==2.14.44"),
        Peer("adk", "google-adk", "google-adk[eval]==2.13.0"),
        Peer("tenxgraph", "10xgraph", "10xgraph==0.10.3", (3, 12)),
    )
}


def is_installed(peer: Peer) -> bool:
    """Return whether a peer's environment is there already."""
    return (peer.folder / "installed").exists()


def prepared(peer: Peer) -> Path:
    """Return the interpreter of a peer's environment, installing the package if it is not there."""
    if not is_installed(peer):
        print(f"making an environment for {peer.requirement} in {peer.folder}", file=sys.stderr)
        python, flags = _interpreter(peer)
        subprocess.run([python, "-m", "venv", "--clear", str(peer.folder)], check=True)
        pip = [str(peer.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *flags, peer.requirement], check=True)
        (peer.folder / "installed").write_text(peer.requirement, encoding="utf-8")
    return peer.python


def _interpreter(peer: Peer) -> tuple[str, list[str]]:
    """Return a Python that the package asks for, or this one with a flag that makes pip take it."""
    if sys.version_info >= peer.least:
        return sys.executable, []
    major, least = peer.least
    for minor in range(least, least + 6):
        for found in (shutil.which(f"python{major}.{minor}"), _of_pyenv(f"{major}.{minor}")):
            if found and _runs(found):
                return found, []
    print(
        f"{peer.name} asks for Python {major}.{least} and there is none: it gets "
        f"{sys.version_info.major}.{sys.version_info.minor}, where float sums may differ",
        file=sys.stderr,
    )
    return sys.executable, ["--ignore-requires-python"]


def _runs(python: str) -> bool:
    """Return whether it is a Python: pyenv leaves commands in the path that only complain."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _of_pyenv(version: str) -> str | None:
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = sorted(root.glob(f"versions/{version}*/bin/python"))
    return str(found[-1]) if found else None
