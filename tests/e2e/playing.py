"""How each system's story is played by hand, in the steps that differ between systems."""

from __future__ import annotations

from typing import Protocol

from playwright.sync_api import expect

from tests import authored
from tests.authored import AUTHORED, CASE, FIRST_TALK, TALK, Authored, Turn
from tests.e2e.hands import SLOW_MS, Hands, named


class Play(Protocol):
    """The steps of a story; ``see_edits`` looks for the first ``count`` of two last edits."""

    def fill_case(self, hands: Hands) -> None: ...
    def attach(self, hands: Hands) -> None: ...
    def mock(self, hands: Hands) -> None: ...
    def edit_twice(self, hands: Hands) -> None: ...
    def see_edits(self, hands: Hands, count: int) -> None: ...


def open_case(hands: Hands, told: Authored) -> None:
    """Open the case that was added; it stands behind the first of the imported ones."""
    hands.visit.open("author", set=told.path, view="cases", case="#2")
    expect(hands.page.get_by_text(CASE, exact=True).first).to_be_visible(timeout=SLOW_MS)
    hands.visit.idle()


def shows(hands: Hands, label: str, text: str, nth: int = 0) -> None:
    box = hands.page.get_by_role("textbox", name=named(label)).nth(nth)
    expect(box).to_have_value(text, timeout=SLOW_MS)


def attach(hands: Hands, told: Authored) -> None:
    hands.tab("Details")
    hands.look("details")
    for name in told.evaluators:
        hands.from_menu(hands.page.locator(".st-key-details-attach button").first, name)
    hands.look("attached")


class TurnPlay:
    """Cases have turns, and checks stand in a config beside the set. There are no mocks."""

    def __init__(self, told: Authored) -> None:
        self.told = told

    def fill_case(self, hands: Hands) -> None:
        for index, turn in enumerate(FIRST_TALK):
            if index:
                hands.press("Add turn")
            self._write_turn(hands, index, turn)
            hands.look(f"turn {index + 1}")

    def _write_turn(self, hands: Hands, index: int, turn: Turn) -> None:
        hands.write("User says", turn.says, nth=index)
        for tool, arguments in turn.calls:
            hands.page.get_by_role("button", name="Add tool call").nth(index).click()
            hands.visit.idle()
            hands.enter("Tool", tool)
            for name, value in arguments.items():
                self._add_argument(hands, name, is_known=tool == TALK[0].calls[0][0])
                if isinstance(value, int):
                    hands.pick("Kind", "Number")
                hands.write("Value", str(value))
        hands.write("Expected reply", turn.reply, nth=index)

    def _add_argument(self, hands: Hands, name: str, is_known: bool) -> None:
        """Add an argument: its name is chosen where the imported rows have it, else typed."""
        adder = hands.page.get_by_role("button", name="Add argument").last
        if is_known:
            hands.from_menu(adder, name)
        else:
            adder.click()
            hands.visit.idle()
            hands.write("Name", name)

    def attach(self, hands: Hands) -> None:
        added = self.told.criterion
        assert added is not None
        hands.tab("Details")
        hands.look("details")
        hands.press("Open")
        hands.from_menu(hands.page.get_by_role("button", name="Add check"), added.label)
        hands.look("check added")
        hands.write("Pass mark", str(added.mark))
        hands.look("pass mark")
        hands.press("Review & save", exact=False)
        hands.look("review of the criteria")
        hands.visit.press_save()
        gone = hands.page.get_by_role("heading", name="Review changes")
        expect(gone).to_have_count(0, timeout=SLOW_MS)
        hands.visit.idle()

    def mock(self, hands: Hands) -> None:
        hands.tab("Mocks")
        expect(hands.page.get_by_text("has no mocks in its eval sets")).to_be_visible()
        hands.look("no mocks")
        hands.press("Open the cases")

    def edit_twice(self, hands: Hands) -> None:
        hands.write("User says", TALK[2].says, nth=2)
        hands.write("Expected reply", "Bye!", nth=2)

    def see_edits(self, hands: Hands, count: int) -> None:
        shows(hands, "User says", TALK[2].says if count else FIRST_TALK[2].says, 2)
        shows(hands, "Expected reply", "Bye!" if count > 1 else TALK[2].reply, 2)


