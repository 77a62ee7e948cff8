"""The bytes that edits leave, one promise a test."""

import copy
import json

import pytest

from evalcore.errors import EvaldeskError
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, insert, move, put, same
from tests.strategies import renamed


def edited(data: bytes, edit, **options) -> bytes:
    """The bytes after an edit, checked to parse to the edited value."""
    document = JsonDocument.parse(data)
    new = edit(document.value)
    rendered = document.render(new, **options)
    assert same(JsonDocument.parse(rendered).value, new)
    return rendered


def setting(pointer, value):
    return lambda tree: put(tree, pointer, value)


def removing(pointer):
    return setting(pointer, MISSING)


def inserting(pointer, value):
    return lambda tree: insert(tree, pointer, value)


def moving(pointer, source, target):
    return lambda tree: move(tree, pointer, source, target)


# data, edit, expected
TOUCHES_ONLY = {
    "number spelling": (
        b'{"a": 1.10, "b": 1e5, "c": -0, "d": 1E+2, "e": 2}',
        setting("/e", 3),
        b'{"a": 1.10, "b": 1e5, "c": -0, "d": 1E+2, "e": 3}',
    ),
    "escapes elsewhere": (
        b'["\\u00e9 \\/ \\u0041", "x"]',
        setting("/1", "y"),
        b'["\\u00e9 \\/ \\u0041", "y"]',
    ),
    "escapes in the edited text itself": (
        b'["a\\/b \\u00e9 old \\u00e9 \\/"]',
        setting("/0", "a/b é new é /"),
        b'["a\\/b \\u00e9 new \\u00e9 \\/"]',
    ),
    "irregular spaces": (b'{ "a" :1 ,\t"b":\n2}', setting("/b", 3), b'{ "a" :1 ,\t"b":\n3}'),
    "CRLF": (b'{\r\n  "a": 1\r\n}\r\n', setting("/a", 2), b'{\r\n  "a": 2\r\n}\r\n'),
    "byte order mark": (b"\xef\xbb\xbf[1]", setting("/0", 2), b"\xef\xbb\xbf[2]"),
    "no final newline": (b"[1]", setting("/0", 2), b"[2]"),
    "several final newlines": (b"[1]\n\n", setting("/0", 2), b"[2]\n\n"),
    "1 is not 1.0": (b"[1]", setting("/0", 1.0), b"[1.0]"),
    "1 is not true": (b"[1]", setting("/0", True), b"[true]"),
    "0.0 is not -0.0": (b"[0.0]", setting("/0", -0.0), b"[-0.0]"),
    "null is not false": (b"[null]", setting("/0", False), b"[false]"),
    "root type": (b' {"a": 1}\n', setting("", [1, "x"]), b' [1, "x"]\n'),
    "root scalar": (b"1\n", setting("", "x"), b'"x"\n'),
    "last repeated key": (
        b'{"a": 1, "b": 2, "a": 3}',
        setting("/a", 4),
        b'{"a": 1, "b": 2, "a": 4}',
    ),
    "removing a repeated key": (
        b'{"a": 1, "b": 2, "a": 3}',
        removing("/a"),
        b'{"b": 2}',
    ),
    "renaming a repeated key": (
        b'{"a": 1, "b": 2, "a": 3}',
        lambda tree: renamed(tree, "", "a", "c"),
        b'{"c": 1, "b": 2, "c": 3}',
    ),
    "adding beside a repeated key": (
        b'{"a": 1, "b": 2, "a": 3}',
        setting("/c", 4),
        b'{"a": 1, "b": 2, "a": 3, "c": 4}',
    ),
}

