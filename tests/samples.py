"""The files that tests hold their laws over: this project's samples, and others where they are."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_evals"
REAL = ROOT.parent / "shared" / "real"


def json_files() -> list[Path]:
    """Return every JSON file among the samples and the real files."""
    found = [p for folder in (SAMPLES, REAL) if folder.is_dir() for p in folder.rglob("*.json")]
    return sorted(found)


def original_path(path: Path) -> Path:
    """Return where a file lies in its project; real files carry their path in their name."""
    if REAL in path.parents:
        return Path(path.parent.name, *path.name.split("__"))
    return path.relative_to(SAMPLES)
