"""A real HTTP server on the loopback that answers as it is told, and counts."""

import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler"], None]
PATIENCE = 10.0
"""Seconds after which a server that waits for a test gives up on it."""


def completion(content: Any = "ok", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": more.pop("finish_reason", "stop")}
    message = {"role": "assistant", "content": content, **more}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{**choice, "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }


def called(name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return completion(None, tool_calls=[{"id": "1", "type": "function", "function": function}])


def answers(content: Any = "ok", **more: Any) -> Behaviour:
    return body(json.dumps(completion(content, **more)))


def body(text: str, kind: str = "application/json", status: int = 200, **headers: str) -> Behaviour:
    return lambda handler: handler.reply(status, text.encode(), kind, headers)


def fails(status: int, message: str = "no", code: str = "", **headers: str) -> Behaviour:
    error = {"error": {"message": message, "code": code, "type": code}}
    return body(json.dumps(error), status=status, **headers)


def drops(handler: "Handler") -> None:
    """Close the connection without an answer."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def breaks_off(handler: "Handler") -> None:
    """Promise more than is sent, and close the connection."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    drops(handler)


def stalls(handler: "Handler") -> None:
    """Never answer, and note when the other side gives up."""
    server = handler.desk
    server.stalled.set()
    handler.connection.settimeout(PATIENCE)
    if handler.connection.recv(1) == b"":
        server.hung_up.set()
    handler.close_connection = True


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    desk: "FakeEndpoint"

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        self.is_counted = True
        behaviour = self.desk.arrive(
            self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(sent)
        )
        try:
            behaviour(self)
        finally:
            self.leave()

    def leave(self) -> None:
        if self.is_counted:
            self.is_counted = False
            self.desk.leave()

    def reply(self, status: int, content: bytes, kind: str, headers: dict[str, str]) -> None:
        # Counted before the client can know of the answer and ask again.
        self.leave()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class FakeEndpoint:
    """Answers each request with the next behaviour, the last one ever after."""

    def __init__(self, *behaviours: Behaviour) -> None:
        self.behaviours = list(behaviours or [answers()])
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.active = 0
        self.most_active = 0
        self.stalled = threading.Event()
        self.hung_up = threading.Event()
        self._lock = threading.Lock()
        self._server = Quiet(("127.0.0.1", 0), type("Handler", (Handler,), {"desk": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def arrive(self, path: str, headers: dict[str, str], sent: dict[str, Any]) -> Behaviour:
        with self._lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.requests.append(sent)
            self.active += 1
            self.most_active = max(self.most_active, self.active)
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]

    def leave(self) -> None:
        with self._lock:
            self.active -= 1

    def __enter__(self) -> "FakeEndpoint":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
