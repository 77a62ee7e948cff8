"""Text out of files stays text, whatever it looks like."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.e2e.stories import STORIES
from tests.samples import SAMPLES

AWAY = "https://leak.invalid"
HOSTILE = (
    f"![x]({AWAY}/a.png) [go]({AWAY}/b) {AWAY}/c <img src={AWAY}/d onerror=window.owned=1>"
    "<script>window.owned=1</script> :material/delete: :red[red] $x^2$ `code` **bold**"
)
PLAIN = "![x]("
"""How the beginning of the hostile text looks when it is shown as text."""


def poisoned(value: object) -> object:
    """Return a document with the hostile text behind every text that is no number or name."""
    if isinstance(value, dict):
        return {key: poisoned(item) if key != "role" else item for key, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item) for item in value]
    return f"{HOSTILE} {value}" if isinstance(value, str) else value


@pytest.fixture
def paths(visit: Visit) -> Iterator[dict[str, str]]:
    """Put a hostile set and a hostile report of it into the folder."""
    story = STORIES["tenxgraph"]
    folder = visit.server.folder / "hostile"
    folder.mkdir()
    made = {}
    report = next((SAMPLES / story.project / "eval_reports").glob("trip_planner*"))
    for name, source in (("set", SAMPLES / story.set_path), ("report", report)):
        target = folder / f"<b>{name}<b>![x]({AWAY.replace('/', '_')}).json"
        target.write_text(json.dumps(poisoned(json.loads(source.read_bytes()))), encoding="utf-8")
        made[name] = str(target.relative_to(visit.server.folder))
    yield made
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def stays_text(visit: Visit) -> None:
    page = visit.page
    visit.idle()
    expect(page.get_by_text(PLAIN).first).to_be_visible()
    assert page.evaluate("window.owned") is None
    away = AWAY.removeprefix("https:")
    assert page.locator(f"a[href*='{away}'], img[src*='{away}']").count() == 0
    visit.stayed_home()


def test_hostile_text_is_shown_as_it_is_written(visit: Visit, paths: dict[str, str]):
    visit.open()
    visit.page.get_by_role("searchbox").fill("hostile/")
    expect(visit.rows("Eval sets")).to_have_count(1)
    stays_text(visit)
    visit.open("author", set=paths["set"])
    stays_text(visit)
    for part in ("Details", "Problems"):
        visit.page.get_by_role("radio", name=part).click()
        stays_text(visit)
    visit.open("results", file=paths["report"])
    stays_text(visit)
    for part in ("Scores", "Raw"):
        visit.page.get_by_role("tab", name=part).click()
        stays_text(visit)
