"""Where the judge is and how it is asked, from the environment or Streamlit's secrets.

Each setting is a variable of the environment or, without its prefix and in small letters, a member
of the section ``[judge]`` of the secrets:

- ``EVALDESK_JUDGE_BASE_URL``: the endpoint; else ``OPENAI_BASE_URL``, else OpenAI's own.
- ``EVALDESK_JUDGE_API_KEY``: the key that this endpoint takes; else ``OPENAI_API_KEY``, but never
  for an endpoint that ``EVALDESK_JUDGE_BASE_URL`` names: that key was not given for it.
- ``EVALDESK_JUDGE_MODEL``: the model that judges, whatever each check names.
- ``EVALDESK_JUDGE_TIMEOUT``: seconds for one try (60).
- ``EVALDESK_JUDGE_DEADLINE``: seconds for an answer with all its tries and waits (300).
- ``EVALDESK_JUDGE_CONCURRENCY``: questions at once (8).
- ``EVALDESK_JUDGE_TRIES``: tries for each question (5).
- ``EVALDESK_JUDGE_CACHE``: ``on``, ``refresh``, ``off``, or the path of the file (on, in the user's
  cache folder).
- ``EVALDESK_JUDGE_PRICES``: JSON, or the path of a JSON file (none).

These are never read from a file of the workspace and never written to one.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from evalcore.judges.port import Failure, JudgeError
from evalcore.judges.prices import Prices, read_prices

PREFIX: Final = "EVALDESK_JUDGE_"
SECTION: Final = "judge"
OPENAI: Final = "https://api.openai.com/v1"
NO_KEY: Final = "none"
"""What is sent as the key to an endpoint for which none is configured: local ones take anything."""


class CacheUse(StrEnum):
    """What is done with answers that were given before."""

    ON = "on"
    REFRESH = "refresh"
    """Ask again, and keep the new answer."""
    OFF = "off"


@dataclass(frozen=True)
class JudgeSettings:
    """How the judge is reached. Its representation shows neither the key nor the whole address.

    ``timeout`` bounds one try and ``deadline`` a question with all its tries and waits, in seconds.
    ``model`` replaces the model that each check names, where it is not "".
    """

    base_url: str = field(default=OPENAI, repr=False)
    api_key: str = field(default="", repr=False)
    model: str = ""
    timeout: float = 60.0
    deadline: float = 300.0
    concurrency: int = 8
    tries: int = 5
    cache: CacheUse = CacheUse.ON
    cache_path: Path | None = None
    prices: Prices = field(default_factory=Prices)

    @property
    def endpoint(self) -> str:
        """The address without credentials and query: what may be shown and kept."""
        parts = urlsplit(self.base_url)
        place = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{place}{parts.path.rstrip('/')}"

    @property
    def is_configured(self) -> bool:
        """Whether there is anything to ask: OpenAI's own endpoint needs a key, others may not."""
        return bool(self.api_key) or self.endpoint != OPENAI

    def hide(self, text: str) -> str:
        """Return a text with the key, should a server have repeated it, replaced."""
        return text.replace(self.api_key, "…") if self.api_key else text

    def __str__(self) -> str:
        return f"the judge at {self.endpoint}"


def read_settings(*sources: Mapping[str, Any]) -> JudgeSettings:
    """Return the settings from mappings, of which the first that has a value decides it.

    Without any, the environment is read. A mapping may use the names of the variables or have a
    section ``judge``, as a secrets file does. Raises JudgeError for a value that cannot be used;
    its message never shows the value of a key.
    """
    found = _Reader(sources or (os.environ,))
    cache, cache_path = _cache(found.text("cache"))
    own_url = found.text("base_url")
    base_url = own_url or found.plain("OPENAI_BASE_URL") or OPENAI
    if not _is_address(base_url):
        raise _unusable(f"{PREFIX}BASE_URL is no address", "Write it as https://host/v1.")
    shared_key = "" if own_url else found.plain("OPENAI_API_KEY")
    api_key = found.text("api_key") or shared_key
    if not (api_key.isascii() and api_key.isprintable()):
        raise _unusable("The judge's key holds characters that no key has", "Copy it once more.")
    return JudgeSettings(
        base_url=base_url,
        api_key=api_key,
        model=found.text("model"),
        timeout=found.seconds("timeout", JudgeSettings.timeout),
        deadline=found.seconds("deadline", JudgeSettings.deadline),
        concurrency=found.count("concurrency", JudgeSettings.concurrency),
        tries=found.count("tries", JudgeSettings.tries),
        cache=cache,
        cache_path=cache_path,
        prices=read_prices(found.raw("prices")),
    )


class _Reader:
    """Values by name from several mappings."""

    def __init__(self, sources: tuple[Mapping[str, Any], ...]) -> None:
        self.sources = sources

    def raw(self, name: str) -> Any:
        """Return the first value that is not empty, "" if there is none."""
        for source in self.sources:
            section = source.get(SECTION)
            inner = section.get(name) if isinstance(section, Mapping) else None
            for value in (source.get(PREFIX + name.upper()), inner):
                if value not in (None, ""):
                    return value
        return ""

    def text(self, name: str) -> str:
        return str(self.raw(name)).strip()

    def plain(self, variable: str) -> str:
        return next((str(s[variable]).strip() for s in self.sources if s.get(variable)), "")

    def seconds(self, name: str, default: float) -> float:
        value = self._number(name, default)
        if not (math.isfinite(value) and value > 0):
            raise _unusable(f"{PREFIX}{name.upper()} is {value:g}", "Write seconds above 0.")
        return value

    def count(self, name: str, default: int) -> int:
        value = self._number(name, default)
        if value != value // 1 or value < 1:
            raise _unusable(f"{PREFIX}{name.upper()} is {value:g}", "Write a whole number from 1.")
        return int(value)

    def _number(self, name: str, default: float) -> float:
        written = self.text(name)
        if not written:
            return default
        try:
            return float(written)
        except ValueError as error:
            raise _unusable(
                f"{PREFIX}{name.upper()} is no number: {written!r}", "Write a number such as 30."
            ) from error


def default_cache_path() -> Path:
    """Return where answers are kept: in the user's cache folder, outside every workspace."""
    root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(root) if root else Path.home() / ".cache") / "evaldesk" / "judge.sqlite3"


def _is_address(written: str) -> bool:
    try:
        parts = urlsplit(written)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _cache(written: str) -> tuple[CacheUse, Path | None]:
    if written.lower() in ("", *CacheUse):
        use = CacheUse(written.lower() or "on")
        return use, None if use is CacheUse.OFF else default_cache_path()
    return CacheUse.ON, Path(written).expanduser()


def _unusable(message: str, hint: str) -> JudgeError:
    return JudgeError(message, hint=hint, failure=Failure.UNCONFIGURED)
