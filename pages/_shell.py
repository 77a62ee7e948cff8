"""The frame of every page: configuration, navigation, and what must be seen everywhere."""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from pages._ui import bind, jump, kept, keys, safe, state
from pages._ui.desk import open_desk

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Draw the menu and the page that the URL names."""
    st.set_page_config(page_title="Evaldesk", page_icon="🗂️", layout="wide")
    found = st.navigation(
        [
            _page("library", "Library", "folder_open", url_path="home", default=True),
            _page("author", "Author", "edit_note"),
            _page("evaluators", "Evaluators", "rule"),
            _page("results", "Results", "fact_check"),
            _page("compare", "Compare", "compare_arrows"),
            st.Page(
                HERE / "import_cases.py",
                title="Import cases",
                icon=":material/upload_file:",
                url_path="import",
                visibility="hidden",
            ),
            st.Page(to_library, title="Library", url_path="library", visibility="hidden"),
        ],
        position="top",
    )
    st.html(HERE / "_ui" / "style.css")
    with safe.boundary():
        state.follow()
        bar()
        bind.show_flashes()
        found.run()
    keys.listen()
    jump.listen()


def bar() -> None:
    """Draw which folder is open, and which sets have edits that are not saved."""
    desk = open_desk()
    with st.container(horizontal=True, vertical_alignment="center", key="shell"):
        name = desk.workspace.root.name or str(desk.workspace.root)
        folder = safe.el("strong", name)
        safe.show(
            safe.el("span", "Workspace ", folder, css="ed-muted", title=str(desk.workspace.root))
        )
        st.space("stretch")
        kept.unsaved_menu(desk)
        keys.sheet()
    kept.reports(desk)


def to_library() -> None:
    """Lead to the Library, whose own address is that of the whole desk."""
    st.switch_page(HERE / "library.py")


def _page(
    name: str, title: str, icon: str, *, url_path: str | None = None, default: bool = False
) -> Page:
    return st.Page(
        HERE / f"{name}.py",
        title=title,
        icon=f":material/{icon}:",
        url_path=url_path or name,
        default=default,
    )


if __name__ == "__main__":
    main()
