"""Our scores beside those of the real packages, for cases drawn at random.

Run by hand: ``python -m tests.differential [SYSTEM…]``. The packages live in environments of their
own, made on first use; nothing but making them needs a network.
"""
