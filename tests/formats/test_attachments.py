"""What lies beside a text is told as what it is."""

import pytest

from evalcore import formats
from evalcore.formats.attachments import attachment, size_words
from tests.formats.turns import TURNS


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_200, "1.2 KB"), (12_000, "12 KB"), (5e6, "5.0 MB")],
)
def test_a_size_is_said_in_the_unit_that_fits(count, words):
    assert size_words(int(count)) == words


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("data", {"mime_type": "image/png", "data": "A" * 16_000}, "image/png, 12 KB"),
        ("data", {"mimeType": "image/png", "displayName": "a.png"}, "image/png, “a.png”"),
        ("file", {"file_uri": "gs://b/notes.pdf"}, "file, gs://b/notes.pdf"),
        ("image", {"url": "data:image/png;base64,AAAA"}, "image"),
        ("video metadata", None, "video metadata"),
        ("image", "aGk=", "image"),
    ],
)
def test_an_attachment_says_its_type_name_and_size(kind, value, words):
    assert attachment(kind, value) == words


def beside(name: str, field: str) -> tuple[str, ...]:
    format_id, turn = TURNS[name]
    lens = formats.by_id(format_id).eval_sets.field("invocation", field).lens
    return lens.beside(turn)


def test_parts_of_a_message_that_are_no_text_are_told():
    assert beside("adk camel", "input") == ("image/png, 120 bytes",)
    assert beside("tenxgraph blocks", "input") == ("image/png, 5 bytes",)
    assert beside("adk recorded", "input") == ()
    assert beside("tenxgraph odd", "input") == ()


def test_calls_and_answers_inside_a_message_are_told_by_their_name():
    part = {"function_call": {"name": "find"}}
    answer = {"functionResponse": {"name": "find"}}
    turn = {"user_content": {"parts": [part, answer, {"thought": True, "text": "hm"}]}}
    lens = formats.by_id("adk").eval_sets.field("invocation", "input").lens
    assert lens.beside(turn) == ("call of “find”", "answer of “find”")
