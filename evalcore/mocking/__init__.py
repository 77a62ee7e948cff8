"""Which mock answers a call of a tool, and with what, without running anything."""

from evalcore.formats._uipath.mock_values import WRAPPER as NO_ANSWER
from evalcore.formats._uipath.mock_values import shown
from evalcore.mocking.answers import Answer, Call, Effect, Heard, Standing, Trial
from evalcore.mocking.strategy import Mocks, preview, try_out

__all__ = [
    "NO_ANSWER",
    "Answer",
    "Call",
    "Effect",
    "Heard",
    "Mocks",
    "Standing",
    "Trial",
    "preview",
    "shown",
    "try_out",
]
