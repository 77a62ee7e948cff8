"""The README says what is so: its table, its console output, its commands and its picture."""

import os
import re
from pathlib import Path

import pytest

from evalcore import formats
from evalcore.cli import main
from evalcore.formats.base import Format
from tests.samples import ROOT

README = ROOT / "README.md"
WRITE = bool(os.environ.get("EVALDESK_WRITE_README"))
TABLE = re.compile(r"(?<=<!-- formats: begin -->\n).*?(?=<!-- formats: end -->)", re.DOTALL)
CONSOLE = re.compile(r"```console\n\$ evaldesk (?P<command>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)
COMMANDS = (
    "    pip install -e . && streamlit run app.py        # opens sample_evals/ in the browser\n"
    '    pip install -e ".[test]" && pytest              # passes\n'
)


def text() -> str:
    return README.read_text(encoding="utf-8")


def put(new: str) -> None:
    README.write_text(new, encoding="utf-8")


def format_table() -> str:
    lines = ["| format | id | files | edited here |", "| --- | --- | --- | --- |"]
    for format_ in formats.built_in():
        lines += rows(format_)
    return "\n".join(lines) + "\n"


def rows(format_: Format) -> list[str]:
    """Return a format's lines: one a kind of file, its name only on the first."""
    found = []
    for index, known in enumerate(format_.known_files):
        names = ", ".join(as_code(name) for name in known.where.split(", "))
        label, id_ = (f"**{format_.label}**", f"`{format_.id}`") if index == 0 else ("", "")
        editable = "yes" if known.editable else ""
        found.append(f"| {label} | {id_} | {known.title}: {names} | {editable} |")
    return found


def as_code(name: str) -> str:
    """Return a file name or pattern as code; a description in words stays as it is."""
    return name if " " in name else f"`{name}`"


def test_the_table_of_formats_is_the_registry():
    if WRITE:
        put(TABLE.sub(lambda _: format_table(), text()))
    assert TABLE.findall(text()) == [format_table()]


def console_commands() -> list[str]:
    return [found["command"] for found in CONSOLE.finditer(text())]


@pytest.mark.parametrize("command", console_commands())
def test_the_console_output_is_what_the_command_prints(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    try:
        main(command.split())
    except SystemExit as done:
        assert done.code == 0
    printed = capsys.readouterr().out
    if WRITE:
        put(CONSOLE.sub(lambda found: told(found, command, printed), text()))
    shown = {found["command"]: found["output"] for found in CONSOLE.finditer(text())}
    assert shown[command] == printed


def told(found: re.Match[str], command: str, printed: str) -> str:
    return (
        f"```console\n$ evaldesk {command}\n{printed}```"
        if found["command"] == command
        else found[0]
    )


def test_the_two_commands_are_there_as_they_are_run_by_ci():
    assert COMMANDS in text()


def test_every_file_that_the_readme_links_to_exists():
    linked = [name for name in re.findall(r"\]\(([^)]+)\)", text()) if "://" not in name]
    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_every_path_that_the_readme_names_exists():
    named = re.findall(r"`((?:sample_evals|tests|evalcore|\.ci)/[^`\s]*)`", text())
    assert named
    assert [name for name in named if not (ROOT / Path(name)).exists()] == []
