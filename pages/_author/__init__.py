"""The parts of the Author page."""
