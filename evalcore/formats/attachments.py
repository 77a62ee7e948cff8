"""What lies beside the text of a message, in words: ``image/png, 12 KB``."""

from __future__ import annotations

from evalcore.jsontree import JsonObject, JsonValue

UNITS = ((1_000_000, "MB"), (1_000, "KB"))


def size_words(count: int) -> str:
    """Return a number of bytes in the unit that says it: ``12 KB``; a kilobyte is 1,000 bytes."""
    for unit, name in UNITS:
        if count >= unit:
            amount = count / unit
            return f"{amount:.0f} {name}" if amount >= 10 else f"{amount:.1f} {name}"
    return f"{count} bytes"


def bytes_in(base64: JsonValue) -> int | None:
    """Return how many bytes a base64 text stands for, None if it is no text."""
    if not isinstance(base64, str):
        return None
    return len(base64.rstrip("=")) * 3 // 4


def attachment(kind: str, value: JsonValue) -> str:
    """Return what an attachment is: its type or kind, its name, and how large it is.

    ``kind`` is what to say where the attachment does not say it itself.
    """
    fields: JsonObject = value if isinstance(value, dict) else {}
    mime = _first(fields, "mime_type", "mimeType", "media_type", "MimeType")
    name = _first(fields, "display_name", "displayName", "FullName", "filename", "name")
    link = _first(fields, "file_uri", "fileUri", "url", "uri")
    count = bytes_in(fields.get("data"))
    said = [mime or kind]
    said += [f"“{name}”"] if name else []
    said += [size_words(count)] if count else []
    said += (
        [link if len(link) <= 60 else f"{link[:59]}…"]
        if link and not link.startswith("data:")
        else []
    )
    return ", ".join(said)


def _first(fields: JsonObject, *names: str) -> str:
    found = (fields.get(name) for name in names)
    return next((text for text in found if isinstance(text, str) and text), "")
