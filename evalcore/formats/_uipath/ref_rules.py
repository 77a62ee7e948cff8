"""Rules about the evaluators that a set names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from evalcore.errors import Problem, Severity
from evalcore.formats._uipath.evaluator_view import EvaluatorView
from evalcore.formats._uipath.recognise import API_WORKFLOW, FLOW
from evalcore.formats._uipath.refs import CONFIGS, REFS, listed, ref_of, weight_of
from evalcore.formats._uipath.set_view import CRITERIA, SetView
from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join

_MANY = 5
"""From how many cases on a set should be looked at from more than one side."""


def lists_agree(view: SetView) -> Iterator[Problem]:
    """Warn where one of the two lists of evaluators is not read."""
    configs, refs = CONFIGS.get(view.value), REFS.get(view.value)
    if not isinstance(configs, list) or not configs:
        return
    if not view.is_coded:
        yield view.problem(
            "warning",
            "configs_not_read",
            CONFIGS.where(view.value),
            "UiPath drops evaluators with weights (“evaluatorConfigs”) of a low-code set: these "
            "evaluators do not run.",
            "List their ids in “evaluatorRefs”.",
        )
        return
    if isinstance(refs, list) and refs and [ref_of(c) for c in configs] != refs:
        yield view.problem(
            "warning",
            "refs_not_read",
            REFS.where(view.value),
            "This list of evaluators (“evaluatorRefs”) is not read, because the one with weights "
            "(“evaluatorConfigs”) is there as well and differs.",
            "Keep one of the two lists.",
        )
    if any(weight_of(entry) not in (None, 1) for entry in configs):
        yield view.problem(
            "info",
            "weights_not_used",
            CONFIGS.where(view.value),
            "uipath eval does not use the weights of evaluators: all of them count the same.",
        )


def evaluators_exist(view: SetView) -> Iterator[Problem]:
    """Refuse refs that no evaluator file answers, as far as the folder can be seen."""
    if not view.evaluator_paths:
        return
    known = set(view.evaluator_by_id)
    severity: Severity = "error"
    if view.variant in (FLOW, API_WORKFLOW):
        known |= {name for e in view.evaluators for name in (e.file_name, e.file_name[:-5])}
        severity = "warning"
    for ref, pointer in view.refs.items():
        if ref in known:
            continue
        meant, hint = _meant(ref, view.evaluators)
        message = f"No file in evaluators/ has the id “{ref}”, so UiPath refuses to run the set."
        yield view.problem(severity, "unknown_evaluator", pointer, message, hint, meant)


def evaluator_files_can_be_read(view: SetView) -> Iterator[Problem]:
    """Refuse a folder with a broken file: UiPath reads all of them, referenced or not."""
    for path in view.evaluator_paths:
        value = view.near.value(path)
        if isinstance(value, dict):
            continue
        broken = "is no readable JSON" if value is MISSING else "is no object"
        yield view.problem(
            "error",
            "broken_evaluator_file",
            REFS.where(view.value) if REFS.get(view.value) is not MISSING else "",
            f"The file “{path.removeprefix('../')}” {broken}. UiPath reads every file in that "
            "folder and stops the run there.",
            "Repair or move that file.",
        )


def evaluator_ids_are_unique(view: SetView) -> Iterator[Problem]:
    """Warn where one ref runs two evaluators."""
    counts = Counter(e.id for e in view.evaluators)
    for ref, pointer in view.refs.items():
        if counts[ref] > 1:
            names = ", ".join(e.file_name for e in view.evaluators if e.id == ref)
            yield view.problem(
                "warning",
                "evaluator_id_twice",
                pointer,
                f"{counts[ref]} files have the id “{ref}” ({names}), and UiPath runs all of them.",
                "Give each evaluator an id of its own.",
            )


def evaluator_names_are_unique(view: SetView) -> Iterator[Problem]:
    """Warn of two evaluators of one name: averages are taken by name."""
    first: dict[str, str] = {}
    for ref, pointer in view.refs.items():
        evaluator = view.evaluator_by_id.get(ref)
        name = evaluator.name if evaluator is not None else ""
        if name and first.setdefault(name, ref) != ref:
            yield view.problem(
                "warning",
                "evaluator_name_twice",
                pointer,
                f"The evaluators “{first[name]}” and “{ref}” are both called “{name}”, so UiPath "
                "averages the two as if they were one.",
                "Give one of them another name in its file.",
            )


def more_than_one_evaluator(view: SetView) -> Iterator[Problem]:
    """Tell that one evaluator sees one side of an agent only."""
    if len(view.refs) == 1 and len(view.cases) >= _MANY:
        yield view.problem(
            "info",
            "one_evaluator_only",
            next(iter(view.refs.values())),
            "The set is scored by a single evaluator, which looks at one side of the agent.",
            "Add another: for the output one, for how the agent got there one.",
        )


def refs_are_used(view: SetView) -> Iterator[Problem]:
    """Tell which evaluators skip cases because these have no criteria for them."""
    with_criteria = [c for c in view.cases if isinstance(c.get(CRITERIA), dict)]
    if not view.is_coded or not with_criteria or len(with_criteria) < len(view.cases):
        return
    counts = Counter(name for case in with_criteria for name in _members(case.get(CRITERIA)))
    total = len(view.cases)
    for ref, pointer in view.refs.items():
        if counts[ref] == 0:
            yield view.problem(
                "warning",
                "evaluator_never_used",
                pointer,
                f"No case has criteria for the evaluator “{ref}”, so it scores nothing.",
                "Add criteria for it to the cases it should score; “Its own defaults” will do "
                "(null in the file).",
            )
    some = [f"“{ref}” scores {counts[ref]}" for ref in view.refs if 0 < counts[ref] < total]
    if some:
        yield view.problem(
            "info",
            "evaluators_skip_cases",
            listed(view.value, coded=True)[0],
            f"Of {total} cases {', '.join(some)}: the others have no criteria for it.",
        )


def refs_are_listed_once(view: SetView) -> Iterator[Problem]:
    """Tell that a ref is repeated, which changes nothing."""
    base, entries = listed(view.value, coded=view.is_coded)
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        ref = ref_of(entry)
        if ref is not None and ref in seen:
            message = f"The evaluator “{ref}” is listed more than once; it runs once."
            yield view.problem("info", "ref_twice", join(base, index), message, "Remove one.")
        if ref is not None:
            seen.add(ref)


def cases_can_be_scored(view: SetView) -> Iterator[Problem]:
    """Warn of a set with cases and no evaluator."""
    if view.cases and not view.refs and REFS.get(view.value) in (MISSING, []):
        yield view.problem(
            "warning",
            "no_evaluators",
            REFS.where(view.value) if REFS.get(view.value) is not MISSING else "",
            "The set names no evaluators, so its cases run and nothing is scored.",
            "List the ids of evaluators in “evaluatorRefs”.",
        )


def _members(value: JsonValue | Missing) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _meant(ref: str, evaluators: list[EvaluatorView]) -> tuple[str, str]:
    """Return the id which a ref most likely means, "" if none is near, and what to do."""
    for view in evaluators:
        other_names = (view.file_name, view.file_name.removesuffix(".json"), view.name)
        if view.id and (ref in other_names or ref.lower() == view.id.lower()):
            hint = f"Did you mean “{view.id}”? Refs are ids, spelled exactly as in the file."
            return view.id, hint
    guess = closest(ref, [view.id for view in evaluators if view.id])
    if guess:
        return guess, f"Did you mean “{guess}”?"
    return "", "Remove it, or write the id that the evaluator's file has."


RULES: tuple[Callable[[SetView], Iterator[Problem]], ...] = (
    lists_agree,
    evaluators_exist,
    evaluator_files_can_be_read,
    evaluator_ids_are_unique,
    evaluator_names_are_unique,
    more_than_one_evaluator,
    refs_are_used,
    refs_are_listed_once,
    cases_can_be_scored,
)
