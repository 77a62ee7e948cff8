"""What can be made new, where it would lie, and what it would hold."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final

from evalcore.errors import FormatError
from evalcore.evaluators import kinds
from evalcore.evaluators.tenxgraph import presets
from evalcore.evaluators.uipath.files import CODED_NAMES
from evalcore.formats.adk.metrics import DEFAULT_CRITERIA
from evalcore.jsontree import JsonObject, JsonValue
from evalcore.scoring.sidecar import blank as blank_own
from evalcore.views.newset import slug
from evalcore.wiring import WiredSet, Wiring
from evalcore.wiring.blank import (
    LOWCODE_KINDS,
    adk_config,
    coded_evaluator,
    lowcode_evaluator,
)

FAMILIES: Final = {
    "uipath_coded": "UiPath coded agent: a check in a file of its own",
    "uipath_lowcode": "UiPath low-code agent: a check in a file of its own",
    "adk": "Google ADK: criteria of a folder (test_config.json)",
    "harnest": "Harnest: criteria of evals/ (test_config.json)",
    "tenxgraph": "10xGraph: a config (eval_config.json)",
    "evaldesk": "Evaldesk: checks of our own beside a set",
}
PRESET_WORDS: Final = {
    "quick_check": "Word overlap at 0.5, no judge",
    "tool_usage": "Tool names and exact calls with arguments, no look at the reply",
    "response_quality": "Two judges of the reply",
    "conversation_flow": "A judge of the last reply, and calls in order",
    "safety_check": "Judges of groundedness and safety",
    "comprehensive": "Tools, word overlap and four judges",
    "custom": "Nothing at first: add checks yourself",
    "default": "What 10xGraph uses from Python without a config",
    "strict": "The default, stricter, with a second judge",
    "relaxed": "The default, more lenient",
    "command_line": "What 10xgraph eval uses without a config",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where something new would lie: the folder, and in words what it is for."""

    folder: str
    words: str
    set_path: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody chose to make."""

    family: str
    place: Place
    name: str = ""
    kind: str = ""
    model: str = ""
    presets: tuple[str, ...] = ()


def families_here(wiring: Wiring, beside: str = "") -> list[str]:
    """Return what can be made new: what the file at ``beside`` is of, then what sets use most."""
    used = [s.format_id for s in wiring.sets]
    file, of = wiring.file(beside), wiring.set_at(beside)
    own = file.family if file is not None else of.format_id if of is not None else ""
    return sorted(FAMILIES, key=lambda f: (f != own, -used.count(f)))


def nearest_place(places: Sequence[Place], beside: str) -> int:
    """Return the index of the place that is for a set, or else lies nearest to a file."""

    def nearness(index: int) -> tuple[bool, int]:
        place = places[index]
        pairs = zip(place.folder.split("/"), beside.split("/"), strict=False)
        shared = list(takewhile(lambda pair: pair[0] == pair[1], pairs))
        return bool(beside) and place.set_path == beside, len(shared)

    return max(range(len(places)), key=lambda index: (*nearness(index), -index), default=0)


def kinds_for(family: str) -> dict[str, str]:
    """Return the kinds of evaluators that a UiPath file can be, with what each answers."""
    names: Sequence[str] = ()
    if family == "uipath_coded":
        names = tuple(CODED_NAMES)
    elif family == "uipath_lowcode":
        names = tuple(LOWCODE_KINDS)
    return {name: kinds()[name].label for name in names}


def places_for(family: str, wiring: Wiring) -> list[Place]:
    """Return where a new file of a family can lie: beside the sets that it is for."""
    found: dict[str, Place] = {}
    for of in wiring.sets:
        place = _place(family, of, wiring)
        if place is not None:
            found.setdefault(place.set_path or place.folder, place)
    return list(found.values()) or _first_place(family)


def path_for(wanted: Wanted, wiring: Wiring) -> str:
    """Return the suggested path of what is wanted, free in its folder."""
    folder = wanted.place.folder
    if wanted.family in ("adk", "harnest"):
        return posixpath.join(folder, "test_config.json")
    if wanted.family == "evaldesk":
        of = wiring.set_at(wanted.place.set_path)
        return of.own_file if of else ""
    taken = {f.path for f in wiring.files}
    stem = "eval_config" if wanted.family == "tenxgraph" else _stem(wanted.name)
    if wanted.family == "uipath_lowcode":
        stem = f"evaluator-{stem}"
    names = (stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3)))
    paths = (posixpath.join(folder, f"{name}.json") for name in names)
    return next(path for path in paths if path not in taken)


def tree_for(wanted: Wanted, path: str, now: datetime) -> JsonValue:
    """Return what the new file holds. Raises FormatError where something is missing."""
    name = wanted.name.strip()
    if wanted.family in ("uipath_coded", "uipath_lowcode"):
        if not name:
            raise FormatError("The check needs a name", hint="Write one above.")
        if wanted.family == "uipath_coded":
            return coded_evaluator(wanted.kind, _ref(name), name, wanted.model)
        file = posixpath.basename(path)
        return lowcode_evaluator(wanted.kind, file, name, now, wanted.model)
    if wanted.family == "tenxgraph":
        return _config(wanted)
    if wanted.family == "evaldesk":
        return blank_own()
    return adk_config(DEFAULT_CRITERIA)


def _config(wanted: Wanted) -> JsonObject:
    made = [presets.PRESETS[name]() for name in wanted.presets or ("quick_check",)]
    config = made[0] if len(made) == 1 else presets.combine(*made)
    # Without any criterion nothing else shows whose config it is; 4 is what 10xGraph assumes.
    return config if config["criteria"] else {**config, "max_concurrency": 4}


def _stem(name: str) -> str:
    found = slug(name)
    return "evaluator" if found == "new_set" else found


def _ref(name: str) -> str:
    """Return an id such as UiPath's samples have: the words of a name in one."""
    words = "".join(char if char.isalnum() else " " for char in name).split()
    return "".join(word[:1].upper() + word[1:] for word in words) or "Evaluator"


def _place(family: str, of: WiredSet, wiring: Wiring) -> Place | None:
    folder = posixpath.dirname(of.path)
    if family == "evaldesk":
        taken = wiring.file(of.own_file) is not None
        return None if taken else Place(posixpath.dirname(of.own_file), of.path, of.path)
    if of.format_id != family:
        return None
    if family.startswith("uipath"):
        if posixpath.basename(folder) != "eval-sets":
            return None
        beside = posixpath.join(posixpath.dirname(folder), "evaluators")
        return Place(beside, f"{beside}/")
    if family == "tenxgraph":
        above = posixpath.dirname(folder)
        return Place(above, f"{above}/" if above else "the folder that is open")
    if wiring.file(posixpath.join(folder, "test_config.json")) is not None:
        return None
    return Place(folder, f"{folder}/" if folder else "the folder that is open")


def _first_place(family: str) -> list[Place]:
    usual = {
        "uipath_coded": "evaluations/evaluators",
        "uipath_lowcode": "evals/evaluators",
        "tenxgraph": "",
    }
    if family not in usual:
        return []
    folder = usual[family]
    return [Place(folder, f"{folder}/" if folder else "the folder that is open")]
