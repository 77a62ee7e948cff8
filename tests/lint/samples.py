"""The catalogue's own small files, written to disk: with a problem, and without it."""

import json
from pathlib import Path

from evalcore.errors import Problem
from evalcore.jsontree import MISSING, get, put
from evalcore.lint import catalog
from evalcore.lint.catalog import Rule
from evalcore.workspace import Workspace
from evalcore.workspace.entries import unreadable

HOLE = "\u2603 the sample goes here \u2603"
LINK = "link to "


def cases():
    """Return (code, rule) for every sample of the catalogue."""
    return [
        (code, rule)
        for rule in catalog.rules()
        if rule.sample is not None
        for code in rule.codes
        if code.partition(".")[0] in rule.sample.systems
    ]


def written(folder: Path, code: str, rule: Rule, which: str) -> str:
    """Write the sample ``bad`` or ``good`` of a rule; return the path of the file to check."""
    sample, prefix = rule.sample, code.partition(".")[0]
    known = catalog.bases(catalog.FILES[prefix])
    base = known.get(f"{sample.base}@{prefix}") or known[sample.base]
    moved = sample.good_path if which == "good" else ""
    path = moved or _placed(base["path"], prefix)
    files = {_beside(path, name): text for name, text in base.get("files", {}).items()}
    files[path] = base["text"]
    spliced = _beside(path, sample.file) if sample.file else path
    files[spliced] = splice(files[spliced], sample.at, getattr(sample, which))
    more = sample.bad_files if which == "bad" else sample.good_files
    files |= {_beside(path, name): text for name, text in more.items()}
    for name, text in files.items():
        _write(folder / name, text)
    return path


def found_in(folder: Path, path: str) -> list[Problem]:
    workspace = Workspace(folder)
    try:
        return list(workspace.examine(path).problems)
    except Exception as error:
        return [unreadable(error, path)]


def splice(document: str, at: str, text: str) -> str:
    """Return a document with raw JSON text at a pointer; "" leaves the member out."""
    if not at:
        return text or document
    value = json.loads(document)
    if not text:
        return json.dumps(put(value, at, MISSING) if get(value, at) is not MISSING else value)
    held = get(value, at.rpartition("/")[0])
    assert isinstance(held, (dict, list)), f"{at} leads nowhere in {document}"
    marked = json.dumps(put(value, at, HOLE), ensure_ascii=False)
    return marked.replace(json.dumps(HOLE, ensure_ascii=False), text)


def _placed(path: str, prefix: str) -> str:
    """Return where a file of ADK's lies; Harnest reads the folder evals/ only."""
    if prefix != "harnest" or "/evals/" in path or "results" in path:
        return path
    folder, _, name = path.rpartition("/")
    return f"{folder}/evals/{name}"


def _beside(path: str, name: str) -> str:
    folder = path.rpartition("/")[0].split("/")
    for part in name.split("/")[:-1]:
        folder = folder[:-1] if part == ".." else [*folder, part]
    return "/".join([*folder, name.rpartition("/")[2]])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if text.startswith(LINK):
        path.symlink_to(text.removeprefix(LINK))
    else:
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