PLACES = {
    "member in a multi-line object": (
        b'{\n    "a": 1\n}',
        setting("/b", {"c": [1], "d": {}}),
        b'{\n    "a": 1,\n    "b": {\n        "c": [\n            1\n        ],\n'
        b'        "d": {}\n    }\n}',
    ),
    "member with tabs and CRLF": (
        b'{\r\n\t"a": 1\r\n}',
        setting("/b", [1]),
        b'{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t1\r\n\t]\r\n}',
    ),
    "member in a one-line object": (
        b'{"a": {"b": 1}}',
        setting("/a/c", {"d": [1, 2]}),
        b'{"a": {"b": 1, "c": {"d": [1, 2]}}}',
    ),
    "member in a one-line object of an indented file": (
        b'{\n  "a": {"b": 1}\n}',
        setting("/a/c", {"d": [1, 2]}),
        b'{\n  "a": {"b": 1, "c": {"d": [1, 2]}}\n}',
    ),
    "compact file": (
        b'{"a":{"b":1}}',
        setting("/a/c", {"d": [1, 2]}),
        b'{"a":{"b":1,"c":{"d":[1,2]}}}',
    ),
    "spaced colons": (b'{"a" : 1}', setting("/b", 2), b'{"a" : 1, "b" : 2}'),
    "comma first": (
        b'{ "a": 1\n, "b": 2\n}',
        setting("/c", 3),
        b'{ "a": 1\n, "b": 2\n, "c": 3\n}',
    ),
    "blank line between members is kept and copied": (
        b'{\n  "a": 1,\n\n  "b": 2\n}',
        setting("/c", 3),
        b'{\n  "a": 1,\n\n  "b": 2,\n\n  "c": 3\n}',
    ),
    "first member of an empty object": (
        b'{\n  "a": {}\n}',
        setting("/a/b", 1),
        b'{\n  "a": {\n    "b": 1\n  }\n}',
    ),
    "first member of an empty object on one line": (
        b'{"a": { }}',
        setting("/a/b", 1),
        b'{"a": {"b": 1}}',
    ),
    "first member of an empty file": (
        b"{}\n",
        setting("/a", {"b": 1}),
        b'{\n  "a": {\n    "b": 1\n  }\n}\n',
    ),
    "first item of an empty list": (
        b'{\n\t"a": []\n}',
        inserting("/a/0", "x"),
        b'{\n\t"a": [\n\t\t"x"\n\t]\n}',
    ),
    "item at the front": (b"[\n  1,\n  2\n]", inserting("/0", 0), b"[\n  0,\n  1,\n  2\n]"),
    "item at the front of a list of one": (b"[\n  1\n]", inserting("/0", 0), b"[\n  0,\n  1\n]"),
    "item in the middle": (b"[1, 2]", inserting("/1", 9), b"[1, 9, 2]"),
    "item at the end": (b"[ 1 ]", inserting("/1", 9), b"[ 1, 9 ]"),
    "item of a compact list": (b"[1]", inserting("/1", 9), b"[1, 9]"),
    "item in a list of one-line objects": (
        b'[\n  {"id": 1},\n  {"id": 2}\n]',
        inserting("/2", {"id": 3, "x": [1]}),
        b'[\n  {"id": 1},\n  {"id": 2},\n  {"id": 3, "x": [1]}\n]',
    ),
    "item in a hugging list": (
        b'[{\n  "id": 1\n}, {\n  "id": 2\n}]',
        inserting("/2", {"id": 3}),
        b'[{\n  "id": 1\n}, {\n  "id": 2\n}, {\n  "id": 3\n}]',
    ),
    "item in a wrapped list of numbers": (
        b"[\n  1, 2,\n  3, 4\n]",
        inserting("/4", 5),
        b"[\n  1, 2,\n  3, 4, 5\n]",
    ),
    "scalar becomes an object": (
        b'{\n  "a": 1\n}',
        setting("/a", {"b": 2}),
        b'{\n  "a": {\n    "b": 2\n  }\n}',
    ),
    "one-line list becomes an object": (
        b'{\n  "a": [1, 2]\n}',
        setting("/a", {"b": 2}),
        b'{\n  "a": {"b": 2}\n}',
    ),
    "removed first": (b"[\n  1,\n  2\n]", removing("/0"), b"[\n  2\n]"),
    "removed middle": (b"[1, 2, 3]", removing("/1"), b"[1, 3]"),
    "removed last": (b"[\n  1,\n  2\n]", removing("/1"), b"[\n  1\n]"),
    "removed only": (b'{\n  "a": [\n    1\n  ]\n}', removing("/a/0"), b'{\n  "a": []\n}'),
    "removed first member": (b'{ "a": 1, "b": 2 }', removing("/a"), b'{ "b": 2 }'),
    "emptied object": (b'{\n  "a": 1\n}\n', setting("", {}), b"{}\n"),
    "zero indent": (b'{\n"a": 1\n}', setting("/b", [1]), b'{\n"a": 1,\n"b": [\n1\n]\n}'),
    "lone carriage returns": (
        b'{\r "a": 1\r}',
        setting("/b", [1]),
        b'{\r "a": 1,\r "b": [\r  1\r ]\r}',
    ),
}

