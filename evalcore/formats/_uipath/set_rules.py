"""Rules about an eval set as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.ids import fold_guid, is_guid
from evalcore.formats._uipath.set_view import Case, SetView
from evalcore.jsontree import join


def cases_are_listed_where_uipath_looks(view: SetView) -> Iterator[Problem]:
    """Warn where a set runs nothing, which UiPath reports as success."""
    wrong = [name for name in ("evaluationItems", "testCases") if name in view.value]
    for name in wrong:
        yield view.problem(
            "warning",
            "cases_under_wrong_key",
            join("", name),
            f"Cases are listed under “{name}”, which UiPath does not read: it runs none of them "
            "and reports success.",
            "Call the list “evaluations”.",
        )
    if "evaluations" not in view.value and not wrong:
        yield view.problem(
            "warning",
            "no_cases",
            "",
            "The set has no “evaluations”: UiPath runs no case and reports success.",
            "Add a case.",
        )
    elif view.value.get("evaluations") == []:
        message = "The set has no cases yet: a run of it reports success."
        yield view.problem("info", "no_cases", "/evaluations", message, "Add a case.")


def ids_are_unique(view: SetView) -> Iterator[Problem]:
    """Warn of ids that UiPath cannot tell apart; GUIDs are compared in lower case."""
    first: dict[str, Case] = {}
    for case in view.cases:
        found = case.raw.get("id")
        if not isinstance(found, str):
            continue
        before = first.setdefault(fold_guid(found), case)
        if before is not case:
            yield case.problem(
                "warning",
                "duplicate_id",
                join(case.pointer, "id"),
                f"the case “{before.label}” has the same id, so --eval-ids runs only that one.",
                "Give one of them another id.",
            )


def names_are_unique(view: SetView) -> Iterator[Problem]:
    """Warn of names that occur twice: results know a case by its name alone."""
    seen: set[str] = set()
    for case in view.cases:
        found = case.raw.get("name")
        if isinstance(found, str) and found in seen:
            yield case.problem(
                "warning",
                "duplicate_name",
                join(case.pointer, "name"),
                "another case has the same name. Results hold only names, so UiPath averages the "
                "two as if they were one.",
                "Give one of them another name.",
            )
        if isinstance(found, str):
            seen.add(found)


def guids_are_in_lower_case(view: SetView) -> Iterator[Problem]:
    """Tell that UiPath reads an upper-case GUID in lower case."""
    for case in view.cases:
        found = case.raw.get("id")
        if isinstance(found, str) and is_guid(found) and found != found.lower():
            yield case.problem(
                "info",
                "guid_in_upper_case",
                join(case.pointer, "id"),
                "UiPath reads its id in lower case, so traces and --input-overrides show it so.",
                "Write the id in lower case.",
            )


RULES: tuple[Callable[[SetView], Iterator[Problem]], ...] = (
    cases_are_listed_where_uipath_looks,
    ids_are_unique,
    names_are_unique,
    guids_are_in_lower_case,
)
