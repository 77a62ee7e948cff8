"""One story for each dialect: what is edited, and what its recorded run shows to have failed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Story:
    """What is edited, and what failed.

    ``case`` is what the case's row shows, ``old`` what one of its fields shows and ``new`` what
    that is changed to; ``other`` is a second field and its new text. ``unfold`` is the section of
    the form in which they are, "" if none. ``failed`` is a case of the run in ``result``;
    its page shows ``expected`` beside ``actual``.
    """

    project: str
    set: str
    case: str
    old: str
    new: str
    other: tuple[str, str]
    result: str
    failed: str
    expected: str
    actual: str
    unfold: str = ""

    @property
    def set_path(self) -> str:
        return f"{self.project}/{self.set}"

    @property
    def result_path(self) -> str:
        return f"{self.project}/{self.result}"


STORIES = {
    "adk": Story(
        project="adk/refund_desk",
        set="refunds.evalset.json",
        case="refund_already_made",
        old="We refunded 18.50 EUR for order D-4518 on 27 August. "
        "Banks may take up to 5 working days to show it.",
        new="We refunded 18.50 EUR for order D-4518 on 27 August.",
        other=("I still wait for the refund of D-4518!", "Where is the refund of D-4518?"),
        result=".adk/eval_history",
        failed="refund_over_limit_needs_a_person",
        expected="Your espresso machine cost 612.00 EUR",
        actual="Good news! I have refunded 612.00 EUR for order B-2207",
    ),
    "harnest": Story(
        project="harnest/library_helper",
        set="evals/loans.evalset.json",
        case="renew_one_book",
        old="Done. You can keep The Salt Path Atlas until 14 October.",
        new="Done. The Salt Path Atlas is yours until 14 October.",
        other=("Please renew The Salt Path Atlas for me.", "Renew The Salt Path Atlas, please."),
        result="results/eval-run.json",
        failed="find_then_reserve",
        expected="It is shelf 635.6 TOM at the Harbour branch.",
        actual="It is shelf 635.9 TOM at the Harbour branch.",
    ),
    "tenxgraph": Story(
        project="tenxgraph/trip_planner",
        set="evals/trip_planner.evalset.json",
        case="first_train_to_porto",
        old="The first train to Porto leaves Lisbon at 06:00 and arrives at 08:58.",
        new="The first train leaves Lisbon at 06:00 and arrives in Porto at 08:58.",
        other=("When does the first train to Porto leave tomorrow?", "First train to Porto?"),
        result="eval_reports/trip_planner",
        failed="pets_on_board",
        expected="Yes, dogs travel on the night train in a pet compartment.",
        actual="I'm afraid animals are never allowed on trains.",
    ),
    "uipath_coded": Story(
        project="uipath_coded/claims_intake",
        set="evaluations/eval-sets/claims.json",
        case="A pipe burst and the kitchen",
        old="1,700.00",
        new="1,700",
        other=("A pipe burst and the kitchen floor is ruined.", "The kitchen is under water."),
        result="claims-output.json",
        failed="test-4-too-expensive",
        expected="refer",
        actual="approve",
        unfold="Checks",
    ),
    "uipath_lowcode": Story(
        project="uipath_lowcode/SupportTriage",
        set="evals/eval-sets/evaluation-set-default.json",
        case="I was charged twice",
        old="I am sorry about the double charge. "
        "We will pay one of the two back within three days.",
        new="I am sorry about the double charge. We will pay one back within three days.",
        other=("I was charged twice for July!", "July was charged twice!"),
        result="triage-output.json",
        failed="german ticket",
        expected="Sie finden Ihre Rechnung unter Konto",
        actual="You find your invoice under Konto",
    ),
}
