"""The wheel carries the whole desk, and serves a folder where there is no checkout."""

import json
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.samples import ROOT, SAMPLES

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DESK = "evalcore/_desk/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel's files, as an install lays them out."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_carries_the_desk(wheel: Path):
    held = names_in(wheel)
    pages = [p for p in (ROOT / "pages").rglob("*") if p.suffix in (".py", ".css", ".js")]
    wanted = {DESK + str(path.relative_to(ROOT)) for path in pages}
    wanted |= {f"{DESK}app.py", f"{DESK}.streamlit/config.toml", "evalcore/py.typed"}
    assert wanted - held == set()


def test_the_wheel_carries_every_module_and_every_file_that_a_module_reads(wheel: Path):
    files = (path for path in (ROOT / "evalcore").rglob("*") if path.is_file())
    wanted = {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}
    assert any(name.endswith(".toml") for name in wanted)
    assert wanted - names_in(wheel) == set()


@pytest.mark.parametrize("top", ["evalcore", "pages"])
def test_every_folder_with_modules_is_a_package_of_its_own(top: str):
    folders = {path.parent for path in (ROOT / top).rglob("*.py")}
    assert [str(f) for f in sorted(folders) if not (f / "__init__.py").is_file()] == []


def test_the_wheel_carries_nothing_else(wheel: Path):
    strange = [
        name
        for name in names_in(wheel)
        if not re.match(r"evalcore/|evaldesk-[^/]+\.dist-info/", name)
        or "__pycache__" in name
        or "/tests/" in name
    ]
    assert strange == []


def test_the_wheel_installs_the_command_and_the_licence(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        held = archive.namelist()
        points = next(name for name in held if name.endswith("entry_points.txt"))
        assert "evaldesk = evalcore.cli:main" in archive.read(points).decode()
    assert any(name.endswith("licenses/LICENSE") for name in held)


def environment(site: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Serve the samples by the installed files, from a folder that is no checkout."""
    command = [sys.executable, "-c", "import sys; from evalcore.cli import main; sys.exit(main())"]
    options = ["serve", str(SAMPLES), "--port", "0", "--headless", "--output", "json"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, *options],
            cwd=tmp_path,
            env=environment(installed),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


def test_the_installed_desk_serves_a_folder(served: dict[str, str]):
    assert served["folder"] == str(SAMPLES)
    with urllib.request.urlopen(f"{served['url']}/api/ready", timeout=30) as answer:
        assert json.load(answer) == {"ready": True}
    with urllib.request.urlopen(served["url"], timeout=30) as answer:
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_the_installed_command_lists_a_folder(installed: Path, tmp_path: Path):
    code = "import sys, evalcore; print(evalcore.__file__, file=sys.stderr); "
    code += "from evalcore.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "list", str(SAMPLES / "adk"), "--output", "json"],
        cwd=tmp_path,
        env=environment(installed),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.startswith(str(installed))
    assert len(json.loads(done.stdout)["eval_sets"]) >= 2


def test_every_dependency_has_a_lower_bound_and_no_upper_one():
    project = PYPROJECT["project"]
    extras = [name for names in project["optional-dependencies"].values() for name in names]
    for name in [*project["dependencies"], *extras]:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+>=[0-9.]+", name), name


def test_what_the_code_imports_is_declared():
    extras = PYPROJECT["project"]["optional-dependencies"]
    optional = [name for extra in set(extras) - {"test"} for name in extras[extra]]
    declared = modules_of(PYPROJECT["project"]["dependencies"])
    assert imported_modules(at_top=True) <= declared
    assert imported_modules(at_top=False) <= declared | modules_of(optional)


CALLED = {"PyYAML": "yaml"}
"""The modules of distributions that are not called like them."""


def modules_of(requirements: list[str]) -> set[str]:
    names = (re.split(r"[>=<\[]", name)[0] for name in requirements)
    return {CALLED.get(name, name.replace("-", "_")) for name in names}


def imported_modules(*, at_top: bool) -> set[str]:
    """Return what our modules import when they are loaded, or only when a function needs it."""
    from tests.test_floors import every_import

    known = sys.stdlib_module_names | {"evalcore", "pages", "app"}
    found = {i.module.split(".")[0] for i in every_import() if i.at_top == at_top}
    return found - known
