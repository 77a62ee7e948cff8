"""What somebody does on the pages with mouse and keys, and looks at after each step."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from playwright.sync_api import Locator, expect

from tests.e2e.desk import Visit

SLOW_MS = 60_000
"""How long a step may take that reads or writes a whole set on a busy machine."""
SHOTS = "EVALDESK_SHOTS"
"""Where pictures of every step go, if anywhere: this environment variable names the folder."""


@dataclass
class Hands:
    """One person at one desk; ``at`` is what the pictures are called."""

    visit: Visit
    at: str
    step: int = field(default=0)

    @property
    def page(self) -> Any:
        return self.visit.page

    def look(self, what: str) -> None:
        """Fail if anything is wrong with the page as it stands, or is cut off at the side."""
        self.visit.idle()
        main = self.page.get_by_test_id("stMain")
        width = main.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert width[0] <= width[1], f"{what}: {width[0]} px wide in {width[1]}"
        self.step += 1
        folder = os.environ.get(SHOTS)
        if folder:
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                self.page.wait_for_timeout(300)
                name = f"{self.at}-{self.step:02}-{what}-{scheme}.png"
                self.page.screenshot(path=Path(folder) / name)
            self.page.emulate_media(color_scheme="light")

    def press(self, name: str, within: str = "", exact: bool = True) -> None:
        self.place(within).get_by_role("button", name=name, exact=exact).last.click()
        self.visit.idle()

    def place(self, within: str) -> Any:
        return self.page.locator(f".st-key-{within}") if within else self.page

    def write(self, label: str, text: str, within: str = "", nth: int = -1) -> Locator:
        """Type into a field, leave it, and see that it still shows what was typed."""
        box = self.place(within).get_by_role("textbox", name=named(label)).nth(nth)
        box.fill(text)
        box.press("Tab")
        self.visit.idle()
        expect(box).to_have_value(text, timeout=SLOW_MS)
        return box

    def pick(self, label: str, option: str, within: str = "", nth: int = -1) -> None:
        """Choose from a list."""
        self.place(within).get_by_role("combobox", name=named(label)).nth(nth).click()
        self.page.get_by_role("option", name=option, exact=True).click()
        self.visit.idle()

    def enter(self, label: str, text: str, within: str = "", nth: int = -1) -> None:
        """Type what may not be in a list."""
        box = self.place(within).get_by_role("combobox", name=named(label)).nth(nth)
        box.click()
        box.fill(text)
        box.press("Enter")
        self.visit.idle()

    def add_text(self, label: str, text: str, within: str = "") -> None:
        """Add a text to a list of short texts, whose options stay open until one leaves."""
        self.enter(label, text, within)
        self.page.keyboard.press("Escape")
        self.visit.idle()

    def from_menu(self, menu: Locator, entry: str) -> None:
        menu.click()
        self.page.get_by_role("menu").get_by_text(entry, exact=True).click()
        self.visit.idle()

    def tab(self, name: str) -> None:
        """Go to a part of the set."""
        self.page.get_by_role("radio", name=re.compile(f"^{name}")).first.click()
        self.visit.idle()


def named(label: str) -> re.Pattern[str]:
    """Return what a field is called; a star marks one that is needed."""
    return re.compile(rf"^(Kind of )?{re.escape(label)}( \\?\*)?$")


def workbook(path: Path, rows: Sequence[Sequence[Any]]) -> Path:
    """Write rows as people have them in a spreadsheet."""
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    book.save(path)
    return path
