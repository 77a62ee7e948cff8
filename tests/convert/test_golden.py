"""What each pair of formats keeps, changes and loses of a set in which everything occurs.

After a change that is meant, ``EVALDESK_WRITE_GOLDEN=1 pytest tests/convert/test_golden.py`` writes
the reports anew, for their differences to be read.
"""

import os
from pathlib import Path

import pytest

from evalcore.convert import as_markdown
from tests.convert.samples import PAIRS, SETS, converted

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def numbered_guids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make GUIDs that are the same in each run."""
    made = iter(range(1000))

    def next_guid() -> str:
        return f"{next(made):08x}-0000-4000-8000-000000000000"

    monkeypatch.setattr("evalcore.formats.evalset.new_guid", next_guid)
    monkeypatch.setattr("evalcore.formats.uipath_lowcode.evalset.new_guid", next_guid)


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name)
def test_the_report_of_each_pair_is_the_one_that_was_read(source: str, target: str):
    report = as_markdown(converted(SETS[source], source, target).report)
    file = GOLDEN / f"{source}-to-{target}.md"
    if os.environ.get("EVALDESK_WRITE_GOLDEN"):
        file.write_text(report, encoding="utf-8")
    assert report == file.read_text(encoding="utf-8")
