"""Values that lie where the packages' rules have their edges."""

from typing import Any, NamedTuple

from hypothesis import strategies as st

Row = dict[str, Any]
Rows = st.SearchStrategy[Row]


class Family(NamedTuple):
    """The cases of one evaluator: the section of the vectors that they belong to, and how drawn."""

    section: str
    rows: Rows


LETTERS = "abAB é\n\r\t.,{}'\"0ß地気🙂\u0301İ\u200d"
TEXTS = (
    *("", " ", "a", "A", "abc", "abd", " x", "x ", "É", "é", "straße", "STRASSE", "5", "5.0"),
    *("true", "None", "True", "nan", "a\nb", "a\r\nb", "b\nc\na", "{'r': 5.0}", '{"r": 5}', "0"),
    *(" ;a;b", "[1]", "null", "1e400"),
)
NUMBERS = (
    *(0, 1, 5, 5.0, -3, 0.1, 1e-13, 1e-12, 2e-12, -0.0, 100, 90, 1e308, -1e308, 5e-324),
    *(9007199254740993, 9007199254740992, 10**30, float("nan"), float("inf"), float("-inf")),
)
texts = st.sampled_from(TEXTS) | st.text(LETTERS, max_size=8)
numbers = (
    st.sampled_from(NUMBERS)
    | st.integers(-1000, 1000)
    | st.floats(-1e6, 1e6)
    | st.integers(-(2**70), 2**70)
)
scalars = st.one_of(texts, numbers, st.booleans(), st.none())
KEYS = ("a", "b", "r", "c", "a.b", "content", "0", "")
keys = st.sampled_from(KEYS)


def containers(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(keys, values, max_size=3) | st.lists(values, max_size=3)


values = st.recursive(scalars, containers, max_leaves=7)
objects = st.dictionaries(keys, values, max_size=3)


@st.composite
def near(draw: st.DrawFn, value: Any) -> Any:
    """Draw a value that is the given one, or differs from it in one place, or in most."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        changed = dict(value)
        change = draw(st.integers(0, 3))
        if change == 0:
            del changed[key]
        elif change == 1:
            changed[draw(keys)] = draw(values)
        else:
            changed[key] = draw(near(value[key]))
        return changed
    if isinstance(value, list) and draw(st.booleans()):
        return draw(st.permutations(value)) if draw(st.booleans()) else [*value, draw(values)]
    if isinstance(value, str) and draw(st.booleans()):
        place = draw(st.integers(0, len(value)))
        return value[:place] + draw(texts) + value[place + draw(st.integers(0, 1)) :]
    if isinstance(value, bool) and draw(st.booleans()):
        return int(value)
    if isinstance(value, int) and draw(st.booleans()):
        return draw(st.sampled_from([str(value), value + 1, value == 1]))
    return draw(st.just(value) | values)


def sometimes(options: Row) -> Rows:
    """Draw some of these keys, each with a value of its strategy."""
    return st.fixed_dictionaries({}, optional=options)
