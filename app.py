"""The browser desk: ``streamlit run app.py`` opens the folder named by ``EVALDESK_WORKSPACE``.

Without that variable it opens ``sample_evals`` beside this file, or else the current folder.
"""

import logging
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from threading import Thread
from typing import Any

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evalcore.errors import EvaldeskError

LOG = logging.getLogger("evaldesk")
SHELL = Path(__file__).resolve().parent / "pages" / "_shell.py"
OWNER_COOKIE = "evaldesk_owner"
CSP = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'{sockets}; worker-src 'self' blob:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)


def headers_for(host: str) -> dict[str, str]:
    """Return the security headers of a response to a request for ``host``.

    Web sockets are allowed to that host only; an odd host gets those of ``'self'`` alone.
    """
    known = re.fullmatch(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?", host)
    sockets = f" ws://{host} wss://{host}" if known else ""
    return {
        "Content-Security-Policy": CSP.format(sockets=sockets),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
    }


class SecurityHeaders:
    """Sends the security headers, and gives each browser the cookie that its drafts belong to."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; anything but HTTP passes through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in headers_for(asked.get("host", "")).items():
                    headers.setdefault(name, value)
                _give_owner(asked, headers, secure=scope.get("scheme") == "https")
            await send(message)

        await self.app(scope, receive, with_headers)


def _give_owner(asked: Headers, headers: MutableHeaders, *, secure: bool) -> None:
    """Name the browser, once, when it loads a page."""
    if "text/html" not in asked.get("accept", ""):
        return
    try:
        known = OWNER_COOKIE in SimpleCookie(asked.get("cookie", ""))
    except CookieError:
        known = False
    if not known:
        cookie = f"{OWNER_COOKIE}={secrets.token_urlsafe(16)}; Path=/; HttpOnly; SameSite=Lax"
        headers.append("set-cookie", f"{cookie}; Max-Age=31536000" + ("; Secure" if secure else ""))


async def ready(_request: Request) -> JSONResponse:
    """Answer that the server is up."""
    return JSONResponse({"ready": True})


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """Begin to look through the workspace before the first browser asks for it."""
    Thread(target=look_ahead, name="evaldesk-look-ahead", daemon=True).start()
    yield


def look_ahead() -> None:
    """List the workspace's files, so that the first page finds them listed.

    What goes wrong here goes wrong on the page too, which says it to the reader.
    """
    from pages._ui.desk import open_desk

    try:
        workspace = open_desk().workspace
        LOG.info("Evaldesk opens %s", workspace.root)
        workspace.entries()
    except EvaldeskError as error:
        LOG.error("%s %s", error.message, error.hint)


def on_script_error(error: Exception) -> bool:
    """Log what went wrong in a callback and say so; True keeps the traceback off the page."""
    from pages._ui.safe import report_unexpected

    report_unexpected(error)
    return True


app = st.App(
    SHELL,
    routes=[Route("/api/ready", ready)],
    middleware=[Middleware(SecurityHeaders)],
    lifespan=lifespan,
    on_script_error=on_script_error,
)
