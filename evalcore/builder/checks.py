"""The evaluators of a set that is built: those it names, and those that its cases need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evalcore.builder.cases import Case
from evalcore.builder.criteria import BEHAVIOR_KIND, TOOLS_KIND, reads_behavior, reads_tools
from evalcore.errors import EvaldeskError, FormatError
from evalcore.files import read_bytes, write_if_unchanged
from evalcore.formats import detect
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonObject, JsonValue, join, put
from evalcore.wiring.blank import coded_evaluator

if TYPE_CHECKING:
    from evalcore.formats.base import Format
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.model import Evaluator

NEW: Final[Mapping[str, tuple[str, str]]] = {
    TOOLS_KIND: ("ExpectedToolCalls", "Expected tool calls"),
    BEHAVIOR_KIND: ("ExpectedBehavior", "Expected behavior"),
}
"""What is made where a set has no evaluator of a kind that a case needs: its id and name."""
FOLDER: Final = "evaluators"
_SETS: Final = "eval-sets"


@dataclass(slots=True)
class Checks:
    """The evaluators that a set may name: those ``known`` of its project, and those ``made``."""

    known: list[Evaluator] = field(default_factory=list)
    made: dict[str, JsonObject] = field(default_factory=dict)

    def named_in(self, lens: EvalSetLens, tree: JsonValue) -> list[Evaluator]:
        """Return the known evaluators that a set names, in its order."""
        by_ref = {evaluator.ref: evaluator for evaluator in self.known}
        refs = (entry.ref for entry in lens.read_header(tree).evaluator_refs)
        return [by_ref[ref] for ref in refs if ref in by_ref]

    def provide(self, chosen: Format, tree: JsonValue, case: Case) -> JsonValue:
        """Return a set that names evaluators for what a case expects.

        One of the project is taken, else a new one is made. Only where cases hold criteria.
        """
        lens = chosen.eval_sets
        if not any(f.name == "criteria" for f in lens.case_fields):
            return tree
        has_tools = any(turn.tools for turn in case.turns)
        tells = case.more.get("expected_behavior") or any(
            turn.more.get("expected_behavior") for turn in case.turns
        )
        if has_tools and not any(map(reads_tools, self.named_in(lens, tree))):
            ready = next(filter(reads_tools, self.known), None)
            tree = self._naming(chosen, tree, ready, TOOLS_KIND)
        if tells and not any(map(reads_behavior, self.named_in(lens, tree))):
            ready = next(filter(reads_behavior, self.known), None)
            tree = self._naming(chosen, tree, ready, BEHAVIOR_KIND)
        return tree

    def _naming(
        self, chosen: Format, tree: JsonValue, ready: Evaluator | None, kind: str
    ) -> JsonValue:
        if ready is None:
            ref, name = NEW[kind]
            self.made[ref] = coded_evaluator(kind, ref, name)
            (ready,) = _read(chosen, self.made[ref], Path(FOLDER) / "made.json")
            self.known.append(ready)
        return naming(chosen.eval_sets, tree, ready.ref)

    def settled(
        self, chosen: Format, tree: JsonValue, place: Path
    ) -> tuple[JsonValue, dict[Path, JsonObject]]:
        """Return a set for a file, and the evaluator files to write for it.

        Where the project has an evaluator of the same kind, that one is used instead of a new one.
        Raises FormatError where the system would not find a new one.
        """
        around = {e.ref: e for e in evaluators_around(chosen, place)} if self.made else {}
        files: dict[Path, JsonObject] = {}
        for ref, data in self.made.items():
            kind = data["evaluatorTypeId"]
            same = [e.ref for e in around.values() if e.native_type == kind]
            if ref in around:
                continue
            if same:
                tree = _renamed(chosen.eval_sets, tree, ref, same[0])
                continue
            if place.parent.name != _SETS:
                raise FormatError(
                    f"{place} expects things for which its set needs an evaluator, and "
                    f"{chosen.system} would not find one there",
                    hint=f"Save the set in a folder {_SETS!r}; the evaluator goes beside it.",
                )
            files[place.parent.parent / FOLDER / f"{ref}.json"] = data
        return tree, files


def naming(lens: EvalSetLens, tree: JsonValue, *refs: str) -> JsonValue:
    """Return a set that names evaluators, too."""
    held = [entry.ref for entry in lens.read_header(tree).evaluator_refs]
    new = [ref for ref in dict.fromkeys(refs) if ref not in held]
    return lens.put_field(tree, "", "set", "evaluator_refs", [*held, *new]) if new else tree


def evaluators_around(chosen: Format, place: Path) -> list[Evaluator]:
    """Return the evaluators that lie beside the folder of a set's file."""
    folder = place.resolve().parent.parent / FOLDER
    return [e for file in sorted(folder.glob("*.json")) for e in evaluators_in(chosen, file)]


def evaluators_in(chosen: Format, file: Path) -> Sequence[Evaluator]:
    """Return the evaluators of a file, () for one that cannot be read or is something else."""
    try:
        return _read(chosen, JsonDocument.parse(read_bytes(file)).value, file.resolve())
    except EvaldeskError:
        return ()


def write_evaluators(files: Mapping[Path, JsonObject]) -> None:
    """Write new evaluator files; raises ConflictError where there is another file."""
    for file, data in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_if_unchanged(file, JsonDocument.parse(b"{}\n").render(data), None)


def _read(chosen: Format, value: JsonValue, file: Path) -> Sequence[Evaluator]:
    found = detect(value, Path(*file.parts[-3:]))
    if found is None or found.kind is not Kind.EVALUATOR:
        return ()
    return chosen.read_evaluators(value, found)


def _renamed(lens: EvalSetLens, tree: JsonValue, old: str, new: str) -> JsonValue:
    """Return a set that names one evaluator instead of another, in its cases as well."""
    held = [entry.ref for entry in lens.read_header(tree).evaluator_refs]
    refs = list(dict.fromkeys(new if ref == old else ref for ref in held))
    tree = lens.put_field(tree, "", "set", "evaluator_refs", refs)
    criteria = lens.field("case", "criteria").lens
    where, raws = lens.cases_pointer(tree), lens.raw_cases(tree)
    for index, raw in enumerate(raws):
        expected = criteria.get(raw)
        if isinstance(expected, dict) and old in expected:
            kept = {new if ref == old else ref: value for ref, value in expected.items()}
            changed = criteria.put(raw, kept, lens.style_at(raw, tree))
            tree = put(tree, join(where, index), changed)
    return tree
