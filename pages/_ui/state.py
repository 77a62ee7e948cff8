"""Who is asking, and what they look at: kept in the URL and in the session, because a menu click
drops the one and a reload the other."""

from __future__ import annotations

import streamlit as st

OWNER_COOKIE = "evaldesk_owner"


def owner() -> str:
    """Return whose drafts these are: this browser's, by the cookie that the server gave it."""
    return st.context.cookies.get(OWNER_COOKIE, "") or "local"


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
