import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from evalcore.cli import main, serve
from evalcore.errors import EvaldeskError

ROOT = Path(__file__).parents[2]


@contextmanager
def served(cwd: Path, *argv: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``evaldesk serve`` and give the process and the first line that it prints."""
    with subprocess.Popen(
        [sys.executable, "-m", "evalcore.cli", "serve", "--headless", *argv],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline()
        finally:
            process.kill()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serving_prints_one_line_with_the_address_when_it_answers(
    tmp_path: Path, stop: signal.Signals
) -> None:
    (tmp_path / "evals").mkdir()
    with served(tmp_path, "evals", "--port", "0", "--output", "json") as (process, line):
        told = json.loads(line)
        assert told["folder"] == str(tmp_path / "evals")
        with urlopen(f"{told['url']}/_stcore/health", timeout=30) as answer:
            assert answer.read() == b"ok"
        process.send_signal(stop)
        assert process.stdout is not None and process.stdout.read() == ""
        assert process.wait(30) == (0 if stop is signal.SIGINT else -stop)


def test_a_port_in_use_is_an_error_or_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(EvaldeskError, match=f"port {port}") as caught:
            serve._free_port("127.0.0.1", port)
        assert "--port" in caught.value.hint
        monkeypatch.setattr(serve, "FIRST_PORT", port)
        monkeypatch.setattr(serve, "LAST_PORT", port + 50)
        assert serve._free_port("127.0.0.1", None) > port
    assert serve._free_port("127.0.0.1", 0) > 0


@pytest.mark.parametrize("port", ["70000", "-1", "abc", "80.5", ""])
def test_no_such_port(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", f"--port={port}"])
    said = capsys.readouterr().err
    assert f"argument --port: {port!r} is no port; use 1 to 65535, or 0 for any" in said


def test_the_pages_come_from_the_checkout_or_else_from_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert serve.desk_folder() == ROOT
    package = tmp_path / "site-packages" / "evalcore"
    (package / "_desk").mkdir(parents=True)
    (tmp_path / "site-packages" / "app.py").write_text("someone else's")
    monkeypatch.setattr(serve.evalcore, "__file__", str(package / "__init__.py"))
    with pytest.raises(EvaldeskError, match="not installed"):
        serve.desk_folder()
    (package / "_desk" / "app.py").write_text("")
    assert serve.desk_folder() == package / "_desk"
