"""A run as one HTML file that needs nothing else: no server, no network, no other file.

Every case result is a block of data that is read when somebody looks at it, so that thousands of
them open at once. A policy inside the file forbids all scripts and styles but its own.
"""

from evalcore.report.html.page import write

__all__ = ["write"]
