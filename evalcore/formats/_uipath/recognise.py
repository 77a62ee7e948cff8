"""Tells UiPath's files apart by their keys, and by their folder where the keys leave it open.

One place decides for both formats, so that they never both claim a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

from evalcore.formats.base import Detection, Kind
from evalcore.formats.marks import belongs_to_another
from evalcore.jsontree import JsonArray, JsonObject, JsonValue

CODED = "uipath_coded"
LOWCODE = "uipath_lowcode"

FLOW = "flow"
API_WORKFLOW = "api_workflow"
NO_VERSION = "no_version"
VERBOSE = "verbose"

LOWCODE_ENTRY = "/content/agent.json"
_LISTS = (
    ("evaluatorRefs", "evaluator_refs"),
    ("evaluatorConfigs", "evaluator_configs"),
    ("evaluations",),
    ("evaluationItems",),
    ("testCases",),
)
_LOWCODE_SET = ("fileName", "file_name", "createdAt", "created_at", "batchSize", "batch_size")
_LEGACY_EVALUATOR = frozenset({"targetOutputKey", "prompt"})
_LEGACY_FILE = frozenset({"fileName", "createdAt", "updatedAt", "model"})
"""What low-code evaluators have too, but so does many a record with a category and a type."""
_NAMED = frozenset({"id", "name", "fileName"})
_FOREIGN = ("eval_cases", "evalCases", "eval_set_id")

Version = Literal["coded", "legacy", "unreadable"]


@dataclass(frozen=True, slots=True)
class _Look:
    """A file's content as an object ({} if it is none) and where it lies."""

    value: JsonValue
    path: PurePath

    @property
    def fields(self) -> JsonObject:
        return self.value if isinstance(self.value, dict) else {}

    @property
    def folder(self) -> str:
        return self.path.parts[-2] if len(self.path.parts) > 1 else ""

    @property
    def project(self) -> str:
        """The format that the folders above speak for, "" if none does."""
        for part in reversed(self.path.parts[:-1]):
            if part in ("evaluations", "evals"):
                return CODED if part == "evaluations" else LOWCODE
        return ""


def recognise(value: JsonValue, path: PurePath) -> Detection | None:
    """Return which UiPath format and kind a file is, None if it is neither's."""
    look = _Look(value, path)
    for rule in _RULES:
        found = rule(look)
        if found is not None:
            foreign = belongs_to_another(value, "uipath")
            return replace(found, confidence="maybe") if foreign else found
    return None


def version_of(value: JsonObject) -> Version:
    """Return which loader ``uipath eval`` picks for a set: only ``version`` decides."""
    version = value.get("version")
    if not isinstance(version, (int, float, str)):
        return "legacy"
    try:
        return "coded" if float(version) >= 1 else "legacy"
    except (ValueError, OverflowError):
        return "unreadable"


def is_flow(value: JsonObject) -> bool:
    """Return whether a set has the keys that only Maestro Flow writes."""
    return "selectedEntrypoint" in value or any("simulations" in c for c in some_cases(value))


def some_cases(value: JsonObject) -> list[JsonObject]:
    """Return the first cases of a set that are objects: enough to see which keys they have."""
    cases = value.get("evaluations")
    listed: JsonArray = cases if isinstance(cases, list) else []
    return [case for case in listed[:20] if isinstance(case, dict)]


def _result(look: _Look) -> Detection | None:
    results = look.fields.get("evaluationSetResults")
    if not isinstance(results, list):
        return None
    verbose = any(isinstance(r, dict) and r.get("agentExecutionOutput") for r in results)
    reason = "it has evaluationSetResults, as uipath eval --output-file writes them"
    return Detection(CODED, Kind.RESULT, "sure", reason, VERBOSE if verbose else "")


def _project(look: _Look) -> Detection | None:
    fields, name = look.fields, look.path.name
    if "evaluatorConfigSchema" in fields and "evaluatorTypeId" in fields:
        return Detection(CODED, Kind.PROJECT, "sure", "it is the schema of a custom evaluator")
    entries = fields.get("entryPoints")
    if isinstance(entries, list) and _are_entry_points(look, entries):
        low = any(isinstance(e, dict) and e.get("filePath") == LOWCODE_ENTRY for e in entries)
        where = LOWCODE if low else CODED
        return Detection(where, Kind.PROJECT, "sure", "it has entryPoints")
    if name == "agent.json" and "settings" in fields and {"inputSchema", "messages"} & set(fields):
        return Detection(LOWCODE, Kind.PROJECT, "sure", "it describes a low-code agent")
    if name == "simulation.json" and {"components", "toolsToSimulate"} & set(fields):
        return Detection(CODED, Kind.PROJECT, "sure", "it says which tools to simulate")
    if name.lower().endswith(".uiproj") and "ProjectType" in fields:
        where = LOWCODE if fields["ProjectType"] == "Agent" else CODED
        return Detection(where, Kind.PROJECT, "sure", "it is a UiPath project file")
    return None


