"""List the runs that are kept in a folder, the newest first, or delete some of them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from evalcore.cli._output import print_json, print_text, table, visible
from evalcore.cli._runs import find_run, store_of

if TYPE_CHECKING:
    from evalcore.store import Manifest, RunStore

HEADER = ("ID", "NAME", "SET", "WHEN (UTC)", "RESULTS", "PASSED", "FAILED", "ERRORS", "STATUS")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="default: the current folder"
    )
    parser.add_argument(
        "--delete", action="append", default=[], metavar="RUN", help="an id or a name; repeatable"
    )


def run(arguments: argparse.Namespace) -> int:
    """List the runs; folders that hold none that can be read come last, with the reason."""
    store = store_of(arguments.folder)
    if arguments.delete:
        return _delete(store, arguments)
    found, broken = store.runs(), store.broken()
    if arguments.output == "json":
        print_json(
            {
                "kept_at": store.place.url,
                "runs": [_plain(held) for held in found],
                "broken": [{"id": b.id, "message": b.error.message} for b in broken],
            }
        )
        return 0
    if found:
        print_text(table(HEADER, [_row(held) for held in found], right=range(4, 8)))
    for each in broken:
        print_text(f"{visible(each.id)}  {visible(each.error.message)}")
    if not found and not broken:
        print_text(f"No runs at {visible(store.place.url)}: `evaldesk import FILE` keeps one.")
    return 0


def _delete(store: RunStore, arguments: argparse.Namespace) -> int:
    broken = {each.id for each in store.broken()}
    ids = [name if name in broken else find_run(store, name).id for name in arguments.delete]
    for run_id in ids:
        store.delete(run_id)
    if arguments.output == "json":
        print_json({"deleted": ids})
    else:
        print_text(f"Deleted {', '.join(ids)}")
    return 0


def _row(held: Manifest) -> tuple[str, ...]:
    counts = held.cases
    return (
        held.id,
        held.name,
        held.eval_set.id or held.eval_set.name or "",
        _when(held, "%Y-%m-%d %H:%M"),
        f"{counts.total:,}",
        f"{counts.passed:,}",
        f"{counts.failed:,}",
        f"{counts.error:,}",
        held.status.value,
    )


def _when(held: Manifest, pattern: str) -> str:
    from evalcore.store import moment

    at = moment(held)
    return at.strftime(pattern) if at.year > 1 else ""


def _plain(held: Manifest) -> dict[str, Any]:
    return {
        "id": held.id,
        "name": held.name,
        "status": held.status.value,
        "format": held.format_id,
        "set": held.eval_set.model_dump(),
        "at": _when(held, "%Y-%m-%dT%H:%M:%SZ") or None,
        "source": held.source.model_dump(),
        "cases": held.cases.model_dump(),
        "invocations": held.invocations,
        "distinct": held.distinct,
        "repeats": held.repeats,
        "flaky": held.flaky,
        "pass_mark": held.pass_mark,
        "metrics": {metric.key: metric.mean for metric in held.metrics},
    }
