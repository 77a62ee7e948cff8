"""The only way in which text out of files reaches the page.

Streamlit renders Markdown in labels, messages and many other places, and fetches the images it
finds there. File text is shown as plain text, as code, as grid cells, or as escaped HTML built
here; where it must stand in a label, ``label`` takes the meaning out of it.
"""

from __future__ import annotations

import html
import logging
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.values import printable

LOG = logging.getLogger("evaldesk")
_JOINER = "\u2060"
# Quotes and round brackets mean nothing once square ones are escaped, and screen readers would read
# out their backslashes: Streamlit uses a label as it is written for the name of a field.
_SPECIAL = re.compile(r"([\\`*_{}\[\]#+\-.!|~<>$&^=])")
_NUMBERED = re.compile(r"^(\d+)\)")
# Links, icons and emoji are found again in the finished text: an invisible joiner breaks them up.
_FOUND_LATER = re.compile(r"(:)(?=\S)|(www)(?=\.)|(@)(?=\S)|(-)(?=[->])|(<)(?=-)", re.IGNORECASE)


class Markup(str):
    """HTML in which everything foreign has been escaped; made by ``el`` and ``join`` alone."""

    __slots__ = ()


def label(text: object, limit: int = 200) -> str:
    """Return any text as one line of Markdown that shows just that text.

    Nothing in it can become a link, an image, an icon or formatting; at most ``limit`` characters.
    """
    line = " ".join(printable(str(text)).split())
    if len(line) > limit:
        line = line[: limit - 1] + "…"
    broken = _FOUND_LATER.sub(lambda m: m.group(0) + _JOINER, line)
    return _NUMBERED.sub(r"\1\\)", _SPECIAL.sub(r"\\\1", broken))


def small(text: object) -> str:
    """Return any text as Markdown in the size that labels have."""
    return f":small[{label(text)}]"


def el(tag: str, *children: str | Markup, css: str = "", title: str = "") -> Markup:
    """Return an element; children that are no ``Markup`` are escaped. ``css`` names classes."""
    attributes = "".join(
        f' {name}="{html.escape(printable(value))}"'
        for name, value in (("class", css), ("title", title))
        if value
    )
    return Markup(f"<{tag}{attributes}>{join(*children)}</{tag}>")


def join(*children: str | Markup) -> Markup:
    """Return pieces one after the other, escaping those that are no ``Markup``."""
    return Markup(
        "".join(c if isinstance(c, Markup) else html.escape(printable(c)) for c in children)
    )


def show(markup: Markup, width: Literal["stretch", "content"] = "stretch") -> None:
    """Draw escaped HTML."""
    if not isinstance(markup, Markup):
        raise TypeError("only Markup is drawn as HTML")
    st.html(markup, width=width)


def text(value: str) -> None:
    """Draw plain text, line breaks kept."""
    st.text(printable(value))


def code(value: str, language: str | None = None) -> None:
    """Draw text in a fixed-width font."""
    st.code(printable(value), language=language, wrap_lines=True)


def report(error: EvaldeskError) -> None:
    """Draw an expected error: what is wrong and what to do."""
    st.error(_with_hint(error.message, error.hint), icon=":material/error:")


def report_unexpected(error: Exception) -> None:
    """Log an unforeseen error in full and draw one calm sentence about it."""
    LOG.error("unexpected error on a page\n%s", "".join(traceback.format_exception(error)))
    st.error(
        "Something went wrong in Evaldesk itself; your edits are kept. Reload the page; "
        "if it happens again, the server's log says what it was.",
        icon=":material/error:",
    )


@contextmanager
def boundary() -> Iterator[None]:
    """Turn errors raised while drawing into a message, so that the rest of the page stays."""
    try:
        yield
    except EvaldeskError as error:
        report(error)
    except Exception as error:
        report_unexpected(error)


def _with_hint(message: str, hint: str) -> str:
    return f"{label(message, 1000)}\n\n{label(hint, 1000)}" if hint else label(message, 1000)
