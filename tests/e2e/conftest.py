"""One server and one browser for all tests; a browser context of its own for each."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.desk import STEP_MS, VIEWPORT, Server, Visit, launch, serving
from tests.samples import SAMPLES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser(chromium: Path) -> Iterator[Browser]:
    """Return a browser, closed after the last test here: its event loop would bar others."""
    expect.set_options(timeout=STEP_MS)
    with sync_playwright() as playwright:
        opened = launch(playwright, chromium)
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def server(chromium: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server on a copy of the samples that all tests share: each edits its own files."""
    place = tmp_path_factory.mktemp("desk")
    folder = shutil.copytree(SAMPLES, place / "sample_evals")
    with serving(folder, place / "server.log") as running:
        yield running
    log = running.log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback (most recent call last)" not in log, log[-4000:]


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    visitor = Visit(context.new_page(), server)
    yield visitor
    visitor.sound()
    visitor.stayed_home()
    context.close()
