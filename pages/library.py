"""The Library page."""

import streamlit as st

from pages._ui.desk import open_desk


def main() -> None:
    """Draw the page."""
    st.text("Library")
    st.text(str(open_desk().workspace.root))


if __name__ == "__main__":
    main()
