"""A desk to test: a real server on a copy of the samples, and a browser that may only see it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, Locator, Page, Playwright, Request, WebSocket, expect

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 90
STEP_MS = 20_000
"""How long one step on a page may take before the test gives up."""
VIEWPORT = {"width": 1280, "height": 800}
LOCAL = {"127.0.0.1", "localhost", "::1", ""}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"]
UNEXPECTED = "Something went wrong in Evaldesk itself"


@dataclass
class Server:
    """One running server and the folder it shows."""

    url: str
    folder: Path
    log: Path

    def address(self, page: str, **query: str) -> str:
        return f"{self.url}/{page}" + (f"?{urlencode(query)}" if query else "")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(folder: Path, log: Path, port: int = 0) -> Iterator[Server]:
    """Run ``streamlit run app.py`` on a folder, as the README says, until the block ends."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    flags = [f"--server.port={port}", "--server.headless=true"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, *flags],
            cwd=ROOT,
            env={**os.environ, "EVALDESK_WORKSPACE": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        server = Server(f"http://127.0.0.1:{port}", folder, log)
        wait_until_healthy(server, process)
        yield server
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until_healthy(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server stopped:\n{server.log.read_text(errors='replace')}")
        if answers(f"{server.url}/_stcore/health"):
            return
        time.sleep(0.1)
    raise RuntimeError(f"no answer from {server.url} after {START_SECONDS} s")


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except OSError:
        return False


def launch(playwright: Playwright, browser: Path) -> Browser:
    return playwright.chromium.launch(executable_path=str(browser), args=FLAGS)


@dataclass
class Visit:
    """One visitor: a browser context of its own, watched for anything that leaves the machine."""

    page: Page
    server: Server
    strays: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(STEP_MS)
        self.page.context.on("request", self.note)
        self.page.on("websocket", self.note)
        self.page.context.route(lambda url: not is_local(url), lambda route: route.abort())

    def note(self, request: Request | WebSocket) -> None:
        if not is_local(request.url):
            self.strays.append(request.url)

    def open(self, page: str = "", **query: str) -> None:
        """Go to an address, as a link or a bookmark would."""
        self.page.goto(self.server.address(page, **query))
        self.idle()

    def idle(self) -> None:
        """Wait until the page has been drawn and nothing runs on the server for it."""
        # What was just clicked needs a moment to reach the server.
        self.page.wait_for_timeout(150)
        app = self.page.get_by_test_id("stApp")
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=STEP_MS)
        expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=STEP_MS)
        self.sound()

    def rows(self, table: str) -> Locator:
        """Return the rows of a list, without its head."""
        return self.page.get_by_role("table", name=table).locator("tbody tr")

    def choose(self, table: str, text: str) -> None:
        """Open the row of a list that shows a text."""
        row = self.rows(table).filter(has_text=text).first
        expect(row).to_be_visible()
        row.get_by_role("link").click(delay=60)

    def menu(self, page: str) -> None:
        """Go to a page by the menu."""
        self.page.get_by_role("navigation").get_by_role("link", name=page).click(delay=80)
        self.idle()

    def segment(self, name: str) -> None:
        """Choose one of a row of choices."""
        self.page.get_by_role("radio", name=name).click()
        self.idle()

    def unfold(self, section: str) -> None:
        """Open a section of the form, if it is folded."""
        self.idle()
        fold = self.page.locator("details").filter(has_text=section).first
        expect(fold).to_be_visible()
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()
        expect(fold).to_have_attribute("open", "")
        self.idle()

    def field(self, shows: str) -> Locator:
        """Return the one field that shows a text."""

        def found() -> list[Locator]:
            boxes = self.page.get_by_role("main").locator("input[type=text], textarea").all()
            return [box for box in boxes if box.input_value() == shows]

        deadline = time.monotonic() + STEP_MS / 1000
        while not (fields := found()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        assert len(fields) == 1, f"{len(fields)} fields show {shows!r}"
        return fields[0]

    def edit(self, old: str, new: str, unsaved: str) -> None:
        """Replace a field's text and leave the field; wait for the count of unsaved edits."""
        field = self.field(old)
        field.fill(new)
        field.press("Tab")
        expect(self.page.get_by_text(unsaved)).to_be_visible()
        self.idle()

    def review(self) -> None:
        """Look at what was edited."""
        self.page.get_by_role("button", name="Review & save").click()
        expect(self.page.get_by_role("heading", name="Review changes")).to_be_visible()
        self.idle()

    def press_save(self) -> None:
        """Press the button of the review that saves."""
        self.page.get_by_role("button", name=re.compile("^(save )?Save( Shortcut.*)?$")).click()

    def save(self) -> None:
        """Review what was edited, and save it."""
        self.review()
        self.press_save()
        expect(self.page.get_by_role("radio", name=re.compile("^Cases"))).to_be_visible()
        self.idle()

    def sound(self) -> None:
        """Fail if the page shows that something went wrong."""
        expect(self.page.get_by_test_id("stException")).to_have_count(0)
        expect(self.page.get_by_text(UNEXPECTED)).to_have_count(0)
        expect(self.page.get_by_text("Traceback (most recent call last)")).to_have_count(0)

    def stayed_home(self) -> None:
        """Fail if anything was asked of another machine."""
        assert self.strays == []


def is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about") or (parts.hostname or "") in LOCAL
