"""Open a folder in the browser: edit its eval sets, read its results. Ctrl-C stops.

The server listens on this computer only, unless --address says otherwise: it has no log-in of its
own, and whoever reaches it can change the files of the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import threading
import time
from pathlib import Path

import evalcore
from evalcore.cli._places import existing_folder
from evalcore.errors import EvaldeskError

FIRST_PORT = 8501
LAST_PORT = 8599
START_SECONDS = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="default: the current folder"
    )
    parser.add_argument(
        "--port", type=_port, help=f"default: the first free one from {FIRST_PORT}; 0: any free one"
    )
    parser.add_argument(
        "--address", default="127.0.0.1", help="where to listen; default: %(default)s"
    )
    parser.add_argument(
        "--headless", action="store_true", help="do not open a browser; print the address only"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped; prints the address as soon as the server answers there."""
    folder = existing_folder(arguments.folder)
    desk = desk_folder()
    port = _free_port(arguments.address, arguments.port)
    host = arguments.address if arguments.address not in ("0.0.0.0", "::", "") else "127.0.0.1"
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    announce = _Announcement(url, str(folder), arguments)
    os.environ["EVALDESK_WORKSPACE"] = str(folder)
    # Streamlit reads .streamlit/config.toml from the folder it is started in.
    os.chdir(desk)
    threading.Thread(target=announce.when_ready, args=(host, port), daemon=True).start()
    return _streamlit(desk / "app.py", arguments.address, port)


def desk_folder() -> Path:
    """Return the folder of app.py and its pages: the checkout's, else the installed package's."""
    package = Path(evalcore.__file__).parent
    checkout, installed = package.parent, package / "_desk"
    for folder, marks in ((checkout, ("pyproject.toml", "pages/_shell.py")), (installed, ())):
        if all((folder / mark).is_file() for mark in ("app.py", *marks)):
            return folder
    raise EvaldeskError(
        "The pages of Evaldesk are not installed", hint="Reinstall it: pip install evaldesk"
    )


class _Announcement:
    """What is printed when the server answers.

    With JSON output, stdout gets that one line; all else that is printed goes to stderr.
    """

    def __init__(self, url: str, folder: str, arguments: argparse.Namespace) -> None:
        self._url = url
        self._folder = folder
        self._as_json = arguments.output == "json"
        self._opens_browser = not arguments.headless
        self._stdout = os.dup(1)
        os.dup2(2, 1)

    def when_ready(self, host: str, port: int) -> None:
        """Wait until the server answers at the port, then print where, and open a browser."""
        deadline = time.monotonic() + START_SECONDS
        while not _answers(host, port):
            if time.monotonic() > deadline:
                return
            time.sleep(0.05)
        with os.fdopen(self._stdout, "w", encoding="utf-8") as stdout:
            stdout.write(self._text())
        if self._opens_browser:
            import webbrowser

            webbrowser.open(self._url)

    def _text(self) -> str:
        if self._as_json:
            return json.dumps({"url": self._url, "folder": self._folder}) + "\n"
        shown = self._folder.encode("utf-8", "backslashreplace").decode()
        return f"Evaldesk shows {shown}\nat {self._url} (Ctrl-C stops it)\n"


def _streamlit(app: Path, address: str, port: int) -> int:
    from click.exceptions import Abort
    from streamlit.web import cli

    options = {
        "server.address": address,
        "server.port": str(port),
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    try:
        cli.main(["run", str(app), *flags], prog_name="evaldesk", standalone_mode=False)
    except Abort:
        # Ctrl-C, which is how a server is stopped.
        return 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _port(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; use 1 to 65535, or 0 for any")
    return number


def _free_port(address: str, wanted: int | None) -> int:
    tried = range(FIRST_PORT, LAST_PORT + 1) if wanted is None else (wanted,)
    failure: OSError | None = None
    for port in tried:
        try:
            return _bindable(address, port)
        except (OSError, OverflowError) as error:
            failure = error if isinstance(error, OSError) else None
    raise EvaldeskError(
        f"Cannot listen on {address} port {wanted if wanted is not None else FIRST_PORT}: "
        f"{failure.strerror if failure else 'no such port'}",
        hint="Choose another one with --port, or 0 for any free one.",
    )


def _bindable(address: str, port: int) -> int:
    family, kind, proto, _name, where = socket.getaddrinfo(
        address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, proto) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(where)
        return int(probe.getsockname()[1])


def _answers(host: str, port: int) -> bool:
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection(host, port, timeout=1)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
