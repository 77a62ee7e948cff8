"""``python -m tests.differential [SYSTEM…]``: agreed/total per evaluator, 1 if any case differs."""

import argparse
import sys
import time

from tests.differential.compare import compared, families
from tests.differential.environments import PEERS
from tests.differential.peer import Worker


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(PEERS))
    parser.add_argument("--cases", type=int, default=1000, help="per evaluator (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", action="append", metavar="TEXT", help="evaluators whose name contains it"
    )
    options = parser.parse_args(arguments)
    unknown = [name for name in options.systems if name not in PEERS]
    if unknown:
        parser.error(f"{unknown[0]} is none of {', '.join(PEERS)}")
    differs = False
    for system in options.systems or PEERS:
        print(f"{system}: {PEERS[system].requirement}, seed {options.seed}", flush=True)
        differs |= _run(system, options)
    return int(differs)


def _run(system: str, options: argparse.Namespace) -> bool:
    total = agreed = 0
    with Worker(system) as worker:
        for name, family in families(system).items():
            if options.only and not any(text in name for text in options.only):
                continue
            started = time.monotonic()
            found = compared(worker, system, family, options.cases, options.seed)
            took = time.monotonic() - started
            print(f"  {name}: {found.agreed}/{found.total} ({took:.0f} s)", flush=True)
            for text in found.shown:
                print(f"    {text}", flush=True)
            total, agreed = total + found.total, agreed + found.agreed
    print(f"{system}: {agreed}/{total}", flush=True)
    return agreed < total


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
