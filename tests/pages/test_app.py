"""The ASGI application around the pages: headers, the browser's own cookie, and readiness."""

import asyncio

import pytest

import app


def ask(headers=(), scheme="http", kind="http"):
    """Return the headers of a response to one request, lower case, and the response's body."""
    sent = []

    async def inner(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    raw = [(k.encode(), v.encode()) for k, v in headers]
    scope = {"type": kind, "path": "/", "headers": raw, "scheme": scheme}
    asyncio.run(app.SecurityHeaders(inner)(scope, receive, send))
    return {k.decode(): v.decode() for k, v in sent[0]["headers"]}, sent[1]["body"]


def test_every_response_has_the_security_headers():
    got, body = ask([("host", "evals.example:8501")])
    assert body == b"page"
    assert got["x-content-type-options"] == "nosniff"
    assert got["x-frame-options"] == "DENY"
    assert "ws://evals.example:8501" in got["content-security-policy"]
    assert "unsafe-eval" not in got["content-security-policy"]
    assert "https:" not in got["content-security-policy"]


@pytest.mark.parametrize("host", ["", "a b", "x; script-src *", "x, y", "evil'"])
def test_an_odd_host_never_gets_into_the_policy(host):
    policy = app.headers_for(host)["Content-Security-Policy"]
    assert "connect-src 'self';" in policy
    assert "*" not in policy


def test_a_browser_is_named_when_it_loads_a_page():
    got, _ = ask([("accept", "text/html,*/*")])
    cookie = got["set-cookie"]
    assert cookie.startswith("evaldesk_owner=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie


def test_the_cookie_is_for_encrypted_connections_only_where_the_page_came_by_one():
    got, _ = ask([("accept", "text/html")], scheme="https")
    assert got["set-cookie"].endswith("; Secure")


@pytest.mark.parametrize(
    "headers",
    [
        [("accept", "*/*")],
        [("accept", "text/html"), ("cookie", "a=b; evaldesk_owner=known")],
    ],
)
def test_a_browser_is_named_once_and_only_for_pages(headers):
    got, _ = ask(headers)
    assert "set-cookie" not in got


def test_two_browsers_get_two_names():
    first, _ = ask([("accept", "text/html")])
    other, _ = ask([("accept", "text/html")])
    assert first["set-cookie"] != other["set-cookie"]


def test_a_web_socket_passes_through():
    got, body = ask(kind="websocket")
    assert got == {}
    assert body == b"page"


def test_the_script_that_runs_lies_among_the_pages():
    assert app.SHELL.is_file()
    assert app.SHELL.parent.name == "pages"


def test_an_error_in_a_callback_is_logged_and_its_traceback_kept_off_the_page(caplog):
    assert app.on_script_error(RuntimeError("inner detail"))
    assert "inner detail" in caplog.text


def test_a_missing_folder_does_not_keep_the_server_from_starting(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("EVALDESK_WORKSPACE", str(tmp_path / "nowhere"))
    app.look_ahead()
    assert "There is no folder" in caplog.text
