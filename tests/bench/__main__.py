"""Runs one benchmark by the name of its module: ``python -m tests.bench documents --help``."""

import importlib
import pkgutil
import sys

from tests import bench


def main(arguments: list[str]) -> int:
    """Run the benchmark that the first argument names; the rest are its own arguments."""
    names = [m.name for m in pkgutil.iter_modules(bench.__path__) if not m.name.startswith("_")]
    if not arguments or arguments[0] not in names:
        print(f"usage: python -m tests.bench {{{','.join(names)}}} ...", file=sys.stderr)
        return 2
    importlib.import_module(f"tests.bench.{arguments[0]}").main(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
