"""What sets and cases are called in the target: by an id, by a name, or by both."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, UUID, uuid5

from evalcore.convert.portable import Case, Item

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

RENAMED = "Another case is called the same, so this one got a number."
BY_TURN = "A turn became a case of its own, called by its turn."
SECONDS = "The date became seconds since 1970."
DATE = "The seconds since 1970 became a date."


@dataclass(slots=True)
class Naming:
    """Names the cases of one target; ``by_name``: people call the source's cases by their name."""

    lens: EvalSetLens
    by_name: bool
    taken: set[str] = field(default_factory=set)

    def names(self, case: Case, turn: int) -> tuple[str, dict[str, Item]]:
        """Return a case's label and the fields that name it; ``turn`` counts from 1.

        The first turn keeps the label of its case.
        """
        own_id, own_name = _text(case.items.get("id")), _text(case.items.get("name"))
        to_name = self.lens.label_field == "name"
        has_name = any(f.name == "name" for f in self.lens.case_fields)
        needs_both = not to_name and has_name and self.lens.field("case", "name").pinned
        name_first = to_name or (self.by_name and not needs_both)
        order = (own_name, own_id) if name_first else (own_id, own_name)
        chosen = next((item for item in order if item), None) or Item(case.label, ())
        label = self._free(f"{chosen.value}_turn_{turn}" if turn > 1 else chosen.value)
        shown = chosen
        if label != chosen.value:
            shown = chosen.flattened(label, BY_TURN if turn > 1 else RENAMED)
        fields = {self.lens.label_field: shown}
        if needs_both:
            fields["name"] = own_name if own_name and turn == 1 else shown
        elif has_name and own_name and own_name is not chosen:
            fields["name"] = own_name
        if to_name and own_id and own_id is not chosen and is_guid(own_id.value) and turn == 1:
            fields["id"] = own_id
        return label, fields

    def _free(self, wanted: str) -> str:
        key = self.lens.join_key
        numbered = (f"{wanted}_{n}" for n in range(2, len(self.taken) + 3))
        free = next(n for n in (wanted, *numbered) if key(n) not in self.taken)
        self.taken.add(key(free))
        return free


def set_names(lens: EvalSetLens, items: Mapping[str, Item]) -> Iterator[tuple[str, Item]]:
    """Yield the fields that name a set, as far as the source says anything for them."""
    own_id, own_name = _text(items.get("id")), _text(items.get("name"))
    keeps_id = any(f.name == "id" and not f.read_only for f in lens.set_fields)
    if own_id and (keeps_id or is_guid(own_id.value)):
        yield "id", own_id
    if own_name:
        yield "name", own_name
    elif own_id and not keeps_id:
        yield "name", own_id


def made_guid(*texts: str) -> str:
    """Return a GUID for texts, always the same one."""
    return str(uuid5(NAMESPACE_URL, "evaldesk:" + "\n".join(texts)))


def is_guid(text: str) -> bool:
    """Return whether a text is a GUID as UiPath writes it."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def moment(item: Item, *, as_number: bool) -> Item | None:
    """Return a time as seconds since 1970 or as a date; None for what is no time."""
    value = item.value
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    if as_number != isinstance(value, str):
        return item
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            found = found if found.tzinfo else found.replace(tzinfo=UTC)
            return item.flattened(found.timestamp(), SECONDS)
        if not math.isfinite(value):
            return None
        date = datetime.fromtimestamp(value, UTC).isoformat(timespec="milliseconds")
        return item.flattened(date.replace("+00:00", "Z"), DATE)
    except (ValueError, OverflowError, OSError):
        # A year that no calendar has is no time either.
        return None


def _text(item: Item | None) -> Item | None:
    return item if item is not None and isinstance(item.value, str) and item.value else None
