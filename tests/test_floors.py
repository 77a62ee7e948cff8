"""Imports only go down the floors, and what must start fast imports nothing heavy."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.samples import ROOT, SAMPLES

FLOORS = {
    "evalcore": 0,
    "evalcore.errors": 0,
    "evalcore.jsontree": 0,
    "evalcore.jsondoc": 0,
    "evalcore.files": 0,
    "evalcore.model": 1,
    "evalcore.results": 1,
    "evalcore.verdicts": 1,
    "evalcore.counting": 2,
    "evalcore.formats": 2,
    "evalcore.evaluators": 2,
    "evalcore.judges": 2,
    "evalcore.mocking": 2,
    "evalcore.workspace": 3,
    "evalcore.drafts": 3,
    "evalcore.saving": 3,
    "evalcore.wiring": 3,
    "evalcore.exporting": 3,
    "evalcore.importing": 3,
    "evalcore.outputs": 3,
    "evalcore.scoring": 3,
    "evalcore.explain": 3,
    "evalcore.stats": 3,
    "evalcore.review": 3,
    "evalcore.store": 3,
    "evalcore.compare": 3,
    "evalcore.builder": 3,
    "evalcore.convert": 3,
    "evalcore.bulk": 3,
    "evalcore.changes": 3,
    "evalcore.history": 3,
    "evalcore.lint": 3,
    "evalcore.report": 4,
    "evalcore.views": 4,
    "evalcore.cli": 4,
    "pages": 5,
    "app": 5,
}
FRAMEWORKS = {"streamlit": 5, "starlette": 5, "pandas": 4, "plotly": 4, "pydantic": 1}
"""The lowest floor on which each may be used."""
HEAVY = {"pydantic", "pandas", "plotly", "streamlit", "asyncio", "msgspec", "numpy", "pyarrow"}
BORROWED = {"harnest": {"adk"}, "uipath_coded": {"_uipath"}, "uipath_lowcode": {"_uipath"}}
"""The formats that another format may build on."""
BUILT_ON = {"evaluators": {"formats", "judges"}, "mocking": {"formats"}}
"""What a module of floor 2 may use beside it: checks read what formats know, never the reverse."""
FAMILIES = {"tenxgraph": {"tenxgraph"}, "uipath": {"_uipath"}, "adk": {"adk"}}
"""The formats whose words each family of evaluators may use: those of its own system."""
SERVER = ROOT / "evalcore" / "cli" / "serve.py"
"""The one module outside the pages that starts Streamlit, inside a function."""


class Import(NamedTuple):
    """One name that one module imports."""

    file: Path
    module: str
    line: int
    at_top: bool


def sources() -> list[Path]:
    folders = [path for name in ("evalcore", "pages") for path in (ROOT / name).rglob("*.py")]
    return [ROOT / "app.py", *sorted(folders)]


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> Iterator[Import]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno} imports relatively"
            base = node.module or ""
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (Import(file, name, node.lineno, id(node) in top) for name in names)


def every_import() -> list[Import]:
    return [found for file in sources() for found in imports(file)]


def floor(module: str) -> int | None:
    """Return the floor of one of our modules, None for a module that is not ours."""
    parts = module.split(".")
    if parts[0] not in ("evalcore", "pages", "app"):
        return None
    for length in (2, 1):
        known = FLOORS.get(".".join(parts[:length]))
        if known is not None:
            return known
    return None


def where(found: Import) -> str:
    return f"{found.file.relative_to(ROOT)}:{found.line} imports {found.module}"


def test_every_module_has_a_floor():
    names = {".".join(module_name(file).split(".")[:2]) for file in sources()}
    unknown = {name for name in names if name.startswith("evalcore.") and name not in FLOORS}
    assert unknown == set()


def test_imports_only_go_down_the_floors():
    upward = []
    for found in every_import():
        own, other = floor(module_name(found.file)), floor(found.module)
        if own is not None and other is not None and other > own:
            upward.append(where(found))
    assert upward == []


def test_formats_import_each_other_only_where_one_builds_on_another():
    sideways = []
    for found in every_import():
        own, other = format_of(module_name(found.file)), format_of(found.module)
        if own and other and own != other and other not in BORROWED.get(own, set()):
            sideways.append(where(found))
    assert sideways == []


def test_on_floor_2_only_what_judges_files_imports_what_lies_beside_it():
    sideways = []
    for found in every_import():
        own, other = (name.split(".")[1:2] for name in (module_name(found.file), found.module))
        is_beside = floor(module_name(found.file)) == floor(found.module) == 2 and own != other
        if is_beside and other[0] not in BUILT_ON.get(own[0], set()):
            sideways.append(where(found))
    assert sideways == []


def test_evaluators_use_the_formats_of_their_own_system_only():
    strange = []
    for found in every_import():
        parts = module_name(found.file).split(".")
        is_evaluator = parts[:2] == ["evalcore", "evaluators"]
        allowed = FAMILIES.get(parts[2], set()) if len(parts) > 2 else set()
        is_format = found.module.startswith("evalcore.formats")
        if is_evaluator and is_format and format_of(found.module) not in allowed:
            strange.append(where(found))
    assert strange == []


def format_of(module: str) -> str | None:
    parts = module.split(".")
    is_package = len(parts) > 2 and (ROOT / "evalcore" / "formats" / parts[2]).is_dir()
    return parts[2] if parts[:2] == ["evalcore", "formats"] and is_package else None


def test_frameworks_stay_on_their_floors():
    misplaced = []
    for found in every_import():
        lowest = FRAMEWORKS.get(found.module.split(".")[0])
        own = floor(module_name(found.file))
        starts_the_server = found.file == SERVER and not found.at_top
        if lowest is not None and own is not None and own < lowest and not starts_the_server:
            misplaced.append(where(found))
    assert misplaced == []


def test_modules_do_not_import_each_other_in_a_circle():
    graph = {module_name(f): {target(i) for i in imports(f) if i.at_top} for f in sources()}
    assert circle(graph) == []


def target(found: Import) -> str:
    """Return the module that an import loads: ``a.b`` for ``from a import b`` if b is a module."""
    path = ROOT.joinpath(*found.module.split("."))
    is_module = path.is_dir() or path.with_suffix(".py").exists()
    return found.module if is_module else found.module.rpartition(".")[0]


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the first circle in a graph, [] if it has none."""
    done: set[str] = set()

    def walk(node: str, trail: list[str]) -> list[str]:
        if node in trail:
            return [*trail[trail.index(node) :], node]
        if node in done:
            return []
        for other in sorted(graph.get(node, set()) - {node}):
            if other in graph and (found := walk(other, [*trail, node])):
                return found
        done.add(node)
        return []

    return next((found for node in sorted(graph) if (found := walk(node, []))), [])


def loaded_after(code: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter holds after running some code."""
    report = "import json, sys; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


LIGHT = {
    "the documents": "from evalcore import errors, files, jsontree, jsondoc",
    "the registry": "from evalcore import formats; formats.built_in()",
    "the workspace": "import evalcore.workspace",
    "the command line": "import evalcore.cli",
}


@pytest.mark.parametrize("code", LIGHT.values(), ids=LIGHT.keys())
def test_light_modules_import_nothing_heavy(code: str):
    assert loaded_after(code) & HEAVY == set()


def test_checking_a_small_file_imports_nothing_heavy():
    set_ = sorted(SAMPLES.glob("*/*/evaluations/eval-sets/*.json"))[0]
    code = f"from evalcore.cli import main\nassert main(['check', {str(set_)!r}]) in (0, 1)"
    assert loaded_after(code) & HEAVY == set()
