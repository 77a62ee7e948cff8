"""The parts of the Evaluators page."""
