"""Hypothesis strategies for JSON: values, and documents in all the ways people write them."""

from random import Random

from hypothesis import strategies as st

from evalcore.jsontree import JsonValue, get, put

# Half a surrogate pair is fine; two halves side by side cannot be told from one character.
_CHARACTERS = st.characters(codec="utf-8") | st.sampled_from('"\\/\n\t\x7f\u2028é😀\ud800')
TEXTS = st.text(_CHARACTERS, max_size=8) | st.sampled_from(
    ["", "id", "name", "/", "~1", "{[", '",', "\udc00", "\u00e9", "a" * 40]
)
INTEGERS = st.integers(-3, 3) | st.integers() | st.sampled_from([2**53 + 1, -(10**30), 10**700])
SCALARS = st.none() | st.booleans() | INTEGERS | st.floats() | TEXTS
KEYS = st.sampled_from(["id", "name", "eval_id", "a", "b", "c", ""]) | TEXTS


def _containers(children: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.lists(children, max_size=4) | st.dictionaries(KEYS, children, max_size=4)


VALUES: st.SearchStrategy[JsonValue] = st.recursive(SCALARS, _containers, max_leaves=14)
CONTAINERS: st.SearchStrategy[JsonValue] = _containers(VALUES)


@st.composite
def documents(draw: st.DrawFn, values: st.SearchStrategy[JsonValue] = VALUES) -> bytes:
    """JSON in UTF-8 with odd spacing, line ends, escapes, number spellings and repeated keys."""
    value = draw(values)
    random = draw(st.randoms(use_true_random=False))
    return Writer(random).document(value)


class Writer:
    """Writes a value the way one author would, or with no habits at all."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._newline = random.choice(["\n", "\n", "\r\n", "\r"])
        self._indent = random.choice([None, "", "  ", "    ", "\t"])
        self._colon = random.choice([":", ": ", " : "])
        self._is_wild = random.random() < 0.3
        self._keeps_short = random.random() < 0.5
        self._repeats_keys = random.random() < 0.2

    def document(self, value: JsonValue) -> bytes:
        """Return a whole file."""
        bom = self._random.choice(["", "", "\ufeff"])
        head, tail = (self._random.choice(["", "", self._newline, " "]) for _ in range(2))
        return f"{bom}{head}{self._value(value, '')}{tail}".encode()

    def _value(self, value: JsonValue, indent: str) -> str:
        if isinstance(value, dict):
            members = [*value.items()]
            if members and self._repeats_keys:
                at = self._random.randrange(len(members))
                members.insert(at, (members[at][0], self._random.choice([1, "old", {"x": []}])))
            parts = [(self._string(key) + self._gap(self._colon), item) for key, item in members]
            return self._container("{}", parts, indent)
        if isinstance(value, list):
            return self._container("[]", [("", item) for item in value], indent)
        if isinstance(value, str):
            return self._string(value)
        return self._scalar(value)

    def _container(self, brackets: str, parts: list[tuple[str, JsonValue]], indent: str) -> str:
        short = self._keeps_short and all(not isinstance(v, dict | list) for _, v in parts)
        inner = indent + (self._indent or "")
        lead = closing = ""
        comma = ", "
        if self._indent is not None and not short and parts:
            lead, closing, comma = self._newline + inner, self._newline + indent, ","
        children = [lead + name + self._value(item, inner) for name, item in parts]
        separator = self._gap(comma if not lead else ",")
        return brackets[0] + self._gap("") + separator.join(children) + closing + brackets[1]

    def _gap(self, usual: str) -> str:
        if not self._is_wild:
            return usual
        before, after = ("".join(self._random.choices(" \t\r\n", k=2)) for _ in range(2))
        return before + usual + after

    def _string(self, text: str) -> str:
        return '"' + "".join(map(self._character, text)) + '"'

    def _character(self, character: str) -> str:
        code = ord(character)
        short = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t"}.get(character)
        must = code < 0x20 or character in '"\\' or 0xD800 <= code <= 0xDFFF
        if short and (must or self._random.random() < 0.5):
            return short
        if must or self._random.random() < 0.2:
            units = character.encode("utf-16-be", "surrogatepass").hex()
            return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
        return character

    def _scalar(self, value: int | float | bool | None) -> str:
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, int):
            return self._random.choice(["-0", "0"]) if value == 0 else str(value)
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            sign = "-" if value < 0 else ""
            return sign + self._random.choice(["Infinity", "1e999"])
        spellings = [repr(value), repr(value).replace("e", "E"), f"{value:.17e}", f"{value:.20e}"]
        return self._random.choice([text for text in spellings if float(text) == value])


def renamed(tree: JsonValue, pointer: str, old: str, new: str) -> JsonValue:
    """Return ``tree`` with a key of the object at ``pointer`` renamed in its place."""
    target = get(tree, pointer)
    assert isinstance(target, dict) and old in target and new not in target
    return put(tree, pointer, {(new if key == old else key): v for key, v in target.items()})
