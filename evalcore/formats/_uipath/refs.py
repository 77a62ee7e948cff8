"""The evaluators that a set names, in either of the two lists that UiPath has for them."""

from __future__ import annotations

from evalcore.errors import FormatError
from evalcore.formats.lenses import At, Lens, Spelling, key
from evalcore.jsontree import MISSING, JsonArray, JsonValue, Missing, same

REFS = At(key("evaluator_refs", first="camel"))
CONFIGS = At(key("evaluator_configs", first="camel"))


def ref_of(entry: JsonValue) -> str | None:
    """Return the evaluator that an entry of ``evaluatorConfigs`` names, None if it names none."""
    found = entry.get("ref") if isinstance(entry, dict) else entry
    return found if isinstance(found, str) else None


def weight_of(entry: JsonValue) -> float | None:
    """Return the weight written in an entry of ``evaluatorConfigs``, None if there is none."""
    weight = entry.get("weight") if isinstance(entry, dict) else None
    return weight if isinstance(weight, (int, float)) and not isinstance(weight, bool) else None


def listed(value: JsonValue, *, coded: bool) -> tuple[str, JsonArray]:
    """Return the pointer and the entries of the list that UiPath uses.

    In a coded set a non-empty ``evaluatorConfigs`` wins over ``evaluatorRefs``; in a low-code set
    it is dropped.
    """
    for lens in (CONFIGS, REFS) if coded else (REFS,):
        entries = lens.get(value)
        if isinstance(entries, list) and entries:
            return lens.where(value), entries
    return REFS.where(value), []


class EvaluatorRefs(Lens):
    """The ids of a set's evaluators, from the list that UiPath uses.

    Entries of ``evaluatorConfigs`` keep their shape and weight; a new one takes the shape of the
    others. Emptying the list empties both, because an empty one lets the other come back.
    """

    def get(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the ids; a list that is none comes back as it stands."""
        configs, refs = CONFIGS.get(raw), REFS.get(raw)
        if isinstance(configs, list) and configs:
            return [ref_of(entry) for entry in configs]
        return configs if refs is MISSING else refs

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Write the ids into the list that UiPath uses; MISSING removes both lists."""
        if same(self.get(raw), value):
            return raw
        if value is MISSING:
            return REFS.put(CONFIGS.put(raw, MISSING, style), MISSING, style)
        if value is None:
            own = raw if CONFIGS.get(raw) is MISSING else CONFIGS.put(raw, None, style)
            return REFS.put(own, None, style)
        if not isinstance(value, list):
            raise FormatError("The evaluators must be a list of ids")
        configs = CONFIGS.get(raw)
        if not isinstance(configs, list) or not configs:
            if REFS.get(raw) is MISSING and isinstance(configs, list):
                return CONFIGS.put(raw, value, style)
            return REFS.put(raw, value, style)
        if not value:
            emptied = CONFIGS.put(raw, [], style)
            return emptied if REFS.get(raw) is MISSING else REFS.put(emptied, [], style)
        return CONFIGS.put(raw, _entries(configs, value), style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list that UiPath uses."""
        configs = CONFIGS.get(raw)
        if (isinstance(configs, list) and configs) or REFS.get(raw) is MISSING is not configs:
            return CONFIGS.where(raw)
        return REFS.where(raw)


def _entries(old: JsonArray, wanted: JsonArray) -> JsonArray:
    """Return the entries for ``wanted`` ids, each one that was there as it was written."""
    kept: dict[str | None, JsonArray] = {}
    for entry in old:
        kept.setdefault(ref_of(entry), []).append(entry)
    objects = all(isinstance(entry, dict) for entry in old)
    result: JsonArray = []
    for name in wanted:
        before = kept.get(name) if isinstance(name, str) or name is None else None
        if before:
            result.append(before.pop(0))
        else:
            result.append({"ref": name} if objects else name)
    return result
