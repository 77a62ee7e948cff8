import pytest

from evalcore.counting import build
from evalcore.results import PERCENT, UNIT
from evalcore.views import charts
from evalcore.views.charts import score_distribution, verdict_bars
from evalcore.views.metrics import summarise
from tests.views.runs import E, F, N, P, case, run, score


def summaries(*cases):
    return summarise(build(run(*cases)))


SOME = (
    case("a", P, [score(0.9)]),
    case("b", F, [score(0.799, F)]),
    case("c", E, [score(None, E)]),
    case("d", N, [score(None, N)]),
)


def test_every_verdict_has_its_word_glyph_and_pattern_in_the_bars():
    chart = verdict_bars(summaries(*SOME))
    names = {trace.name: trace for trace in chart.figure.data}
    assert set(names) == {"✓ passed", "✗ failed", "! error", "○ not evaluated"}
    assert [list(trace.x) for trace in names.values()] == [[1], [1], [1], [1]]
    assert len({t.marker.pattern.shape for t in names.values()}) == 4
    assert names["✗ failed"].text == ("✗ 1",)


def test_the_alternative_text_says_what_the_bars_show():
    chart = verdict_bars(summaries(*SOME))
    assert "response: 1 failed, 1 error, 1 not evaluated, 1 passed" in chart.alt


def test_the_distribution_counts_every_score_once_and_marks_the_threshold():
    (found,) = summaries(*SOME)
    chart = score_distribution(found)
    assert sum(sum(trace.y) for trace in chart.figure.data) == 2
    assert [shape.x0 for shape in chart.figure.layout.shapes] == [0.8]
    assert "threshold 0.80" in chart.alt
    assert chart.figure.layout.annotations[0].text == "threshold 0.80"


def test_charts_have_clear_backgrounds_and_few_marks():
    (found,) = summaries(*(case(str(i), P, [score(i / 5000)]) for i in range(5000)))
    for chart in (verdict_bars([found]), score_distribution(found)):
        assert chart.figure.layout.paper_bgcolor == "rgba(0,0,0,0)"
        assert sum(len(trace.y) for trace in chart.figure.data) <= charts.BINS * 5


def test_nothing_judged_or_scored_gives_no_chart():
    (found,) = summaries(case("a", N, [score(None, N)]))
    assert score_distribution(found) is None
    assert verdict_bars([]) is None


def test_scores_on_two_scales_are_not_drawn_on_one_axis():
    mixed = [score(0.5, scale=UNIT), score(0.5, native=50.0, scale=PERCENT)]
    (found,) = summaries(case("a", P, mixed[:1]), case("b", P, mixed[1:]))
    assert score_distribution(found) is None


@pytest.mark.parametrize(
    ("values", "ends"), [((0.5,), (0.0, 1.0)), ((7.0, 0.5), (0.0, 7.0)), ((-2.0,), (-2.0, 1.0))]
)
def test_the_axis_is_the_scale_widened_by_what_lies_outside(values, ends):
    (found,) = summaries(*(case(str(v), P, [score(v)]) for v in values))
    assert charts.axis_of(found) == ends
    assert sum(sum(t.y) for t in score_distribution(found).figure.data) == len(values)


def test_checks_of_one_name_keep_their_own_bars():
    scores = [score(evaluator=f"{n}", evaluator_name="Same") for n in (1, 2)]
    chart = verdict_bars(summaries(case("a", P, scores)))
    assert len(set(chart.figure.data[0].y)) == 2
    assert charts.unique(["a", "a"])[0] != charts.unique(["a", "a"])[1]


@pytest.mark.parametrize(
    ("label", "shown"),
    [("<b>x</b>", "‹b›x‹/b›"), ("a\n b", "a b"), ("x" * 40, "x" * 29 + "…"), ("\ud800", "\ufffd")],
)
def test_names_from_files_are_inert_in_charts(label, shown):
    assert charts.shorten(label) == shown
