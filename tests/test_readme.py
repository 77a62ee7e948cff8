"""The README says what is so: its table, its console output, its commands and its picture."""

import json
import os
import re
from importlib import import_module
from pathlib import Path

import pytest

from evalcore import formats
from evalcore.cli import main
from evalcore.evaluators import FAMILIES
from evalcore.evaluators.adk.cloud import CloudCheck
from evalcore.evaluators.base import Evaluator, Need
from evalcore.evaluators.tenxgraph.combined import Combined
from evalcore.formats.base import Format
from evalcore.judges import JudgeSettings, read_settings
from evalcore.outputs import read_outputs
from evalcore.outputs.lines import KEYS
from evalcore.scoring.sidecar import read_checks
from tests.conformance.report import run
from tests.samples import ROOT

README = ROOT / "README.md"
WRITE = bool(os.environ.get("EVALDESK_WRITE_README"))
CONSOLE = re.compile(r"```console\n\$ evaldesk (?P<command>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)
SYSTEMS = {
    "uipath": "UiPath",
    "adk": "Google ADK, Harnest",
    "tenxgraph": "10xGraph",
    "own": "Evaldesk",
}
PACKAGES = {"uipath": "uipath 2.14.44", "adk": "google-adk 2.13.0", "tenxgraph": "10xgraph 0.10.3"}
OWN_VECTORS = ROOT / "tests" / "vectors"
MORE_VECTORS = ROOT.parent / "shared" / "vectors"
COMMANDS = (
    "    pip install -e . && streamlit run app.py        # opens sample_evals/ in the browser\n"
    '    pip install -e ".[test]" && pytest              # passes\n'
)


def text() -> str:
    return README.read_text(encoding="utf-8")


def put(new: str) -> None:
    README.write_text(new, encoding="utf-8")


def tables(name: str) -> list[str]:
    return between(name).findall(text())


def between(name: str) -> re.Pattern[str]:
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    return re.compile(f"(?<={begin}).*?(?={end})", re.DOTALL)


def written(name: str, table: str) -> None:
    if WRITE:
        put(between(name).sub(lambda _: table, text()))


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
    written("formats", format_table())
    assert tables("formats") == [format_table()]


def evaluator_table() -> str:
    lines = ["| system | check | kind | here |", "| --- | --- | --- | --- |"]
    for family in FAMILIES:
        known = import_module(f"evalcore.evaluators.{family}").EVALUATORS
        for index, cls in enumerate(known):
            system = f"**{SYSTEMS[family]}**" if index == 0 else ""
            lines.append(f"| {system} | {cls.label} | `{cls.kind}` | {how(cls)} |")
    return "\n".join(lines) + "\n"


def how(cls: type[Evaluator]) -> str:
    if issubclass(cls, CloudCheck):
        return "not computable"
    if issubclass(cls, Combined):
        return "as its parts"
    return "judged" if Need.JUDGE in cls.needs else "computed"


def test_the_table_of_evaluators_is_the_registry():
    written("evaluators", evaluator_table())
    assert tables("evaluators") == [evaluator_table()]


def conformance_table(more: dict[str, str]) -> str:
    lines = ["| package | cases here | further cases |", "| --- | --- | --- |"]
    for system, package in PACKAGES.items():
        lines.append(f"| {package} | {agreed(OWN_VECTORS / f'{system}.json')} | {more[package]} |")
    return "\n".join(lines) + "\n"


def agreed(path: Path) -> str:
    sections = run(path)
    total = sum(section.total for section in sections)
    return f"{total - sum(len(section.failures) for section in sections)} of {total} agree"


def test_the_readme_says_how_many_cases_agree():
    if MORE_VECTORS.exists():
        more = {PACKAGES[name]: agreed(MORE_VECTORS / f"{name}.json") for name in PACKAGES}
    else:
        shown = (line.strip("| ").split(" | ") for line in tables("conformance")[0].splitlines())
        more = {cells[0]: cells[-1] for cells in shown}
    written("conformance", conformance_table(more))
    assert tables("conformance") == [conformance_table(more)]


@pytest.mark.parametrize("system", PACKAGES)
def test_the_vectors_come_from_the_releases_that_the_readme_names(system: str):
    file = json.loads((OWN_VECTORS / f"{system}.json").read_text(encoding="utf-8"))
    version = file.get("version") or file["versions"]["google_adk"]
    assert PACKAGES[system].split()[1] == version
    assert PACKAGES[system] in text()


def console_commands() -> list[str]:
    return [found["command"] for found in CONSOLE.finditer(text())]


@pytest.mark.parametrize("command", console_commands())
def test_the_console_output_is_what_the_command_prints(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    try:
        code = main(command.split())
    except SystemExit as done:
        code = done.code
    assert code in ((0, 1) if command.startswith("score ") else (0,))
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
    headings = re.findall(r"^#+ (.+)$", text(), re.MULTILINE)
    anchors = {"#" + re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}
    assert [n for n in linked if n not in anchors and not (ROOT / n).exists()] == []


def test_every_path_that_the_readme_names_exists():
    named = re.findall(r"`((?:sample_evals|tests|evalcore|\.ci)/[^`\s]*)`", text())
    assert named
    assert [name for name in named if not (ROOT / Path(name)).exists()] == []


def fenced(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text(), re.DOTALL)


def first_cells(header: str) -> list[str]:
    """Return what stands in the first column of the table with this header, without its marks."""
    _, _, below = text().partition(header)
    rows_ = re.match(r"(?:\|[^\n]*\n)+", below.lstrip("\n"))
    assert rows_ is not None
    return [line.split("|")[1].strip(" `") for line in rows_[0].splitlines()[1:]]


def test_the_example_of_outputs_is_read_without_a_complaint():
    (example,) = fenced("jsonl")
    found = read_outputs(example.encode())
    assert found.problems == ()
    assert [len(case.invocations) for case in found.run.cases] == [1, 2]


def test_every_key_of_the_outputs_is_explained():
    assert first_cells("| key | type | meaning |") == list(KEYS)


def test_every_setting_of_the_judge_is_explained():
    fields = [name for name in JudgeSettings.__dataclass_fields__ if name != "cache_path"]
    named = first_cells("| variable | meaning |")
    assert sorted(named) == sorted(f"EVALDESK_JUDGE_{name.upper()}" for name in fields)
    defaults = read_settings({})
    for name in ("timeout", "deadline", "concurrency", "tries"):
        row = re.search(rf"`EVALDESK_JUDGE_{name.upper()}` \|.*\((\d+)\)", text())
        assert row is not None
        assert float(row[1]) == getattr(defaults, name)


def test_the_example_of_our_own_checks_can_be_run():
    (example,) = fenced("json")
    checks = read_checks(json.loads(example))
    assert [check.problem for check in checks] == ["", ""]
    assert checks[0].by_case == {"small-talk": None}
