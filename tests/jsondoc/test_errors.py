"""What a reader is told about a file that is not JSON."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import DocumentError
from evalcore.jsondoc import JsonDocument
from evalcore.jsondoc.slips import explain
from tests.strategies import documents


def error_of(data: bytes, piece_size: int = 1 << 18) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        JsonDocument.parse(data, piece_size=piece_size)
    return caught.value


# data, line, column, part of the message
SLIPS = {
    "empty": (b"", 1, 1, "The file is empty"),
    "only space": (b"\n  \n", 1, 1, "The file is empty"),
    "only a byte order mark": (b"\xef\xbb\xbf", 1, 1, "The file is empty"),
    "comma before }": (b'{\n  "a": 1,\n}', 2, 9, "a comma with nothing after it"),
    "comma before ]": (b"[1, 2 ,  ]", 1, 7, "a comma with nothing after it"),
    "two commas in a list": (b"[1,,2]", 1, 4, "nothing before this comma"),
    "two commas in an object": (b'{"a":1,,"b":2}', 1, 8, "nothing before this comma"),
    "comma first": (b"[,1]", 1, 2, "nothing before this comma"),
    "comma first in an object": (b'{,"a":1}', 1, 2, "nothing before this comma"),
    "line comment": (b'{\n  // why\n  "a": 1}', 2, 3, "comments"),
    "block comment": (b'{"a": /* why */ 1}', 1, 7, "comments"),
    "comment behind a value": (b'{"a": 1 // why\n}', 1, 9, "comments"),
    "hash comment": (b"# why\n{}", 1, 1, "comments"),
    "comment at the end": (b"{}\n// end", 2, 1, "comments"),
    "single quotes around a name": (b"{'a': 1}", 1, 2, "single quotes"),
    "single quotes around a text": (b"{\"a\": 'x'}", 1, 7, "single quotes"),
    "curly quotes": ('{"a": “x”}'.encode(), 1, 7, "The quote “ is a typographic one"),
    "curly quotes around a name": ("{„a“: 1}".encode(), 1, 2, "The quote „"),
    "no comma between members": (b'{\n  "a": 1\n  "b": 2\n}', 2, 9, "A comma is missing"),
    "no comma between items": (b'["a" "b"]', 1, 5, "A comma is missing"),
    "no comma between objects": (b'[{"a": 1}\n {"b": 1}]', 1, 10, "A comma is missing"),
    "quote inside a text": (b'{"a": "say "hi" now"}', 1, 12, "right behind its closing quote"),
    "no colon": (b'{"a" 1}', 1, 5, 'A colon is missing after the name "a"'),
    "equals sign": (b'{"a" = 1}', 1, 5, "A colon is missing"),
    "name without a value": (b'{"a"}', 1, 5, "A colon is missing"),
    "nothing behind the colon": (b'{"a": }', 1, 5, 'The name "a" has no value'),
    "nothing behind the last colon": (b'{"a": , "b": 1}', 1, 5, 'The name "a" has no value'),
    "colon in a list": (b'["a": 1]', 1, 5, "a colon where a comma"),
    "colon in a list after a space": (b'["a" : 1]', 1, 6, "a colon where a comma"),
    "colon for a value": (b"[:]", 1, 2, "A value is expected here, not :"),
    "value without a name": (b"{[1]}", 1, 2, "A name in double quotes is expected here, not ["),
    "unquoted name": (b"{a: 1}", 1, 2, "The name a needs double quotes"),
    "long unquoted name": (b"{" + b"a" * 99 + b": 1}", 1, 2, "The name " + "a" * 40 + "… needs"),
    "cut off in a list": (b'{"a": [1, 2', 1, 7, "The file ends before this [ is closed"),
    "cut off behind a comma": (b"[1,", 1, 1, "The file ends before this [ is closed"),
    "cut off behind a name": (b'{"a"', 1, 1, "The file ends before this { is closed"),
    "cut off behind a colon": (b'{"a":', 1, 1, "The file ends before this { is closed"),
    "cut off in a text": (b'{"a": "te', 1, 7, "no closing double quote on its line"),
    "cut off in an object": (b'{"a": 1, ', 1, 1, "The file ends before this { is closed"),
    "inner bracket forgotten": (
        b'{\n  "a": {\n    "b": 1\n  ,\n  "c": {\n    "d": 1\n  }\n}\n',
        2,
        8,
        "The file ends before this { is closed",
    ),
    "one line, nothing to tell by": (b'{"a": {"b": 1}', 1, 1, "The file ends before this {"),
    "wrong bracket": (b'{\n"a": [1\n}', 3, 1, "This } stands where the [ of line 2 is still open"),
    "wrong bracket for a name": (b'{"a": 1, ]', 1, 10, "This ] stands where the {"),
    "wrong bracket for a value": (b"[}", 1, 2, "This } stands where the ["),
    "bracket for nothing": (b'{"a": 1}}', 1, 9, "This } closes nothing"),
    "bracket first": (b"]", 1, 1, "This ] closes nothing"),
    "merge conflict": (
        b'{\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> x\n}',
        2,
        1,
        "merge conflict",
    ),
    "JSON Lines": (b'{"a": 1}\n{"a": 2}\n', 2, 1, "Line 2 starts a second document"),
    "two lists": (b"[]\n\n[]", 3, 1, "Line 3 starts a second document"),
    "list without brackets": (b'{"a": 1},\n{"a": 2}', 1, 9, "complete before this comma"),
    "text behind the end": (b"{} oops", 1, 4, "more text follows"),
    "True": (b'{"a": True}', 1, 7, "JSON writes true, not True"),
    "None": (b"[None]", 1, 2, "JSON writes null, not None"),
    "undefined": (b"[undefined]", 1, 2, "JSON writes null, not undefined"),
    "nan": (b"[nan]", 1, 2, "JSON writes NaN, not nan"),
    "zero in front": (b"[007]", 1, 2, "007 is not how JSON writes a number"),
    "plus": (b"[+1]", 1, 2, "+1 is not how"),
    "no digit before the point": (b"[.5]", 1, 2, ".5 is not how"),
    "no digit behind the point": (b"[5.]", 1, 2, "5. is not how"),
    "hexadecimal": (b"[0x1F]", 1, 2, "0x1F is not how"),
    "date": (b"[2026-11-30]", 1, 2, "2026-11-30 is not how"),
    "word": (b"hello", 1, 1, "hello is neither a number nor"),
    "page": (b"<!DOCTYPE html>", 1, 1, "looks like a web page"),
    "less than inside": (b"[<1]", 1, 2, "<1 is neither"),
    "NUL inside": (b"[1, \x00]", 1, 5, "does not belong in a text file"),
    "line break in a text": (b'{"a": "x\ny"}', 1, 7, "no closing double quote on its line"),
    "return in a text": (b'{"a": "x\ry"}', 1, 7, "no closing double quote on its line"),
    "tab in a text": (b'["\t"]', 1, 3, "a raw tab inside a text"),
    "bell in a text": (b'["\x07"]', 1, 3, "control character (code 7)"),
    "backslash": (b'["C:\\data"]', 1, 5, "\\d is not something"),
    "short \\u": (b'["\\u12"]', 1, 3, '\\u12"]'),
    "bad key": (b'{"\\x": 1}', 1, 3, "\\x is not something"),
    "UTF-16 with mark": ("\ufeff{}".encode("utf-16-le"), 1, 1, "saved as UTF-16"),
    "UTF-16 without mark": ('{"a": 1}'.encode("utf-16-be"), 1, 1, "saved as UTF-16"),
    "UTF-32": ('{"a": 1}'.encode("utf-32-le"), 1, 1, "saved as UTF-32"),
    "UTF-32 with mark": ("\ufeff{}".encode("utf-32-be"), 1, 1, "saved as UTF-32"),
    "one character of UTF-16": (b"\x001", 1, 1, "saved as UTF-16"),
    "binary": (b"\x00\x00\x01", 1, 1, "does not belong in a text file"),
    "Latin-1": (b'{"a":\n "caf\xe9"}', 2, 6, "byte 11 (0xE9)"),
    "surrogate in bytes": (b'["\xed\xa0\x80"]', 1, 3, "byte 2 (0xED)"),
    "surrogate in a key": (b'{"\xed\xa0\x80": 1}', 1, 3, "byte 2 (0xED)"),
    "201 lists": (b"[" * 201 + b"]" * 201, 1, 201, "more than 200 levels"),
    "201 objects": (b'{"a":' * 200 + b"[]" + b"}" * 200, 1, 1001, "more than 200 levels"),
    "100000 lists": (b"[" * 100_000, 1, 201, "more than 200 levels"),
    "column counts characters": ('{"é😀": x}'.encode(), 1, 8, "x is neither"),
    "byte order mark has no column": (b"\xef\xbb\xbf[x]", 1, 2, "x is neither"),
    "line ends of any kind": (b"[\r\n1,\r2,\nx]", 4, 1, "x is neither"),
}


@pytest.mark.parametrize("piece_size", [1 << 18, 3])
@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_explained_where_it_is(name, piece_size):
    data, line, column, message = SLIPS[name]
    error = error_of(data, piece_size)
    assert message in error.message
    assert (error.line, error.column) == (line, column)
    assert error.hint.endswith((".", '"text".', "}."))


def test_the_excerpt_is_the_line_around_the_slip():
    error = error_of(b'{\n  "a": 1,\n\t"b": tru,\n}')
    assert error.excerpt == '"b": tru,'


def test_a_long_line_is_cut_around_the_slip():
    error = error_of(b"[" + b"1, " * 100 + b"oops, " + b"2, " * 100 + b"3]")
    assert "oops" in error.excerpt
    assert len(error.excerpt) <= 80


def test_the_excerpt_shows_no_control_characters():
    assert error_of(b"[\x00\x1b[31m").excerpt == "[\ufffd\ufffd[31m"


def test_a_slip_far_inside_a_large_file_is_found_where_it_is():
    lines = [f'  {{"id": {n}, "text": "some text {n}"}}' for n in range(5000)]
    lines[4321] = '  {"id": 4321, "text": some text}'
    error = error_of(("[\n" + ",\n".join(lines) + "\n]\n").encode(), 4096)
    assert (error.line, error.column) == (4323, 24)


def test_a_missing_bracket_at_the_end_of_a_large_file_does_not_blame_the_middle():
    items = ",\n".join(f'    {{"id": {n}}}' for n in range(1000))
    error = error_of(f'{{\n  "cases": [\n{items}\n  ]\n'.encode(), 256)
    assert (error.line, error.column) == (1, 1)


@pytest.mark.parametrize("piece_size", [1, 5, 12, 50, 1 << 18])
@pytest.mark.parametrize("depth", [100, 185, 198, 199])
@pytest.mark.parametrize("inner", [b"[1, 2, 3]", b'{"a": 1}', b'"[[["', b"[ ]"])
def test_200_levels_are_opened_and_not_one_more(inner, depth, piece_size):
    def nested(levels: int) -> bytes:
        return b"[1, 2, " * levels + inner + b", 3, 4]" * levels

    assert JsonDocument.parse(nested(depth), piece_size=piece_size).value
    too_deep = b"[" * (201 - depth) + nested(depth) + b"]" * (201 - depth)
    assert "more than 200 levels" in error_of(too_deep, piece_size).message


@st.composite
def broken_documents(draw: st.DrawFn) -> bytes:
    """A document with a few bytes deleted, doubled or replaced."""
    data = bytearray(draw(documents()))
    random: Random = draw(st.randoms(use_true_random=False))
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(data) + 1)
        new = random.choice(
            [b"", b"", b",", b'"', b"]", b"}", b"{", b"[", b"\\", b"\n", b"x", b"0"]
        )
        data[at : at + random.randint(0, 2)] = new
    return bytes(data)


@settings(max_examples=300, deadline=None)
@given(broken_documents(), st.sampled_from([1, 7, 40, 1 << 18]))
def test_exactly_what_the_standard_library_refuses_is_refused(data, piece_size):
    try:
        expected = json.dumps(json.loads(data.decode().removeprefix("\ufeff")))
    except ValueError:
        error = error_of(data, piece_size)
        assert 1 <= error.line <= len(data.splitlines()) + 1
        assert error.message
        assert error.hint
        assert len(error.excerpt) <= 80
        assert same_place(error, error_of(data))
    else:
        assert json.dumps(JsonDocument.parse(data, piece_size=piece_size).value) == expected


def same_place(left: DocumentError, right: DocumentError) -> bool:
    return (left.message, left.line, left.column) == (right.message, right.line, right.column)


def test_what_is_well_formed_has_no_slip_to_explain():
    with pytest.raises(AssertionError, match="well-formed"):
        explain(b" []", 1, "value", [])
