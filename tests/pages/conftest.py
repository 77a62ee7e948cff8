"""A small workspace on disk, and the desk's script run on it without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui import runs
from tests.pages.reports import write_reports

SHELL = Path(__file__).resolve().parents[2] / "pages" / "_shell.py"
Open = Callable[..., AppTest]


def turn(says: str, reply: str, *calls: tuple[str, dict]) -> dict:
    return {
        "user_content": {"parts": [{"text": says}], "role": "user"},
        "final_response": {"parts": [{"text": reply}], "role": "model"},
        "intermediate_data": {"tool_uses": [{"name": n, "args": a} for n, a in calls]},
    }


def refunds() -> dict:
    simple = turn("Money back for A-17.", "It is on its way.", ("refund", {"order": "A-17"}))
    return {
        "eval_set_id": "refunds",
        "name": "Refunds",
        "eval_cases": [
            {"eval_id": "simple", "conversation": [simple], "tags": ["money"]},
            {
                "eval_id": "parcel",
                "conversation": [turn("Where is it?", "In Porto."), turn("When?", "Tomorrow.")],
            },
        ],
    }


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages wait until result files are in, and nothing comes in behind the next test's back."""
    monkeypatch.setattr(runs, "AT_ONCE", 30)
    yield
    runs.end()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "acme-support"
    root.mkdir()
    monkeypatch.setenv("EVALDESK_WORKSPACE", str(root))
    return root


@pytest.fixture
def refunds_file(folder: Path) -> Path:
    path = folder / "refunds.evalset.json"
    path.write_text(json.dumps(refunds(), indent=2) + "\n")
    return path


@pytest.fixture
def open_page(folder: Path) -> Open:
    def opened(page: str = "library", /, **query: str) -> AppTest:
        at = AppTest.from_file(str(SHELL), default_timeout=60)
        for name, value in query.items():
            at.query_params[name] = value
        at.run()
        if page != "library":
            at.switch_page(f"{page}.py")
            for name, value in query.items():
                at.query_params[name] = value
            at.run()
        assert not at.exception, at.exception
        return at

    return opened


def words(at: AppTest) -> str:
    """Everything that a run says, as plain source text."""
    return "\n".join(str(e.value) for kind in SPOKEN for e in at.get(kind) if hasattr(e, "value"))


SPOKEN = ("markdown", "caption", "text", "html", "error", "warning", "info", "success", "code")


def key_of(at: AppTest, kind: str, *parts: str) -> str:
    """The key of the one widget whose key has all of ``parts``."""
    found = [w.key for w in at.get(kind) if w.key and all(p in w.key for p in parts)]
    assert len(found) == 1, found
    return found[0]


@pytest.fixture
def reports(folder: Path):
    """Write 10xGraph reports beside their set."""
    return write_reports(folder)


@pytest.fixture
def open_run(open_page: Open, folder: Path) -> Open:
    """Open the one run of the folder, by the link of its file."""

    def opened(**query: str) -> AppTest:
        files = [*folder.glob("eval_reports/*.json"), *folder.glob("output.json")]
        return open_page("results", file=files[0].relative_to(folder).as_posix(), **query)

    return opened
