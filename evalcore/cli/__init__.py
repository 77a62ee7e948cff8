"""The ``evaldesk`` command. Each command is one module, imported when it is called."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from evalcore.errors import EvaldeskError

EXIT_CODES = """\
exit codes:
  0    done; for `check`: no errors found; for `score`: every case passed; for `diff`: all the same
  1    `check` found errors; `score` found cases that did not pass; `diff` found differences;
       `compare` found what --fail-on names
  2    a file is missing or unreadable, the command line is wrong, or nothing could be done
  3    `convert` would lose values, so it wrote nothing
  130  stopped with Ctrl-C
"""
COMMANDS = {
    "serve": "open a folder in the browser",
    "list": "list the eval sets in a folder",
    "check": "report what is wrong in eval files",
    "show": "print an eval set, its evaluators or its results",
    "set": "add, list or remove the eval sets of a project",
    "case": "add, list or remove the cases of an eval set",
    "diff": "say in words what changed between two versions of a file",
    "convert": "write an eval set in another format, saying what is lost",
    "export": "write an eval set as XLSX, CSV or JSONL",
    "score": "score recorded outputs with the checks of an eval set",
    "import": "keep result files as runs",
    "runs": "list the runs that are kept",
    "compare": "compare runs, and say what may be claimed",
    "report": "write a run as HTML, JUnit XML, Markdown, CSV, XLSX or JSON",
}
MODULES = {"list": "listing", "set": "sets", "case": "cases", "import": "import_runs"}
"""The modules of commands that cannot be called as their command is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; results go to stdout, all else to stderr."""
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        return code
    except EvaldeskError as error:
        _complain(error)
        return 2
    except BrokenPipeError:
        # The reader left, as `| head` does; the interpreter would complain again when it flushes.
        _drop_stdout()
        return 141
    except OSError as error:
        # Whatever else the system refuses is no finding about a file, so the code is not 1.
        _drop_stdout()
        _complain(EvaldeskError(f"Cannot go on: {error.strerror or error}."))
        return 2
    except KeyboardInterrupt:
        return 130


def _drop_stdout() -> None:
    """Send what is left in the buffer nowhere: writing it failed once already."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str]) -> int:
    parser = _parser(argv)
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return 2
    code: int = _module(arguments.command).run(arguments)
    return code


def _parser(argv: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evaldesk",
        description="Edit, check and read the eval sets and results of AI agents "
        "(UiPath, Google ADK, Harnest, 10xGraph), which stay the files they are.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    called = next((word for word in argv if word in COMMANDS), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument(
            "--output",
            choices=("text", "json"),
            default="text",
            help="text for people (default), json for programs",
        )
        if name == called:
            module = _module(name)
            command.description = module.__doc__
            module.configure(command)
    return parser


class _Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_others: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"evaldesk {version('evaldesk')}")
        except PackageNotFoundError:
            print("evaldesk, run from its source without being installed")
        parser.exit()


def _module(command: str) -> ModuleType:
    return import_module(f"evalcore.cli.{MODULES.get(command, command)}")


def _complain(error: EvaldeskError) -> None:
    from evalcore.cli._output import visible

    text = f"evaldesk: {visible(error.message)}"
    if error.hint:
        text += f"\n    {visible(error.hint)}"
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
