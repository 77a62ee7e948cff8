"""What a message says, as 10xGraph reads it."""

from __future__ import annotations

from evalcore.jsontree import JsonArray, JsonValue, Missing


def blocks_of(message: JsonValue | Missing) -> JsonArray:
    """Return the blocks of a message's content, [] where it is plain text."""
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def is_text_block(block: JsonValue) -> bool:
    """Return whether a block is taken into the text of its message."""
    return isinstance(block, dict) and ("text" in block or block.get("type") == "text")


def block_text(block: JsonValue) -> str:
    """Return the text that a block adds, "" where its text is none (which crashes a run)."""
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def text_of(message: JsonValue | Missing) -> str:
    """Return the text of a message, or of bare content: its text blocks joined by one space."""
    content = message.get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else ()
    return " ".join(block_text(block) for block in blocks if is_text_block(block))


def other_blocks(message: JsonValue | Missing) -> list[str]:
    """Return the kinds of the blocks that are no text, such as ``image``."""
    others = [b for b in blocks_of(message) if isinstance(b, dict) and not is_text_block(b)]
    return [str(b.get("type") or "block") for b in others]
