"""Who is asking, and what they look at.

What is looked at is kept in the URL and in the session: a menu click drops the one, a reload the
other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

OWNER_COOKIE = "evaldesk_owner"
PAGES = Path(__file__).resolve().parents[1]
GO = "go to"


def owner() -> str:
    """Return whose drafts these are: this browser's, by the cookie that the server gave it."""
    found: object = st.context.cookies.get(OWNER_COOKIE)
    return found if isinstance(found, str) and found else "local"


def remembered(name: str) -> str | None:
    """Return what the URL says of ``name``, else what this session last saw there.

    The answer is written to both, so that it survives a menu click and a reload.
    """
    found: str | None = st.query_params.get(name) or st.session_state.get(_slot(name))
    remember(name, found)
    return found


def remember(name: str, value: str | None) -> None:
    """Note what is looked at in the URL and in the session; None forgets it."""
    if value:
        st.session_state[_slot(name)] = value
        if st.query_params.get(name) != value:
            st.query_params[name] = value
    else:
        st.session_state.pop(_slot(name), None)
        st.query_params.pop(name, None)


def _slot(name: str) -> str:
    return f"looking at {name}"


def keep(name: str, value: object) -> None:
    """Remember a choice for this session, whatever page is shown."""
    st.session_state[f"kept {name}"] = value


def kept(name: str, default: Any) -> Any:
    """Return a remembered choice."""
    return st.session_state.get(f"kept {name}", default)


def go(page: str, **query: str | None) -> None:
    """Open another page after this callback, looking at what ``query`` names."""
    for name, value in query.items():
        if value is None:
            st.session_state.pop(_slot(name), None)
        else:
            st.session_state[_slot(name)] = value
    st.session_state[GO] = (page, {n: v for n, v in query.items() if v})


def follow() -> None:
    """Go where a callback asked to go; called by the shell before it runs a page."""
    asked = st.session_state.pop(GO, None)
    if asked is not None:
        page, query = asked
        st.switch_page(PAGES / f"{page}.py", query_params=query)
