"""Converts a set of one format into one of another, with the fate of every value."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evalcore.convert import copying, uipath_criteria, uipath_talk, words
from evalcore.convert.account import Ledger, accounted
from evalcore.convert.atlas import SET, mapped
from evalcore.convert.carry import carried, restored
from evalcore.convert.model import Conversion, Fate, Options, Report, Source, Target
from evalcore.convert.naming import Naming
from evalcore.convert.pack import Packer
from evalcore.convert.portable import Case, items_of
from evalcore.convert.unpack import unpacked
from evalcore.convert.write import loadable, written
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.formats.evalset import stem_of
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


def convert(
    source: Source,
    target: Target,
    options: Options | None = None,
    now: datetime | None = None,
) -> Conversion:
    """Return a set in the target's format, which its system loads, and what became of each value.

    Nothing is written. Raises FormatError for a file that is no eval set, and where the target's
    system takes no file of that name and folder for one of its sets.
    """
    if source.detection.kind is not Kind.EVAL_SET:
        raise FormatError("Only eval sets can be converted", hint="Choose an eval set.")
    chosen, moment = options or Options(), now or datetime.now(UTC)
    lens = source.format.lens_for(source.detection)
    found = None
    if copying.is_one_schema(lens, target.format.eval_sets):
        found = copying.copied(source, lens, target, moment)
    value, fates = found or _translated(source, lens, target, chosen, moment)
    value, fates = restored(source, lens, target, value, fates)
    if chosen.carry:
        value, fates = carried(source, lens, target, value, fates)
    return Conversion(value, _report(source, lens, target, value, fates))


def _translated(
    source: Source, lens: EvalSetLens, target: Target, options: Options, now: datetime
) -> tuple[JsonValue, tuple[Fate, ...]]:
    atlas = mapped(lens, source.value)
    new = target.format.eval_sets
    packer = Packer(
        new,
        options,
        _names(target),
        Naming(new, lens.label_field == "name"),
        target.evaluators,
        keeps_checks=copying.is_one_schema(lens, new),
    )
    read = [unpacked(atlas, n) for n in range(len(atlas.cases)) if n not in atlas.opaque]
    cases = [made for case in read for made in packer.packed(case)]
    own = packer.of_set(items_of(atlas, SET))
    stem = stem_of(target.path.name)
    made = written(new, own, cases, stem, now)
    made.value = new.as_new_file(made.value, target.path.name, is_copy=False)
    made = loadable(made, new, target, now)
    said = words.Words(
        words.set_id_of(lens, source.value),
        packer.has("case", uipath_criteria.FIELD),
        _not_taken(packer, read, options),
    )
    ledger = Ledger(atlas, source.value, mapped(new, made.value), made, said)
    return made.value, accounted(ledger, own, cases)


def _names(target: Target) -> dict[str, str]:
    """Return what a lone text is called: as the agent's only input or output is, where known."""
    usual = {"input": "input", "expected_output": "content"}
    for name, schema in target.format.eval_sets.schemas(target.near).items():
        properties = schema.get("properties")
        if name in usual and isinstance(properties, dict) and len(properties) == 1:
            usual[name] = next(iter(properties))
    return usual


def _not_taken(packer: Packer, read: list[Case], options: Options) -> frozenset[tuple[int, int]]:
    talks = packer.has("invocation", uipath_talk.INPUT)
    if packer.lens.has_turns or options.split_turns or talks:
        return frozenset()
    return frozenset(
        (case.number, turn)
        for case in read
        if not case.is_conversation
        for turn in range(len(case.turns))
        if turn != case.tested
    )


def _report(
    source: Source, lens: EvalSetLens, target: Target, value: JsonValue, fates: tuple[Fate, ...]
) -> Report:
    made = (Kind.EVALUATOR, Kind.CRITERIA)
    places = [known.where for known in target.format.known_files if known.kind in made]
    return Report(
        source.format.label,
        target.format.label,
        len(lens.raw_cases(source.value)),
        len(target.format.eval_sets.raw_cases(value)),
        fates,
        tuple(evaluator.name for evaluator in source.evaluators),
        f"{target.format.system} has its own in {places[0]}." if places else "",
    )