MOVES = {
    "move keeps the text": (
        b'[\n  {"id": "a", "v": 1.10},\n  {"id":"b" , "v": 1e2}\n]',
        moving("", 1, 0),
        b'[\n  {"id":"b" , "v": 1e2},\n  {"id": "a", "v": 1.10}\n]',
    ),
    "move and edit at once": (
        b'[{"id": "a", "v": 1.10, "w": 1}, {"id": "b"}, {"id": "c"}]',
        lambda tree: [tree[1], tree[2], {**tree[0], "w": 2}],
        b'[{"id": "b"}, {"id": "c"}, {"id": "a", "v": 1.10, "w": 2}]',
    ),
    "copy keeps the text": (
        b'[\n  {"id": "a", "v": [1.10, 1e2], "text": "some"}\n]',
        lambda tree: [tree[0], {**tree[0], "id": "b"}],
        b'[\n  {"id": "a", "v": [1.10, 1e2], "text": "some"},\n'
        b'  {"id": "b", "v": [1.10, 1e2], "text": "some"}\n]',
    ),
    "copy of a multi-line item": (
        b'[\n  {\n    "id": "a",\n    "v": [ 1.10 ]\n  }\n]',
        lambda tree: [tree[0], {**tree[0], "id": "b"}],
        b'[\n  {\n    "id": "a",\n    "v": [ 1.10 ]\n  },\n'
        b'  {\n    "id": "b",\n    "v": [ 1.10 ]\n  }\n]',
    ),
    "the same item twice": (
        b"[[1.10], [2]]",
        lambda tree: [tree[0], tree[0], tree[1]],
        b"[[1.10], [1.10], [2]]",
    ),
    "members in another order": (
        b'{"a": 1.10, "b": 1e2, "c": 3.0}',
        lambda tree: {key: tree[key] for key in "cab"},
        b'{"c": 3.0, "a": 1.10, "b": 1e2}',
    ),
    "repeated member moves as a whole": (
        b'{"a": 1, "b": 2, "a": 3.0, "c": 4}',
        lambda tree: {key: tree[key] for key in "bca"},
        b'{"b": 2, "c": 4, "a": 1, "a": 3.0}',
    ),
    "moved and renamed member": (
        b'{"a": 1.10, "b": 2, "c": 3}',
        lambda tree: {"b": 2, "c": 3, "x": 1.1},
        b'{"b": 2, "c": 3, "x": 1.1}',
    ),
    "renamed member": (
        b'{\n  "a" : [1.10],\n  "b": 2\n}',
        lambda tree: renamed(tree, "", "a", "x"),
        b'{\n  "x" : [1.10],\n  "b": 2\n}',
    ),
    "renamed and edited member": (
        b'{"a": [1.10, 2], "b": 2}',
        lambda tree: {"x": [1.1, 3], "b": 2},
        b'{"x": [1.10, 3], "b": 2}',
    ),
    "renamed member with a new neighbour": (
        b'{"b": 2, "a": [1.10]}',
        lambda tree: {"b": 2, "y": 0, "x": [1.1]},
        b'{"b": 2, "y": 0, "x": [1.10]}',
    ),
    "member added between others": (
        b'{"a": 1.0, "b": 2.0}',
        lambda tree: {"a": 1.0, "x": 0, "b": 2.0},
        b'{"a": 1.0, "x": 0, "b": 2.0}',
    ),
    "items without ids align by value": (
        b"[1.10, 1e2, 3.0]",
        lambda tree: [0, 1.1, 3.0],
        b"[0, 1.10, 3.0]",
    ),
    "rebuilt items align by id": (
        b'[{"id": 1, "v": 1.10}, {"id": 2, "v": 2.0}]',
        lambda tree: [{"id": 2, "v": 2.0}, {"id": 3}],
        b'[{"id": 2, "v": 2.0}, {"id": 3}]',
    ),
    "repeated ids align in order": (
        b'[{"id": 1, "v": 1.10}, {"id": 1, "v": 1e2}]',
        lambda tree: [{"id": 1, "v": 1.1, "w": 0}, {"id": 1, "v": 100.0}],
        b'[{"id": 1, "v": 1.10, "w": 0}, {"id": 1, "v": 1e2}]',
    ),
    "edited item between kept ones": (
        b'[["a", 1.10], ["b", 2.0], ["c", 3.0]]',
        lambda tree: copy.deepcopy([tree[0], ["x", 2.0], tree[2]]),
        b'[["a", 1.10], ["x", 2.0], ["c", 3.0]]',
    ),
    "deleted and edited item": (
        b'[{"text": "one", "v": [1.10]}, {"text": "two", "v": [2.0]}]',
        lambda tree: [{**tree[1], "text": "two!"}],
        b'[{"text": "two!", "v": [2.0]}]',
    ),
}

