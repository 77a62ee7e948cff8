"""JSON files that keep every byte nobody touched."""

from evalcore.jsondoc.document import DEFAULT_ID_KEYS, JsonDocument
from evalcore.jsondoc.facts import FileFacts

__all__ = ["DEFAULT_ID_KEYS", "FileFacts", "JsonDocument"]
