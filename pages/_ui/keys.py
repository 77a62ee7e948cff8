"""Shortcuts that lose nothing: the field being typed in is left before a shortcut acts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from pages._ui import safe

SCRIPT = Path(__file__).resolve().parent / "keys.js"
NEXT = "Alt+ArrowDown"
PREVIOUS = "Alt+ArrowUp"
SAVE = "Ctrl+S"
"""Not Ctrl+Enter: that is how a text of several lines is handed over, and it must only do that."""
HAND_ON = "Ctrl+Enter"
UNDO = "Ctrl+Z"
REDO = "Ctrl+Shift+Z"
FIND = "Alt+H"
SEARCH = "Alt+S"


@dataclass(frozen=True, slots=True)
class Key:
    """A key that presses a button, or goes to a field, of whatever page is shown.

    ``combo`` is spelled as the browser names keys, modifiers first. ``target`` is a CSS selector.
    ``in_fields`` says whether it also acts while one types; the field is left first then.
    """

    combo: str
    target: str
    in_fields: bool = True


UNDO_BUTTON, REDO_BUTTON = ".st-key-author-undo button", ".st-key-author-redo button"
FIND_BUTTON = ".st-key-author-find button"
SEARCH_BOX = '[data-testid="stMain"] input[type="search"]'
REVIEW_SAVE, REVIEW_NOTE = ".st-key-verdict-save button", ".st-key-verdict-bar textarea"
SHEET_BUTTON = ".st-key-keys-sheet button"
PRESSED = (
    # While one types these take back what was typed, as everywhere.
    Key("ctrl+z", UNDO_BUTTON, in_fields=False),
    Key("ctrl+shift+z", REDO_BUTTON, in_fields=False),
    Key("ctrl+y", REDO_BUTTON, in_fields=False),
    Key("ctrl+h", FIND_BUTTON),
    Key("alt+h", FIND_BUTTON),
    Key("alt+s", SEARCH_BOX),
    Key("/", SEARCH_BOX, in_fields=False),
    Key("?", SHEET_BUTTON, in_fields=False),
    Key("ctrl+Enter", REVIEW_SAVE),
    Key("m", REVIEW_NOTE, in_fields=False),
)
TOLD = (
    ("Everywhere", ((f"/ or {SEARCH}", "Go to the search"), ("?", "Show these keys"))),
    (
        "In a set",
        (
            (SAVE, "Review the changes; once more to save them"),
            (UNDO, "Undo the last step; while you type: what was typed"),
            (f"{REDO} or Ctrl+Y", "Redo"),
            ("Alt+↓", "Next case"),
            ("Alt+↑", "Previous case"),
            (f"{FIND} or Ctrl+H", "Find and replace"),
            ("Ctrl+Enter", "Hand over a text of several lines and stay in it"),
        ),
    ),
    (
        "In a run",
        (("Alt+↓ Alt+↑", "Next or previous case of the list"), ("J K", "Next or previous failure")),
    ),
    (
        "Reviewing a result",
        (
            ("1 2 3 4", "Agent, expectation or judge was wrong; ambiguous"),
            ("P F U", "Count it as passed, as failed, as it was scored"),
            ("M", "Write a note"),
            (HAND_ON, "Save, and go on to the next"),
            ("N", "Next unreviewed, without saving"),
        ),
    ),
    (
        "In lists",
        (
            ("Tab", "Go on to the next row, box or button"),
            ("↓ ↑", "Next or previous row"),
            ("Enter", "Open the row"),
            ("Space", "Tick the box"),
            ("Esc", "Close a dialog or a menu"),
        ),
    ),
)
"""What the sheet of keys says; on a Mac, Cmd does what Ctrl does elsewhere."""


def listen() -> None:
    """Make the page leave a field when a shortcut is pressed in it; called once a run."""
    st.components.v2.component("evaldesk_keys", html="<i></i>", js=SCRIPT.read_text("utf-8"))(
        key="keys", data={"keys": [asdict(key) for key in PRESSED]}
    )


def sheet() -> None:
    """Draw the button that shows all keys."""
    with (
        st.container(key="keys-sheet", width="content"),
        st.popover("Keys", icon=":material/keyboard:", type="tertiary", help="Press ?"),
    ):
        for title, told in TOLD:
            lines = [
                safe.el("tr", safe.el("td", safe.el("kbd", keys)), safe.el("td", what))
                for keys, what in told
            ]
            safe.show(safe.el("table", safe.el("caption", title), *lines, css="ed-keys"))
        st.caption("On a Mac, press Cmd instead of Ctrl.")