def _are_entry_points(look: _Look, entries: JsonArray) -> bool:
    """Return whether a list of that name is UiPath's: bundlers call their inputs so too."""
    schema = look.fields.get("$schema")
    if look.path.name == "entry-points.json" or (isinstance(schema, str) and "uipath" in schema):
        return True
    ours = {"filePath", "uniqueId", "type"}
    return any(
        isinstance(e, dict) and (len(ours & e.keys()) > 1 or e.get("filePath") == LOWCODE_ENTRY)
        for e in entries
    )


def _evaluator(look: _Look) -> Detection | None:
    fields = look.fields
    if "evaluations" in fields:
        return None
    for name in ("evaluatorTypeId", "evaluatorConfig", "evaluatorSchema"):
        if name in fields:
            return Detection(CODED, Kind.EVALUATOR, "sure", f"it has {name}")
    if "category" in fields and "type" in fields:
        numbered = all(isinstance(fields[name], (int, float)) for name in ("category", "type"))
        numbered = numbered and bool(_NAMED & fields.keys())
        like = _LEGACY_EVALUATOR & fields.keys() or len(_LEGACY_FILE & fields.keys()) > 1
        if (numbered and like) or (look.folder == "evaluators" and look.project):
            return Detection(LOWCODE, Kind.EVALUATOR, "sure", "it has category and type")
    return None


def _eval_set(look: _Look) -> Detection | None:
    fields = look.fields
    lists = [group for group in _LISTS if any(name in fields for name in group)]
    if not lists or any(name in fields for name in _FOREIGN):
        return None
    format_id, reason, variant = _dialect(look)
    sure = (
        look.folder == "eval-sets"
        or lists[0] in _LISTS[:2]
        or any(_criterias(c) or _belongs(c) for c in some_cases(fields))
    )
    told = "version" in fields or bool(look.project)
    if not sure and not (told and {"id", "name"} <= set(fields)):
        return None
    return Detection(format_id, Kind.EVAL_SET, "sure" if sure else "maybe", reason, variant)


def _dialect(look: _Look) -> tuple[str, str, str]:
    fields, cases = look.fields, some_cases(look.fields)
    special = API_WORKFLOW if "schemaVersion" in fields else FLOW if is_flow(fields) else ""
    if version_of(fields) != "legacy":
        return CODED, f"it has a version and {_named(special)}", special
    if any(name in fields for name in _LOWCODE_SET) or any(_belongs(c) for c in cases):
        return LOWCODE, "it has no version, but a file name or times, as low-code sets have", ""
    if special:
        return CODED, f"it is {_named(special)}", special
    if any(_criterias(c) for c in cases):
        return CODED, "its cases have evaluationCriterias, but it has no version", NO_VERSION
    if look.project == LOWCODE:
        return LOWCODE, "it lists evaluations and lies in evals/", ""
    return CODED, "it lists evaluations, but has no version", NO_VERSION


def _named(special: str) -> str:
    return {FLOW: "the keys of a Maestro Flow set", API_WORKFLOW: "an API workflow's keys"}.get(
        special, "evaluations or evaluator refs"
    )


def _project_by_name(look: _Look) -> Detection | None:
    if look.path.name != "uipath.json" or not look.fields:
        return None
    return Detection(CODED, Kind.PROJECT, "sure", "uipath.json lists a project's functions")


def _by_folder(look: _Look) -> Detection | None:
    kinds = {"eval-sets": Kind.EVAL_SET, "evaluators": Kind.EVALUATOR}
    if look.folder not in kinds or not look.project:
        return None
    reason = f"it lies in a folder {look.folder}/"
    return Detection(look.project, kinds[look.folder], "maybe", reason)


def _criterias(case: JsonObject) -> bool:
    return "evaluationCriterias" in case or "evaluation_criterias" in case


def _belongs(case: JsonObject) -> bool:
    return "evalSetId" in case or "eval_set_id" in case


_RULES: tuple[Callable[[_Look], Detection | None], ...] = (
    _result,
    _project,
    _evaluator,
    _eval_set,
    _project_by_name,
    _by_folder,
)
