"""Nothing in a file can become markup, wherever it is shown."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.errors import EvaldeskError
from pages._ui import safe

PAGES = Path(__file__).resolve().parents[2] / "pages"
SOURCES = sorted(p for p in PAGES.rglob("*.py") if p.relative_to(PAGES) != Path("_ui/safe.py"))

MARKDOWN = {
    "badge", "button", "caption", "checkbox", "chat_message", "code_editor", "color_picker",
    "data_editor", "date_input", "dialog", "download_button", "error", "exception", "expander",
    "feedback", "file_uploader", "form_submit_button", "header", "info", "link_button", "markdown",
    "menu_button", "metric", "multiselect", "number_input", "page_link", "pills", "popover",
    "progress", "radio", "segmented_control", "select_slider", "selectbox", "slider", "spinner",
    "status", "subheader", "success", "text_area", "text_input", "time_input", "title", "toast",
    "toggle", "warning",
}  # fmt: skip
OPTIONS_ARE_MARKDOWN = {"menu_button", "pills", "radio", "segmented_control"}
NEVER = {"write", "table", "latex", "iframe", "json_editor"}
MAKES_SAFE = {"label", "small"}
OWN_WORDS = {"plural", "problem_words"}
"""Functions that put numbers into fixed words, without any text from a file."""
ALSO_NAMES_OF_OTHER_THINGS = {"title", "header", "error", "code", "metric"}


def streamlit_calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if not (isinstance(owner, ast.Name) and owner.id in ("bind", "safe", "state")):
                yield node.func.attr, node


def is_safe(node: ast.expr) -> bool:
    """Return whether an expression is fixed text, or foreign text with its meaning taken out."""
    match node:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="safe"), attr=name)):
            return name in MAKES_SAFE
        case ast.Call(func=ast.Name(id=name)):
            return name in OWN_WORDS
        case ast.BoolOp(values=parts):
            return all(map(is_safe, parts))
        case ast.IfExp(body=body, orelse=other):
            return is_safe(body) and is_safe(other)
        case ast.BinOp(left=left, right=right):
            return is_safe(left) and is_safe(right)
        case ast.JoinedStr(values=parts):
            return all(
                isinstance(p, ast.Constant)
                or (isinstance(p, ast.FormattedValue) and is_safe(p.value))
                for p in parts
            )
        case ast.Name(id=name):
            return name.isupper()
        case ast.Subscript(value=ast.Name(id=name)):
            return name.isupper()
        case _:
            return False


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def is_style(call: ast.Call) -> bool:
    """Return whether a call of st.html brings a style sheet of ours."""
    text = ast.unparse(call.args[0]) if call.args else ""
    return text.rstrip("'\"").endswith(("style.css", "</style>"))


def faults(source: Path) -> list[str]:
    tree = ast.parse(source.read_text("utf-8"))
    found = []
    for name, call in streamlit_calls(tree):
        where = f"{source.relative_to(PAGES)}:{call.lineno}: {name}"
        found += [
            f"{where}: unsafe_*" for k in call.keywords if (k.arg or "").startswith("unsafe_")
        ]
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if name in NEVER and isinstance(receiver, ast.Name) and receiver.id == "st":
            found.append(f"{where}: is never used here")
        if name == "html" and not is_style(call):
            found.append(f"{where}: HTML is drawn by safe.show")
        on_streamlit = isinstance(receiver, ast.Name) and receiver.id == "st"
        if name not in MARKDOWN or (name in ALSO_NAMES_OF_OTHER_THINGS and not on_streamlit):
            continue
        label = call.args[0] if call.args else keyword(call, "label") or keyword(call, "body")
        if label is not None and not is_safe(label):
            found.append(f"{where}: its text is neither fixed nor made safe")
        help_text = keyword(call, "help")
        if help_text is not None and not is_safe(help_text):
            found.append(f"{where}: its help is neither fixed nor made safe")
        if name in OPTIONS_ARE_MARKDOWN:
            shown = keyword(call, "format_func")
            if shown is None or "label" not in ast.unparse(shown):
                found.append(f"{where}: its options are Markdown and need safe.label")
    return found


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(PAGES)))
def test_text_reaches_the_page_only_where_it_is_safe(source):
    assert faults(source) == []


@pytest.mark.parametrize(
    "bad",
    [
        "st.button(name)",
        'st.button(f"Open {name}")',
        "st.markdown(text)",
        'st.markdown("fixed", unsafe_allow_html=True)',
        "st.html(text)",
        "st.write(text)",
        "box.expander(title)",
        'st.text_input("Name", help=text)',
        'st.radio("Pick", names)',
        "st.error(error.message)",
    ],
)
def test_the_rule_finds_every_way_around_it(bad, tmp_path, monkeypatch):
    source = tmp_path / "page.py"
    source.write_text(f"import streamlit as st\n{bad}\n")
    monkeypatch.setattr("tests.pages.test_safe.PAGES", tmp_path)
    assert len(faults(source)) == 1


HOSTILE = [
    "![x](http://evil/x.png)",
    "[link](http://evil)",
    "<img src=http://evil/x.png>",
    "**bold** _it_ `code` ~~no~~",
    "# heading",
    "- list",
    "1. list",
    "> quote",
    ":material/home: :red[x] :smile:",
    "$x^2$",
    "a | b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_every_character_with_a_meaning_is_escaped(text):
    bare = re.sub(r"\\[^a-zA-Z0-9\s]", "", safe.label(text))
    assert not set(bare) & set("!#$*<>[]_`{|}~\\")


@pytest.mark.parametrize("text", ["https://evil.example", "www.evil.example", "a@evil.example"])
def test_a_bare_address_is_broken_up_invisibly(text):
    assert text not in safe.label(text).replace("\\", "")
    assert safe.label(text).replace("\\", "").replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["Created (seconds since 1970)", "The check's own defaults"])
def test_a_name_of_a_field_is_read_aloud_as_it_is(text):
    assert safe.label(text) == text


def test_a_number_with_a_bracket_begins_no_list():
    assert safe.label("1) first") == "1\\) first"


def test_a_label_is_one_line_of_bounded_length():
    assert safe.label("a\n\n# b") == "a \\# b"
    assert len(safe.label("x" * 500, 50)) == 50


def test_half_an_emoji_does_not_stop_the_page():
    for shown in (safe.label("\ud83d"), safe.el("b", "\ud83d")):
        shown.encode("utf-8")


def test_elements_escape_their_text_and_attributes():
    made = safe.el("b", "<img src=x>", css='a"b', title="<'\">")
    assert made == ('<b class="a&quot;b" title="&lt;&#x27;&quot;&gt;">&lt;img src=x&gt;</b>')


def test_elements_nest_without_being_escaped_twice():
    assert safe.el("p", safe.el("b", "&"), "&") == "<p><b>&amp;</b>&amp;</p>"


def test_text_that_nobody_escaped_is_not_drawn_as_html():
    with pytest.raises(TypeError):
        safe.show("<b>")  # type: ignore[arg-type]


def test_an_expected_error_is_told_and_the_page_goes_on():
    with safe.boundary():
        raise EvaldeskError("No such file", hint="Look again.")


def test_an_unexpected_error_is_logged_and_not_shown(caplog):
    with safe.boundary():
        raise RuntimeError("secret detail")
    assert "secret detail" in caplog.text