SPELLINGS = {
    "raw as in the file": ('["é"]'.encode(), setting("/0", "ü😀"), '["ü😀"]'.encode()),
    "escaped as in the file": (
        b'["\\u00e9", 1]',
        setting("/1", "\u00fc\U0001f600"),
        b'["\\u00e9", "\\u00fc\\ud83d\\ude00"]',
    ),
    "raw where the file has only ASCII": (b'["a"]', setting("/0", "ü"), '["ü"]'.encode()),
    "as in the edited text rather than the file": (
        '["é", "\\u00e9"]'.encode(),
        setting("/1", "éü"),
        '["é", "\\u00e9\\u00fc"]'.encode(),
    ),
    "an escaped backslash is no escape": (
        b'["\\\\u00e9", 1]',
        setting("/1", "ü"),
        '["\\\\u00e9", "ü"]'.encode(),
    ),
    "half a pair": ('["é"]'.encode(), setting("/0", "\ud800é"), '["\\ud800é"]'.encode()),
    "half a pair in a name": (b"{}", setting("", {"\udc00": 1}), b'{\n  "\\udc00": 1\n}'),
    "control characters": (
        b'["a"]',
        setting("/0", 'a\n\t"\\\x01\x7f'),
        b'["a\\n\\t\\"\\\\\\u0001\x7f"]',
    ),
    "not a number": (b"[1]", setting("/0", float("nan")), b"[NaN]"),
    "infinity": (b"[1, 2]", lambda tree: [float("inf"), float("-inf")], b"[Infinity, -Infinity]"),
    "float": (b"[1]", setting("/0", 1e22), b"[1e+22]"),
    "overflow is kept": (b"[1e400, 1]", setting("/1", 2), b"[1e400, 2]"),
}

TABLES = TOUCHES_ONLY | PLACES | MOVES | SPELLINGS


def test_no_name_hides_another():
    assert len(TABLES) == len(TOUCHES_ONLY) + len(PLACES) + len(MOVES) + len(SPELLINGS)


@pytest.mark.parametrize("name", TABLES)
def test_an_edit_leaves_these_bytes(name):
    data, edit, expected = TABLES[name]
    assert edited(data, edit) == expected


def test_ids_are_recognised_by_the_keys_that_are_given():
    data = b'[{"key": 1, "v": 1.10}, {"key": 2, "v": 1e2}]'
    new = [{"key": 2, "v": 100.0, "w": 0}, {"key": 1, "v": 1.1, "w": 0}]
    by_key = edited(data, lambda _: new, id_keys=("key",))
    assert by_key == b'[{"key": 2, "v": 1e2, "w": 0}, {"key": 1, "v": 1.10, "w": 0}]'


def test_two_halves_side_by_side_become_the_one_character_json_can_spell():
    rendered = JsonDocument.parse(b'["x"]').render(["\ud83d\ude00"])
    assert JsonDocument.parse(rendered).value == ["😀"]


@pytest.mark.parametrize("digits", [4300, 4301, 50_000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_integers_of_any_length_are_read_kept_and_written(digits, sign):
    text = sign + "7" * digits
    document = JsonDocument.parse(f"[{text}, 1]".encode())
    assert document.render([document.value[0], 2]) == f"[{text}, 2]".encode()
    assert (
        document.render([document.value[0] + 1, 1])
        == f"[{text[:-1]}{'6' if sign else '8'}, 1]".encode()
    )
    assert document.render([1, document.value[0]]) == f"[1, {text}]".encode()
    assert [problem.code for problem in document.problems] == ["json.big_integer"]


def test_long_integers_in_lists_without_ids_are_aligned_all_the_same():
    long = 10**5000
    document = JsonDocument.parse(b"[[1.10, 1" + b"0" * 5000 + b"], [2.0]]")
    new = [[2.0], [1.1, long, 1]]
    assert same(JsonDocument.parse(document.render(new)).value, new)


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: {"a": v}])
def test_values_nest_up_to_200_levels(wrap):
    value = 1
    for _ in range(198):
        value = wrap(value)
    document = JsonDocument.parse(b'{"a": [0]}')
    deepest = {"a": [value]}
    assert same(JsonDocument.parse(document.render(deepest)).value, deepest)
    with pytest.raises(EvaldeskError, match="more than 200 levels"):
        document.render({"a": [wrap(value)]})


def test_a_value_that_contains_itself_is_refused():
    endless = [1]
    endless.append(endless)
    with pytest.raises(EvaldeskError, match="more than 200 levels"):
        JsonDocument.parse(b'{"a": 1, "b": []}').render({"a": endless, "b": [endless, endless]})


def test_an_edit_at_the_deepest_place_does_not_exhaust_the_stack():
    data = b'{"a":[' * 100 + b'"x", 1' + b"]}" * 100
    pointer = "/a/0" * 100
    assert edited(data, setting(pointer, "y")) == data.replace(b"x", b"y")


def test_moves_inside_moves_do_not_exhaust_the_stack():
    old, new = [1], [2]
    for depth in range(190):
        old, new = [old, f"text {depth}"], [f"text {depth}", new]
    document = JsonDocument.parse(json.dumps(old).encode())
    assert same(JsonDocument.parse(document.render(new)).value, new)


@pytest.mark.parametrize("value", [{1, 2}, (1, 2), b"x", object()])
def test_what_is_no_json_value_is_refused(value):
    with pytest.raises(TypeError, match="not a JSON value"):
        JsonDocument.parse(b"{}").render({"a": value})


def test_names_have_to_be_text():
    with pytest.raises(TypeError):
        JsonDocument.parse(b"{}").render({1: 2})
