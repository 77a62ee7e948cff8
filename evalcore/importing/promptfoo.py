"""promptfoo's tests: variables and assertions, turned into a row for each test.

Of the assertions only those that name one right answer become an expected reply, and those that a
judge reads become rubrics. Every other one has a column of its own, for people to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from evalcore.importing.source import Items
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

ANSWERS = frozenset(
    {"equals", "similar", "factuality", "model-graded-factuality", "rouge-n", "bleu", "meteor"}
    | {"levenshtein", "answer-relevance", "gleu"}
)
RUBRICS = frozenset({"llm-rubric", "model-graded-closedqa", "g-eval", "agent-rubric"})
MOST_COMBINATIONS = 1000
_PLACE = re.compile(r"{{\s*([\w.]+)\s*}}")


def tests_in(value: JsonValue) -> list[JsonValue] | None:
    """Return the tests of a promptfoo file: a config, or a list of tests alone."""
    listed = value.get("tests") if isinstance(value, dict) else value
    if isinstance(value, dict) and not isinstance(listed, list):
        is_config = "tests" in value and "prompts" in value
        return [listed] if is_config else None
    if not isinstance(listed, list) or not listed:
        return None
    tests = [test for test in listed if _is_test(test) or isinstance(test, str)]
    return listed if any(map(_is_test, listed)) and len(tests) == len(listed) else None


def add_tests(items: Items, value: JsonValue) -> None:
    """Add the tests of a file, with the defaults that its config gives to all of them."""
    config = value if isinstance(value, dict) else {}
    default = config.get("defaultTest")
    shared = default if isinstance(default, dict) else {}
    prompt = _only_prompt(config.get("prompts"))
    for number, test in enumerate(tests_in(value) or (), 1):
        if not isinstance(test, dict):
            items.refuse(
                number,
                f"The tests are in another file: {test!r}",
                "Import that file instead.",
            )
            continue
        _add_test(items, number, test, shared, prompt)


def _add_test(
    items: Items, number: int, test: JsonObject, shared: JsonObject, prompt: str | None
) -> None:
    variables = {**_object(shared.get("vars")), **_object(test.get("vars"))}
    rows = list(_combinations(variables))
    if len(rows) > MOST_COMBINATIONS:
        items.refuse(number, f"The test stands for {len(rows):,} combinations of its variables")
        return
    description = test.get("description")
    metadata = {**_object(shared.get("metadata")), **_object(test.get("metadata"))}
    for chosen in rows:
        row: dict[str, JsonValue | Missing] = {
            "name": description if isinstance(description, str) else MISSING,
            **{f"vars.{name}": value for name, value in chosen.items()},
            "prompt": _filled(prompt, chosen) if prompt else MISSING,
            **_asserted(items, [*_list(shared.get("assert")), *_list(test.get("assert"))]),
            "metadata": metadata or MISSING,
        }
        items.add(number, row)


def _asserted(items: Items, asserts: list[JsonValue]) -> dict[str, JsonValue | Missing]:
    found: dict[str, JsonValue | Missing] = {}
    rubrics: list[JsonValue] = []
    for item in (inner for a in asserts for inner in _flat(a)):
        kind, value = item.get("type"), item.get("value", MISSING)
        if not isinstance(kind, str) or value is MISSING:
            items.note(f"An assertion {kind} without a value was left out")
        elif kind in RUBRICS:
            rubrics += value if isinstance(value, list) else [value]
        elif kind in ANSWERS and "expected_output" not in found:
            found["expected_output"] = value
        else:
            name = f"assert {kind}"
            old = found.get(name, MISSING)
            found[name] = value if old is MISSING else f"{old}\n{value}"
    return {**found, "rubrics": rubrics or MISSING}


def _flat(item: JsonValue) -> Iterator[JsonObject]:
    if isinstance(item, dict) and item.get("type") == "assert-set":
        for inner in _list(item.get("assert")):
            yield from _flat(inner)
    elif isinstance(item, dict):
        yield item


def _combinations(variables: Mapping[str, JsonValue]) -> Iterator[JsonObject]:
    """Yield the variables of each case: a list stands for one case for each of its items."""
    lists = [v if isinstance(v, list) and v else [v] for v in variables.values()]
    for count, values in enumerate(product(*lists)):
        if count > MOST_COMBINATIONS:
            return
        yield dict(zip(variables, values, strict=True))


def _only_prompt(prompts: JsonValue) -> str | None:
    listed = prompts if isinstance(prompts, list) else [prompts]
    only = listed[0] if len(listed) == 1 else None
    is_inline = isinstance(only, str) and "{{" in only and not only.startswith("file:")
    return only if is_inline and isinstance(only, str) else None


def _filled(prompt: str, variables: Mapping[str, JsonValue]) -> str:
    def value(match: re.Match[str]) -> str:
        found = variables.get(match[1], MISSING)
        return match.group() if found is MISSING else str(found)

    return _PLACE.sub(value, prompt)


def _is_test(value: JsonValue) -> bool:
    return isinstance(value, dict) and ("vars" in value or isinstance(value.get("assert"), list))


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
