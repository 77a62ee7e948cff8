"""One edit on many cases at once: set a field, tag, find and replace.

Every function takes a tree and returns a new one, as one step that can be undone.
"""

from evalcore.bulk.fields import BulkField, bulk_fields, set_field
from evalcore.bulk.finding import Hit, Search, Texts, find, replace_hits
from evalcore.bulk.order import duplicate_cases, move_cases
from evalcore.bulk.tags import add_tags, known_tags, remove_tags

__all__ = [
    "BulkField",
    "Hit",
    "Search",
    "Texts",
    "add_tags",
    "bulk_fields",
    "duplicate_cases",
    "find",
    "known_tags",
    "move_cases",
    "remove_tags",
    "replace_hits",
    "set_field",
]
