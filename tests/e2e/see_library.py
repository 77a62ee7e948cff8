"""Look at a running desk: ``python -m tests.e2e.see_library URL NAME…``.

Leaves with 0 if its Library lists the files of these names, and nothing was asked of another
machine.
"""

import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.conftest import find_browser
from tests.e2e.desk import STEP_MS, VIEWPORT, Server, Visit, launch


def main(url: str, *names: str) -> None:
    browser = find_browser()
    if browser is None:
        raise SystemExit("no browser found")
    with sync_playwright() as playwright:
        opened = launch(playwright, browser)
        page = opened.new_context(viewport=VIEWPORT).new_page()
        visit = Visit(page, Server(url, Path(), Path()))
        visit.open()
        table = page.get_by_role("table", name="Eval sets")
        for name in names:
            expect(table.get_by_text(name).first).to_be_visible(timeout=STEP_MS)
        visit.stayed_home()
        print(f"{url}: {page.title()}, {table.get_by_role('row').count() - 1} sets listed")
        opened.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
