"""The frame of every page: configuration, navigation, and what must be seen everywhere."""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from pages._ui import safe

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Draw the menu and the page that the URL names."""
    st.set_page_config(page_title="Evaldesk", page_icon="🗂️", layout="wide")
    found = st.navigation(
        [
            _page("library", "Library", "folder_open", default=True),
            _page("author", "Author", "edit_note"),
            *(
                [_page("results", "Results", "fact_check")]
                if (HERE / "results.py").exists()
                else []
            ),
        ],
        position="top",
    )
    with safe.boundary():
        found.run()


def _page(name: str, title: str, icon: str, *, default: bool = False) -> Page:
    return st.Page(
        HERE / f"{name}.py",
        title=title,
        icon=f":material/{icon}:",
        url_path=name,
        default=default,
    )


if __name__ == "__main__":
    main()
