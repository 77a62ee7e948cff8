"""``python -m tests.conformance FILES…``: one line per section, and 1 if a case disagrees."""

import sys
from pathlib import Path

from tests.conformance.report import run, unchecked

SHOWN = 20


def main(names: list[str]) -> int:
    if not names:
        print("usage: python -m tests.conformance FILES…", file=sys.stderr)
        return 2
    failed = False
    for path in map(Path, names):
        try:
            sections, left_out = run(path), unchecked(path)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed = True
            continue
        for section in sections:
            print(section)
            for text in section.failures[:SHOWN]:
                print(f"  {text}", file=sys.stderr)
        if left_out:
            print(f"{path.name}: not scored: {', '.join(left_out)}", file=sys.stderr)
        failed = failed or not sections or any(section.failures for section in sections)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
