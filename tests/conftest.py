"""What every test shares: how hypothesis searches, and which browser drives the pages."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "default")

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> Path | None:
    """Return the Chromium to drive: EVALDESK_BROWSER, or the first of the usual names on PATH."""
    named = os.environ.get("EVALDESK_BROWSER")
    if named:
        return Path(named)
    found = next(filter(None, map(shutil.which, BROWSER_NAMES)), None)
    return Path(found) if found else None


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return a Chromium's path; without one, skip, or fail where one is required."""
    found = find_browser()
    if found is not None and found.exists():
        return found
    missing = f"no Chromium found (looked for {', '.join(BROWSER_NAMES)}; or set EVALDESK_BROWSER)"
    if os.environ.get("EVALDESK_REQUIRE_BROWSER"):
        pytest.fail(missing)
    pytest.skip(missing)
