"""Cases are found by what happened to them, by their slice and by any word of their answers."""

import pytest

from evalcore.compare import Outcome, PairQuery, address_of, compare
from evalcore.errors import EvaldeskError
from evalcore.model import ToolCall
from evalcore.results import InvocationResult
from evalcore.store import CaseFacts
from tests.store.builders import F, P, case, score, store_in, stored

LONG = "x" * 500
ODD = ["#hash", "line\nbreak", LONG, ""]


def answered(name, reply, value, verdict=P, call="look_up", judge=0.5):
    made = InvocationResult(
        origin="/t",
        index=0,
        actual_output=reply,
        actual_tool_calls=(ToolCall(name=call, args={}),),
        scores=(score(value, verdict), score(judge, P, ref="judge")),
    )
    return case(name, verdict=verdict, invocations=(made,))


def pair_in(folder):
    store = store_in(folder)
    facts = [CaseFacts(("money",), {"lang": "de"}), CaseFacts(("post",), {"lang": "en"})] * 2
    left = [
        answered("a", "It is in Porto", 0.9),
        answered("b", "It is in Lisbon", 0.9),
        answered("c", "Hello", 0.2, F),
        answered("d", "Hello", 0.9),
    ]
    right = [
        answered("a", "It is in Porto", 0.1, F),
        answered("b", "It is in Faro", 0.95),
        answered("c", "Hello", 1.0, call="refund"),
        answered("d", "Hello", 0.9, judge=0.4),
    ]
    return compare(stored(store, left, "l", facts), stored(store, right, "r", facts))


def keys(pair, **asked):
    lines, total = pair.page(PairQuery(**asked))
    assert total == len(lines)
    assert sum(pair.tally(PairQuery(**asked)).values()) == total
    return [line.case_key for line in lines]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, ["a", "d", "c", "b"]),
        ({"text": "lisbon"}, ["b"]),
        ({"text": "FARO"}, ["b"]),
        ({"text": "refund"}, ["c"]),
        ({"text": "it in"}, ["a", "b"]),
        ({"text": "lisbon nowhere"}, []),
        ({"slice": ("tag", "money")}, ["a", "c"]),
        ({"slice": ("lang", "en")}, ["d", "b"]),
        ({"slice": ("lang", "fr")}, []),
        ({"check": "reply"}, ["a", "b", "c"]),
        ({"check": "judge"}, ["d"]),
        ({"check": "reply", "sort": "file"}, ["a", "b", "c"]),
        ({"check": "reply", "outcomes": frozenset([Outcome.FIXED])}, ["c"]),
        ({"slice": ("tag", "money"), "text": "porto"}, ["a"]),
    ],
)
def test_a_query_finds(tmp_path, asked, wanted):
    assert keys(pair_in(tmp_path), **asked) == wanted


def test_every_listed_case_knows_its_place(tmp_path):
    pair = pair_in(tmp_path)
    for query in (PairQuery(), PairQuery(check="reply"), PairQuery(sort="file")):
        lines, _ = pair.page(query)
        assert [pair.place(query, line.case_key) for line in lines] == list(range(len(lines)))
    assert pair.place(PairQuery(text="lisbon"), "a") is None
    assert pair.place(PairQuery(), "nobody") is None


def test_a_check_that_is_not_shared_is_an_error(tmp_path):
    with pytest.raises(EvaldeskError, match="no check 'nothing' in common"):
        pair_in(tmp_path).page(PairQuery(check="nothing"))


@pytest.mark.parametrize("key", [*ODD, "plain", "ünïcode"])
def test_a_case_is_found_again_by_its_address(tmp_path, key):
    store = store_in(tmp_path)
    runs = [stored(store, [case(key, verdict=v), case("z", verdict=P)], v.value) for v in (P, F)]
    pair = compare(*runs)
    found = {line.case_key: line for line in pair.page(PairQuery())[0]}
    for line in found.values():
        address = address_of(line.case_key)
        assert len(address) <= 200
        assert address.isprintable()
        assert address
        assert pair.named(address) == line
    assert pair.named("#0000000000") is None
    assert pair.named("nobody") is None


def test_the_verdicts_of_some_cases_in_the_other_run(tmp_path):
    found = pair_in(tmp_path).sides(["a", "c", "nobody"])
    assert {key: side.verdict for key, side in found.items()} == {"a": F, "c": P}
