"""A list of tools as the list of their names."""

from __future__ import annotations

from typing import Any

from evalcore.formats.lenses import At, Lens, Spelling
from evalcore.jsontree import MISSING, JsonObject, JsonValue, same


class ToolNames(Lens):
    """The names in a list of ``{"name": …}``, in order.

    Each tool whose name stays keeps all that the file says of it. What is no such list comes back
    as it stands.
    """

    def __init__(self, at: At) -> None:
        self.at = at

    def get(self, raw: JsonValue) -> Any:
        """Return the names, or else what is there."""
        found = self.at.get(raw)
        if not isinstance(found, list):
            return found
        names = [item.get("name") if isinstance(item, dict) else MISSING for item in found]
        return names if all(isinstance(name, str) for name in names) else found

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the names; anything that is no list of texts is written as it stands."""
        if same(self.get(raw), value):
            return raw
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            return self.at.put(raw, value, style)
        found = self.at.get(raw)
        left = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
        return self.at.put(raw, [_taken(left, name) for name in value], style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list."""
        return self.at.where(raw)

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether there is a place for the list."""
        return self.at.has_place(raw)

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the list as it stands."""
        return self.at


def _taken(left: list[JsonObject], name: str) -> JsonObject:
    """Take the first tool of a name out of those that are left, or make one."""
    for index, item in enumerate(left):
        if item.get("name") == name:
            return left.pop(index)
    return {"name": name}
