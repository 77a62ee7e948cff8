"""Keys, tokens and card numbers in the texts of a file, and as a note, addresses of people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from evalcore.errors import Problem
from evalcore.formats.memo import remembered
from evalcore.jsontree import MISSING, JsonValue, get, join

_KINDS: Final[dict[str, str]] = {
    "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})",
    "a Google API key": r"\bAIza[0-9A-Za-z_-]{35}",
    "a Slack token": r"\bxox[abeprs]-[0-9A-Za-z-]{16,}",
    "a Stripe key": r"\b[rs]k_live_[0-9A-Za-z]{16,}",
    "an API key": r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{24,}",
    "a signed token (JWT)": r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    "a bearer token": r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{24,}",
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "a password in an address": r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/:@]{4,}@[\w.-]+",
}
_SECRET: Final = re.compile("|".join(f"({pattern})" for pattern in _KINDS.values()))
_CARD: Final = re.compile(r"(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])")
_EMAIL: Final = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)
_MAYBE: Final = re.compile(
    r"AKIA|ASIA|gh[pousr]_|github_pat|AIza|xox|_live_|sk-|eyJ|[Bb]earer|PRIVATE|@|\d[\d -]{11}"
)
"""What every text with any of these holds; most texts do not, and are not looked at closely."""
_MADE_UP: Final = re.compile(r"example|your|placeholder|dummy|fake|x{4}|\*{3}|\.{3}", re.IGNORECASE)
_RESERVED: Final = re.compile(
    r"@(?:[\w-]+\.)*(?:example(?:\.\w+)?|[\w-]+\.(?:test|invalid|example|local|localhost))$",
    re.IGNORECASE,
)
_BRANDS: Final = re.compile(
    r"4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12}|35\d{14}"
)
_TEST_CARDS: Final = frozenset(
    (
        *("4111111111111111", "4242424242424242", "4000056655665556", "4012888888881881"),
        *("5555555555554444", "5105105105105100", "2223003122003222", "378282246310005"),
        *("371449635398431", "6011111111111117", "6011000990139424", "3530111333300000"),
    )
)
"""What payment providers publish for tests."""


def secrets_in(value: JsonValue, cases: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each text that holds something secret; ``cases`` are their pointers."""
    for pointer in cases:
        raw = get(value, pointer)
        if raw is not MISSING:
            yield from remembered(raw, ("secrets", pointer), partial(_within, raw, pointer))
    yield from _within(value, "", frozenset(cases))


def _within(
    value: JsonValue, pointer: str, apart: frozenset[str] = frozenset()
) -> Iterator[Problem]:
    if isinstance(value, str):
        if _MAYBE.search(value):
            yield from _of_text(value, pointer)
    elif isinstance(value, (dict, list)) and pointer not in apart:
        for token, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, (str, dict, list)):
                yield from _within(item, join(pointer, token), apart)


def _of_text(text: str, pointer: str) -> Iterator[Problem]:
    for kind, found in _found_secrets(text):
        yield Problem(
            "warning",
            "text.secret",
            f"This text holds what looks like {kind} ({found[:4]}…): everybody who can read the "
            "file can use it.",
            "Take it out and have it replaced; put a made-up one in its place.",
            pointer,
        )
    if any(map(_is_card, _CARD.findall(text))):
        yield Problem(
            "warning",
            "text.card_number",
            "This text holds what looks like the number of a payment card.",
            "Use a number that payment providers publish for tests, such as 4111 1111 1111 1111.",
            pointer,
        )
    # What stands before the @ of an address with a password is no person.
    addresses = _EMAIL.findall(_SECRET.sub(" ", text)) if "@" in text else ()
    if any(not _RESERVED.search(found) for found in addresses):
        yield Problem(
            "info",
            "text.email_address",
            "This text holds an e-mail address.",
            "If it is a real person's, use one that ends in @example.com.",
            pointer,
        )


def _found_secrets(text: str) -> Iterator[tuple[str, str]]:
    """Yield each kind of secret in a text once, with the first of it."""
    kinds, seen = list(_KINDS), set()
    for match in _SECRET.finditer(text):
        kind = kinds[(match.lastindex or 1) - 1]
        found = match.group()
        is_random = kind == "a private key" or len(set(found)) >= 10
        if kind not in seen and is_random and not _MADE_UP.search(found):
            seen.add(kind)
            yield kind, found


def _is_card(found: str) -> bool:
    digits = found.replace(" ", "").replace("-", "")
    if not _BRANDS.fullmatch(digits) or digits in _TEST_CARDS or len(set(digits)) < 4:
        return False
    doubled = (int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits)))
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0
