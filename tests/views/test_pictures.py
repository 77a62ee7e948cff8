"""Charts as SVG: valid whatever a run holds, with the numbers that the page shows."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from evalcore.store import RunQuery, StoredRun
from evalcore.views.charts import heat, histograms
from evalcore.views.metrics import check_lines
from evalcore.views.pictures import Caption, Picture, heat_map, score_pillars, verdict_bars
from tests.report.runs import NASTY, hostile, ordinary

SVG = "{http://www.w3.org/2000/svg}"
CAPTION = Caption("Refunds", "All 8 case results of this run")
ALL = RunQuery()


def drawn(run: StoredRun, caption: Caption = CAPTION) -> list[Picture]:
    made = [verdict_bars(check_lines(run, ALL), caption), heat_map(heat(run, ALL), caption)]
    made += [score_pillars(found, caption) for found in histograms(run, ALL)]
    assert None not in made
    return [picture for picture in made if picture is not None]


def texts(picture: Picture) -> list[str]:
    return [found.text or "" for found in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]


def bars(root: Element, fill: str) -> list[float]:
    found = (e for e in root.iter(f"{SVG}rect") if e.get("fill") == fill)
    return [float(e.get("width") or 0) for e in found if float(e.get("height") or 0) == 20]


@pytest.mark.parametrize("run", [ordinary, hostile])
def test_every_picture_is_an_svg_that_asks_for_nothing(run):
    for picture in drawn(run(), Caption(NASTY, NASTY)):
        root = ElementTree.fromstring(picture.svg)
        assert root.tag == f"{SVG}svg"
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "defs", "pattern", "rect", "line", "text"}
        assert not [name for element in root.iter() for name in element.attrib if "href" in name]


def test_a_picture_says_of_which_run_and_which_part_it_is():
    found = texts(drawn(ordinary())[0])
    assert found[:2] == ["Refunds · Verdicts per check", "All 8 case results of this run"]


def test_bars_are_as_long_as_their_counts():
    root = ElementTree.fromstring(drawn(ordinary())[0].svg)
    (line,) = check_lines(ordinary(), ALL)
    passed, failed = bars(root, "#009e73"), bars(root, "url(#failed)")
    assert line.counts.total() == 6
    assert passed[0] / failed[0] == pytest.approx(
        line.counts["passed"] / line.counts["failed"], rel=0.01
    )


def test_the_heat_map_names_every_case_with_its_result():
    found = " ".join(texts(drawn(ordinary())[1]))
    for name in ("greets", "refunds", "crashes", "idle", "talks", "flips"):
        assert name in found


def test_thresholds_stand_in_the_histogram():
    assert "threshold 0.70" in texts(drawn(ordinary())[2])


def test_nothing_to_draw_is_no_picture():
    nothing = RunQuery(text="nowhere to be found")
    assert verdict_bars(check_lines(ordinary(), nothing), CAPTION) is None
    assert heat_map(heat(ordinary(), nothing), CAPTION) is None