class CodedPlay:
    """Evaluators expect tool calls of a case, and mocks are rules."""

    def __init__(self, told: Authored) -> None:
        self.told = told

    def fill_case(self, hands: Hands) -> None:
        hands.write("Name", authored.CLAIM_NAME)
        hands.write("Policy", authored.CLAIM["policy"])
        hands.write("Text", authored.FIRST_TEXT)
        hands.write("Amount", str(authored.CLAIM["amount"]))
        hands.look("inputs")

    def attach(self, hands: Hands) -> None:
        attach(hands, self.told)
        open_case(hands, self.told)
        hands.visit.unfold("Checks")
        self._add_check(hands, authored.DECIDE)
        hands.write("Decision", "approve")
        self._add_check(hands, authored.ORDER)
        for tool, _name, _value in authored.TOOL_CALLS:
            hands.press("Add tool")
            hands.enter("Tool", tool)
        hands.look("tools in order")
        self._add_check(hands, authored.ARGS)
        for tool, name, value in authored.TOOL_CALLS:
            hands.press("Add expected call")
            hands.enter("Tool", tool)
            hands.press("Add value")
            hands.write("Name", name)
            if isinstance(value, float):
                hands.pick("Kind", "Number")
            hands.write("Value", str(value))
        hands.look("expected calls")

    def _add_check(self, hands: Hands, name: str) -> None:
        hands.from_menu(hands.page.get_by_role("button", name="Add check"), name)

    def mock(self, hands: Hands) -> None:
        hands.tab("Mocks")
        hands.look("mocks")
        hands.visit.segment("Written answers")
        hands.press("Add rule", "mocked-tools")
        hands.enter("Function", authored.MOCKED, "open-rule")
        hands.visit.segment("Calls with these arguments")
        hands.from_menu(
            hands.place("open-rule").get_by_role("button", name="Add by name"), "policy"
        )
        hands.write("Value", authored.MOCK_ANSWER, "open-rule")
        hands.look("rule")
        self._try(hands, 'lookup_policy(policy="HH-9001")', "Rule 1 answers and returns")
        expect(hands.place("try-box").locator("pre")).to_have_text(f'"{authored.MOCK_ANSWER}"')
        hands.look("tried")
        self._try(hands, 'lookup_policy("HH-9001")', "No rule is for this call, so it fails")
        self._try(hands, "send_letter()", "The real function runs")

    def _try(self, hands: Hands, call: str, outcome: str) -> None:
        hands.write("The call as text", call, "try-box")
        expect(hands.place("try-box").get_by_text(outcome)).to_be_visible(timeout=SLOW_MS)

    def edit_twice(self, hands: Hands) -> None:
        hands.write("Text", authored.CLAIM["text"], nth=0)
        hands.write("Name", "Late", nth=0)

    def see_edits(self, hands: Hands, count: int) -> None:
        shows(hands, "Text", authored.CLAIM["text"] if count else authored.FIRST_TEXT)
        shows(hands, "Name", "Late" if count > 1 else authored.CLAIM_NAME)


class LowcodePlay:
    """What the agent does is expected in words, and a model plays the tools."""

    def __init__(self, told: Authored) -> None:
        self.told = told

    def fill_case(self, hands: Hands) -> None:
        _name, _ticket, category, priority, reply, behavior = authored.TICKET
        hands.write("Ticket", authored.FIRST_TICKET)
        hands.write("Category", category)
        hands.write("Priority", priority)
        hands.write("Reply", reply)
        hands.write("Expected behaviour", behavior)
        hands.look("inputs and outputs")

    def attach(self, hands: Hands) -> None:
        attach(hands, self.told)
        open_case(hands, self.told)

    def mock(self, hands: Hands) -> None:
        hands.tab("Mocks")
        hands.look("mocks")
        for part in ("Simulate tools", "Simulated tools", "Instructions for simulated tools"):
            hands.press(part)
        hands.add_text("Simulated tools", authored.SIMULATED)
        hands.write("Instructions for simulated tools", authored.INSTRUCTIONS)
        hands.write("The call as text", 'locate_parcel(order="A-17")', "try-box")
        made_up = hands.place("try-box").get_by_text("A model makes the answer up")
        expect(made_up).to_be_visible(timeout=SLOW_MS)
        hands.look("tried")

    def edit_twice(self, hands: Hands) -> None:
        hands.write("Ticket", authored.TICKET[1])
        hands.write("Reply", "Bye!")

    def see_edits(self, hands: Hands, count: int) -> None:
        shows(hands, "Ticket", authored.TICKET[1] if count else authored.FIRST_TICKET)
        shows(hands, "Reply", "Bye!" if count > 1 else authored.TICKET[4])


PLAYS: dict[str, Play] = {
    name: {"uipath_coded": CodedPlay, "uipath_lowcode": LowcodePlay}.get(name, TurnPlay)(told)
    for name, told in AUTHORED.items()
}
