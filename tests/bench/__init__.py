"""Measurements, run by hand: ``python -m tests.bench NAME``. Nothing here is timed by the tests."""
