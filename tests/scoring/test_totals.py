"""Numbers over all cases: computed anew, and beside those that the file stored."""

import json

import pytest

from evalcore.cli import main
from evalcore.results import Score, Verdict
from evalcore.scoring import checks_for, compare_totals, score
from tests.scoring.builders import case, coded, eval_set, happened, result, run, wanted

LABELS = ["cat", "dog", "fox"]
SPECS = [{"type": "recall", "averaging": "macro"}, {"type": "confusion_matrix"}]
EXACT = coded(
    "E",
    "uipath-exact-match",
    name="Label",
    targetOutputKey="label",
    classes=LABELS,
    aggregators=SPECS,
)
GIVEN = [("cat", "cat"), ("cat", "dog"), ("dog", "fox"), ("fox", "fox"), ("fox", "bird")]
"""(expected, given) of each case."""


def scored(*stored, pairs=GIVEN):
    cases = [
        case(str(i), wanted({"label": e}), criteria={"E": {"expectedOutput": {"label": e}}})
        for i, (e, _) in enumerate(pairs)
    ]
    of = eval_set(*cases, format_id="uipath_coded", refs=["E"])
    results = [result(str(i), happened({"label": given})) for i, (_, given) in enumerate(pairs)]
    of_run = run(*results, format_id="uipath_coded", dataset_scores=stored)
    return of_run, score(of_run, of, checks_for(of, [EXACT]))


def stored(name, native, matrix=None, **more):
    details = {} if matrix is None else {"details": {"confusionMatrix": matrix}}
    return Score(evaluator=f"Label::{name}", native=native, value=native, **details, **more)


MATRIX = [[1, 0, 0], [1, 0, 0], [0, 1, 1]]
"""A row for each label given, a column for each label expected."""


def test_the_matrix_has_rows_of_labels_given_and_columns_of_labels_expected():
    _, found = scored()
    recall, matrix = found.dataset_scores
    assert matrix.details["confusionMatrix"] == MATRIX
    assert (matrix.value, matrix.verdict, matrix.informational) == (None, None, True)
    assert recall.native == pytest.approx((1 / 2 + 0 + 1 / 2) / 3)
    assert "none of the labels, and count as misses" in recall.cautions[0]


@pytest.mark.parametrize(
    ("old", "kind", "words", "known"),
    [
        (stored("recall", 1 / 3, MATRIX), "same", "", True),
        (stored("confusion_matrix", 0.0, MATRIX), "same", "", True),
        (
            stored("confusion_matrix", 0.0, [list(row) for row in zip(*MATRIX, strict=True)]),
            "differs",
            "counts other labels",
            True,
        ),
        (stored("recall", 0.5, [[9, 0, 0]]), "differs", "counts other labels", True),
        (stored("recall", 0.5, MATRIX), "differs", "Nothing in the two files", False),
        (
            stored("recall", 0.0, verdict=Verdict.ERROR, reason="boom"),
            "differs",
            "no number: boom",
            True,
        ),
        (stored("precision", 0.5), "only_stored", "No check of this name", True),
    ],
)
def test_a_stored_number_is_compared_with_ours(old, kind, words, known):
    first, *_ = compare_totals(*scored(old))
    assert (first.kind, first.is_explained, first.place) == (kind, known, -1)
    assert words in first.explanation and bool(words) is bool(first.explanation)


def test_numbers_that_only_we_have_are_listed_without_a_word():
    found = compare_totals(*scored())
    assert [(c.kind, c.evaluator, c.explanation) for c in found] == [
        ("only_here", "Label::recall", ""),
        ("only_here", "Label::confusion_matrix", ""),
    ]


def test_the_command_line_shows_them_with_their_orientation(tmp_path, capsys):
    evaluations = [
        {
            "id": str(i),
            "name": str(i),
            "inputs": {},
            "evaluationCriterias": {"E": {"expectedOutput": {"label": expected}}},
        }
        for i, (expected, _) in enumerate(GIVEN)
    ]
    value = {
        "version": "1.0",
        "id": "s",
        "name": "s",
        "evaluatorRefs": ["E"],
        "evaluations": evaluations,
    }
    for folder, name, content in (
        ("eval-sets", "s.json", value),
        ("evaluators", "e.json", EXACT.config),
    ):
        (tmp_path / "evaluations" / folder).mkdir(parents=True)
        (tmp_path / "evaluations" / folder / name).write_text(json.dumps(content))
    lines = [{"case_id": str(i), "output": {"label": g}} for i, (_, g) in enumerate(GIVEN)]
    file = tmp_path / "o.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    path = tmp_path / "evaluations" / "eval-sets" / "s.json"
    assert main(["score", str(path), "--outputs", str(file)]) == 1
    out = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "Label::recall: 0.3333. 5 of 5 cases are counted." in out
    at = out.index(
        "Label::confusion_matrix: 5 of 5 cases are counted. Rows are the labels given, columns "
        "those expected."
    )
    assert [line.split() for line in out[at + 1 : at + 5]] == [
        LABELS,
        ["cat", "1", "0", "0"],
        ["dog", "1", "0", "0"],
        ["fox", "0", "1", "1"],
    ]
