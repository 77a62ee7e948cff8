"""The tables of rules in README.md and docs/rules.md are those of the catalogue."""

import os
import re

from evalcore.lint.catalog import rules
from evalcore.lint.table import full_table, has_fix, summary_table
from tests.samples import ROOT

WRITE = bool(os.environ.get("EVALDESK_WRITE_README"))
README, RULES = ROOT / "README.md", ROOT / "docs" / "rules.md"
BETWEEN = re.compile(r"(?<=<!-- rules: begin -->\n).*?(?=<!-- rules: end -->)", re.DOTALL)


def test_the_readme_counts_the_rules():
    if WRITE:
        text = README.read_text(encoding="utf-8")
        README.write_text(BETWEEN.sub(lambda _: summary_table(), text), encoding="utf-8")
    assert BETWEEN.findall(README.read_text(encoding="utf-8")) == [summary_table()]


def test_the_list_of_rules_is_current():
    if WRITE:
        RULES.write_text(full_table(), encoding="utf-8")
    assert RULES.read_text(encoding="utf-8") == full_table()


def test_the_list_has_every_code_once():
    listed = re.findall(r"^\| `([a-z_.0-9]+)`", full_table(), re.MULTILINE)
    assert sorted(listed) == sorted(code for rule in rules() for code in rule.codes)


def test_a_fix_is_marked():
    assert has_fix("harnest.rubric_without_type") and has_fix("cases.duplicate")
    assert not has_fix("uipath.half_a_character") and not has_fix("text.secret")
