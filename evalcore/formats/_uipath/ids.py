"""Ids and times as UiPath writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_GUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_guid(text: str) -> bool:
    """Return whether a text has the shape of a GUID."""
    return _GUID.fullmatch(text) is not None


def fold_guid(text: str) -> str:
    """Return an id as UiPath compares it: GUIDs in lower case, anything else as it stands."""
    return text.lower() if is_guid(text) else text


def timestamp(now: datetime) -> str:
    """Return a time with milliseconds and Z; a time without a zone is taken for UTC."""
    from datetime import UTC

    moment = now.astimezone(UTC) if now.tzinfo else now.replace(tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
