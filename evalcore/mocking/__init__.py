"""Which mock answers a call of a tool, and with what, without running anything."""

from evalcore.formats._uipath.mock_values import (
    ANY,
    EXCEPTIONS,
    TARGET,
    exception,
    exception_name,
    is_any,
    is_built,
    shown,
)
from evalcore.formats._uipath.mock_values import WRAPPER as NO_ANSWER
from evalcore.mocking.answers import Answer, Call, Effect, Heard, Standing, Trial
from evalcore.mocking.strategy import Mocks, preview, try_out

__all__ = [
    "ANY",
    "EXCEPTIONS",
    "NO_ANSWER",
    "TARGET",
    "Answer",
    "Call",
    "Effect",
    "Heard",
    "Mocks",
    "Standing",
    "Trial",
    "exception",
    "exception_name",
    "is_any",
    "is_built",
    "preview",
    "shown",
    "try_out",
]
